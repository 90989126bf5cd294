/** What an app can do beyond routes and answers. Servers have all of it at hand; a worker carries what it imports. Asked by the methods that need it. */
import { platform } from "#platform"
import type { App } from "./app.ts"
import type { Given } from "./around.ts"
import type { ErrorAnswer, Link } from "./chain.ts"
import type { AddressRange } from "./client-address.ts"
import type { Context } from "./context.ts"
import type { Cookie } from "./cookies.ts"
import type { OpenAPIOptions } from "./document.ts"
import { FwError, type HttpError } from "./errors.ts"
import type { Exchange } from "./exchange.ts"
import type { Html } from "./html.ts"
import type { RequestLoggerConfig } from "./logger.ts"
import type { Messages } from "./messages.ts"
import type { ErrorPages, PageSupport } from "./pages.ts"
import type { Listening, RequestRecorder } from "./platform.ts"
import type { ProxyConfig, ProxySetup } from "./proxy.ts"
import type { Match, Router } from "./router.ts"
import type { EventStream, EventStreamOptions } from "./sse.ts"
import type { StaticHandler, StaticOptions } from "./static.ts"
import type { Routes, RouteTree } from "./tree.ts"
import type { HandlerFunc, ProxyFunc, RequestHandler, TypedResponse } from "./types.ts"
import type { SocketFunc } from "./upgrade.ts"

/** A name is that of the import that brings it: `fw/workers/sse`. */
export interface Features {
  /** `c.request`, `c.bind()`, `c.text()`, `c.bytes()`, `c.form()` and what is read from it. */
  body?: Pick<typeof import("./body.ts"), "makeBody" | "readAll" | "limited" | "remake">
  /** `c.cookie()` and `c.setCookie()`. */
  cookies?: {
    readCookie(header: string, name: string): string
    writeCookie(cookie: Cookie): string
  }
  /** `c.sse()`. */
  sse?: {
    openEvents(
      c: Context,
      run: (events: EventStream) => unknown,
      options?: EventStreamOptions,
    ): Answered | Promise<Answered>
  }
  /** `c.stream()` of what a generator yields. */
  stream?: {
    streamOf(source: AsyncIterable<Uint8Array | string | Html>): ReadableStream<Uint8Array>
  }
  /** `app.socket()` and `Socket` of route files. */
  sockets?: {
    /** @throws FwError `handler` for what is no function; `pattern` is for the message. */
    socketRoute(run: SocketFunc, pattern: string): HandlerFunc
    finder(router: Router): SocketFinder
    /** What a request that is no upgrade gets where only sockets are. */
    upgradeRequired(path: string): HttpError
  }
  /** `app.listen()` and `app.shutdown()`: makes what they do. */
  server?: () => Listening
  /** `app.scan()`, and `app.mount()` of what it found. */
  disk?: {
    /** Reads the route directory. */
    scan(appDir: string): Promise<RouteTree>
    /** Imports the files of a tree. */
    load(tree: RouteTree): Promise<Routes>
  }
  /** `app.static()` and the static directory. */
  static?: {
    /** Makes the list of an app's static directories. */
    makeMounts(): StaticMounts
    /** An app's static directories with the standard one, where it is asked for, or exists and no route claims its prefix. */
    withStandard(
      mounts: StaticMounts | undefined,
      dir: string,
      asked: boolean,
      router: Router,
    ): StaticMounts | undefined
    /** The files of a directory; null where it does not exist. */
    files: FilesOf
  }
  /** `app.mount()` and `app.router.mount()`. */
  mount?: {
    mountHandler(router: Router, prefix: string, handler: RequestHandler): void
    /** The exchange of a request that another app handed on; undefined for any other. */
    mountedExchange(request: Request, given: Given): Exchange | undefined
    /** @throws FwError `mount` when neither routes are given nor a directory was scanned. */
    mountTree(app: App, routes: Routes | undefined): Promise<Mounted>
  }
  /** The pages of what is mounted. */
  pages?: PageSupport
  /** `app.openapi()`. */
  openapi?: {
    documentRoute(
      options: OpenAPIOptions | string,
      embedded: () => string | undefined,
    ): { path: string; handler: HandlerFunc }
  }
  /** `app.setProxy()`. */
  proxy?: {
    /** @throws FwError `proxy_config` for a configuration that cannot be read. */
    makeProxy(run: ProxyFunc, config: ProxyConfig): ProxySetup
  }
  /** The app's request logger. @throws FwError for a configuration that is not valid. */
  logger?: (config: RequestLoggerConfig) => RequestRecorder
  /** The words of errors for developers. */
  messages?: Messages
  /** `trustedProxies`. Without it whoever connects is the client: a platform that has no such hops says so itself. */
  forwarding?: {
    parseRanges(ranges: readonly string[]): AddressRange[]
    forwardedClient(exchange: Exchange, trusted: readonly AddressRange[]): string
    forwardedOrigin(exchange: Exchange, trusted: readonly AddressRange[]): string
  }
}

/**
 * Finds the files of a directory; null where it does not exist.
 *
 * @param embed `false` for a directory that is never part of what is built: it is read from the disk, and may be made later.
 */
export type FilesOf = (dir: string, embed?: boolean) => StaticHandler | null

type Answered = TypedResponse<200, string, "text/event-stream">

/** The socket route that a request means, where it asks for an upgrade. Without one, it is a request like any other (RFC 9110 §7.8). */
export type SocketFinder = (exchange: Exchange, path: string) => Match | null

/** The static directories of an app. */
export interface StaticMounts {
  /** @throws FwError `static` for a directory that does not exist, a prefix with parameters or one that is taken. */
  add(prefix: string, dir: string, options?: StaticOptions): void
  /** Answers GET and HEAD with the files that are asked for; all else is the next link's. */
  before(next: Link, fail: ErrorAnswer): Link
}

/** What a mounted tree has beside its routes. */
export interface Mounted {
  readonly routes: Routes
  readonly errorPages: ErrorPages | undefined
}

/** A feature. @throws FwError `feature` where the program was made without it. */
export function feature<Name extends keyof Features>(name: Name): NonNullable<Features[Name]> {
  const found = platform.features[name]
  if (found) return found
  // A console may show the message alone.
  throw new FwError("feature", `this worker lacks import "fw/workers/${name}"`, "Write it in its entry.")
}
