/** What an app can do beyond routes and answers. Servers have all of it at hand; a worker carries what it imports. Asked by the methods that need it. */
import { platform } from "#platform"
import type { AddressRange } from "./client-address.ts"
import type { Context } from "./context.ts"
import type { Cookie } from "./cookies.ts"
import type { OpenAPIOptions } from "./document.ts"
import { FwError } from "./errors.ts"
import type { Exchange } from "./exchange.ts"
import type { RequestLoggerConfig } from "./logger.ts"
import type { Messages } from "./messages.ts"
import type { ErrorPages, PageSupport } from "./pages.ts"
import type { RequestRecorder } from "./platform.ts"
import type { ProxyConfig } from "./proxy.ts"
import type { Router } from "./router.ts"
import type { EventStream, EventStreamOptions } from "./sse.ts"
import type { StaticHandler } from "./static.ts"
import type { Routes } from "./tree.ts"
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
    streamOf(source: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array>
  }
  /** `app.socket()` and `Socket` of route files. */
  sockets?: {
    socketRoute(run: SocketFunc): HandlerFunc
    isUpgrade(exchange: Exchange): boolean
    /** What a request that is no upgrade gets where only sockets are. */
    upgradeRequired(path: string): Error
  }
  /** `app.static()` and the static directory. */
  static?: {
    /** Makes the list of an app's static directories. */
    makeMounts(): StaticMounts
    /** The files of a directory; null where it does not exist. */
    files: FilesOf
  }
  /** `app.mount()` and `app.router.mount()`. */
  mount?: {
    mountHandler(router: Router, prefix: string, handler: RequestHandler): void
    mountTree(router: Router, routes: Routes, hasProxy: boolean): Mounted
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

/** The files of a directory; null where it does not exist. */
export type FilesOf = (dir: string) => StaticHandler | null

type Answered = TypedResponse<200, string, "text/event-stream">

/** The static directories of an app. */
export interface StaticMounts {
  /** Whether a directory is served under this plain path or above it. */
  covers(path: string): boolean
  /** @throws FwError `static` for a directory that does not exist, a prefix with parameters or one that is taken. */
  add(prefix: string, dir: string): void
  /** The file that a request asks for, or null. */
  answer(c: Context): Promise<Response | null>
}

/** What a mounted tree has beside its routes. */
export interface Mounted {
  readonly proxy: { readonly proxy: ProxyFunc; readonly config: ProxyConfig } | null
  readonly errorPages: ErrorPages | undefined
}

/** A feature. @throws FwError `feature` where the program was made without it. */
export function feature<Name extends keyof Features>(name: Name): NonNullable<Features[Name]> {
  const found = platform.features[name]
  if (found) return found
  // A console may show the message alone.
  throw new FwError(
    "feature",
    `this worker lacks import "fw/workers/${name}"`,
    "Write it in its main module.",
  )
}
