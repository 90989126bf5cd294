/**
 * The interface between the core and a runtime: the exports of `#platform`. The implementations are in
 * `adapters/platform/`.
 */
import type { App } from "./app.ts"
import type { Env } from "./env.ts"
import type { Exchange } from "./exchange.ts"
import type { ResponseOrPromise } from "./pipeline.ts"
import type { FetchArguments } from "./request/around.ts"
import type { FindFiles } from "./static/serve-static.ts"
import type { Routes, RouteTree } from "./tree.ts"

export type { Env, Output, URLPatternConstructor } from "./env.ts"

/**
 * A server that an adapter's `serve()` has started.
 *
 * @example
 * const stop = (server: Server) => server.shutdown(AbortSignal.timeout(30_000))
 */
export interface Server {
  /** `host:port`, with the real port also after `:0`; `unix:` and the path of a Unix socket. */
  readonly addr: string
  /** See {@link App.shutdown}. */
  shutdown(signal?: AbortSignal): Promise<void>
}

/**
 * Options for listening.
 *
 * @example
 * const options: ListenOptions = { port: 3000, host: "127.0.0.1" }
 * await app.listen(options)
 */
export interface ListenOptions {
  /** A name or address of this machine. Default: every interface. */
  readonly host?: string
  /** 0 picks a free one. It has no meaning with `path` and `fd`. */
  readonly port: number
  /** Path of a Unix socket, which its user and its group may open. On Node only. */
  readonly path?: string
  /** Number of a socket that is open already, such as 3 for the first one of systemd. On Node only. */
  readonly fd?: number
  /** Certificate for HTTPS. */
  readonly tls?: TLSOptions
}

/**
 * The address argument of `app.listen()` and `serve()`: a port, a text such as `127.0.0.1:3000` or `/run/shop/shop.sock`, or options.
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

/**
 * Options of `app.shutdown()`.
 *
 * @example
 * const options: ShutdownOptions = { drain: 10, timeout: 30 }
 * await app.shutdown(undefined, options)
 */
export interface ShutdownOptions {
  /**
   * Seconds to answer requests as before, in which `app.health()` answers 503 and load balancers notice it. Default:
   * the environment variable `FW_DRAIN`, otherwise the option of `app.health()`, otherwise 0.
   */
  readonly drain?: number
  /** Seconds after that in which running requests finish. Default: no limit but the signal. */
  readonly timeout?: number
}

/** The server of an app, which can be started and stopped. */
export interface ServerLifecycle {
  /** As {@link Server.addr}; `""` while it is not listening. */
  readonly addr: string
  /**
   * Starts the server.
   *
   * @param ready resolves when the app can answer, and rejects with the reason if it cannot.
   */
  listen(target: ListenTarget | undefined, ready: () => Promise<void>): Promise<void>
  /** True from the call of {@link shutdown} on, until the server has stopped. */
  readonly isStopping: boolean
  /** Seconds for which {@link shutdown} waits, if neither its options nor `FW_DRAIN` set that time. */
  drainSeconds: number
  /** See {@link App.shutdown}. */
  shutdown(signal: AbortSignal | undefined, options: ShutdownOptions | undefined): Promise<void>
  /** See {@link App.onShutdown}. */
  onShutdown(close: () => unknown): void
}

/** The implementation of a runtime. */
export interface Platform {
  readonly env: Env
  /** Reports a bug that no request logger handles. */
  report(bug: unknown): void
  /** Creates the server of `app.listen()` and `app.shutdown()`. Missing if an app cannot listen. */
  server?(app: App): ServerLifecycle
  /** Reads the route directory. Missing if there is no disk. */
  scan?(appDir: string): Promise<RouteTree>
  /** Imports the files of a tree. Missing if there is no disk. */
  load?(tree: RouteTree): Promise<Routes>
  /** Returns the files of a directory. Missing in a bundle without static files. */
  readonly files?: FindFiles | undefined
  /** Writes a stream to a file, and returns its size. Absent on runtimes without a disk. */
  save?(path: string, body: ReadableStream<Uint8Array>): Promise<number>
  /**
   * Returns true if `fetch()` decodes the body of an answer with this Content-Encoding. `fetch()` does not change the
   * header.
   */
  decodes(contentEncoding: string): boolean
  /**
   * Adds the content type that a response's text implies to its headers, if the runtime would lose it when
   * the body is read.
   */
  keepContentType?(response: Response): void
  /**
   * Resolves when a stream has had time to return a piece that is in memory. Default: after some microtasks, which is
   * enough where streams are written in JavaScript.
   */
  waitForReads?(): Promise<void>
  /**
   * Implements `app.fetch`.
   *
   * @param answer runs an exchange through the app.
   * @param given the arguments of `app.fetch` after the request.
   */
  fetch(answer: (exchange: Exchange) => ResponseOrPromise, request: Request, given: FetchArguments): Promise<Response>
}
