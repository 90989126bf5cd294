/** The one door between the core and a runtime: what `#platform` exports. Implemented in `adapters/platform/`. */
import type { App } from "./app.ts"
import type { Exchange } from "./exchange.ts"
import type { Answer } from "./pipeline.ts"
import type { Given } from "./request/around.ts"
import type { FilesOf } from "./static/static.ts"
import type { Routes, RouteTree } from "./tree.ts"

/**
 * A server that `serve()` of an adapter started.
 *
 * @example
 * const stop = (server: Server) => server.shutdown(AbortSignal.timeout(30_000))
 */
export interface Server {
  /** `host:port`, the real port also after `:0`. */
  readonly addr: string
  /** See {@link App.shutdown}. */
  shutdown(signal?: AbortSignal): Promise<void>
}

/**
 * Where to listen, and how.
 *
 * @example
 * const options: ListenOptions = { port: 3000, host: "127.0.0.1" }
 * await app.listen(options)
 */
export interface ListenOptions {
  /** A name or address of this machine. Default: every interface. */
  readonly host?: string
  /** 0 takes a free one. */
  readonly port: number
  /** Serves HTTPS. */
  readonly tls?: TLSOptions
}

/**
 * The forms in which `app.listen()` and `serve()` take an address: a port, a text such as `127.0.0.1:3000`, or options.
 *
 * @example
 * const target: ListenTarget = process.env.ADDRESS ?? 3000
 * await app.listen(target)
 */
export type ListenTarget = number | string | Partial<ListenOptions>

/**
 * A certificate and its private key, as PEM text.
 *
 * @example
 * const tls: TLSOptions = { cert: process.env.TLS_CERT ?? "", key: process.env.TLS_KEY ?? "" }
 */
export interface TLSOptions {
  readonly cert: string
  readonly key: string
}

/** Where an app listens, and the end of that. */
export interface Listening {
  /** `host:port`; `""` while nothing listens. */
  readonly addr: string
  /** @param ready resolves once the app can answer, and rejects with what keeps it from that. */
  listen(app: App, target: ListenTarget | undefined, ready: () => Promise<void>): Promise<void>
  shutdown(signal: AbortSignal | undefined): Promise<void>
}

/** The process around the app. */
export interface Env {
  /** An environment variable. */
  get(name: string): string | undefined
  /** All of them: `c.env` where the runtime hands over nothing of its own with a request. */
  readonly vars: object
  /** Standard output: where request lines go. Absent where there is a console alone. */
  readonly out?: Output
  /** Standard error: where bugs are reported. Absent where there is a console alone. */
  readonly err?: Output
  /** `URLPattern`: the runtime's own or the bundled polyfill. */
  urlPattern(): Promise<URLPatternConstructor>
}

/** A stream of text that loses nothing when the process ends. */
export interface Output {
  readonly isTerminal: boolean
  /** Writes in batches; what is pending when the process exits is written then. */
  write(text: string): void
}

/** The part of WHATWG URLPattern that proxy matchers use. */
export type URLPatternConstructor = new (init: {
  pathname: string
}) => { test(input: { pathname: string }): boolean }

/** What each runtime brings. */
export interface Platform {
  readonly env: Env
  /** Reports a bug that no request logger takes. */
  report(bug: unknown): void
  /** Makes what `app.listen()` and `app.shutdown()` do. Absent where an app cannot listen. */
  server?(): Listening
  /** Reads the route directory. Absent where there is no disk. */
  scan?(appDir: string): Promise<RouteTree>
  /** Imports the files of a tree. Absent where there is no disk. */
  load?(tree: RouteTree): Promise<Routes>
  /** The files of a directory. Absent in a bundle without static files. */
  readonly files?: FilesOf | undefined
  /** Puts the type that an answer's text implies among its headers, where the runtime would lose it once somebody looks at the body. */
  keepType?(response: Response): void
  /**
   * Does what `app.fetch` does.
   *
   * @param answer runs an exchange through the app.
   * @param given what `app.fetch` was given after the request.
   */
  fetch(answer: (exchange: Exchange) => Answer, request: Request, given: Given): Promise<Response>
}
