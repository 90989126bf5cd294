/**
 * The interface between the core and a runtime, which are the exports of `#platform`. The implementations are in
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
  /** `host:port`, with the port that was chosen for `:0`; or `unix:` and the path of a Unix socket. */
  readonly addr: string
  /** Stops the server, as {@link App.shutdown} does. */
  shutdown(signal?: AbortSignal): Promise<void>
}

/**
 * Options of a server that listens.
 *
 * @example
 * const options: ListenOptions = { port: 3000, host: "127.0.0.1" }
 * await app.listen(options)
 */
export interface ListenOptions {
  /** A name or address of this machine. Default: every interface. */
  readonly host?: string
  /** The port; 0 picks a free one. It has no effect together with `path` or `fd`. */
  readonly port: number
  /** The path of a Unix socket. The user and the group of the process may connect to it. Only on Node. */
  readonly path?: string
  /** The number of a socket that is already open, such as 3 for the first socket of systemd. Only on Node. */
  readonly fd?: number
  /** A certificate for HTTPS. */
  readonly tls?: TLSOptions
}

/**
 * The argument of `app.listen()` and `serve()`: a port, a text such as `127.0.0.1:3000` or `/run/shop/shop.sock`, or
 * options.
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
   * Seconds for which requests are still answered while `app.health()` answers 503, so that load balancers notice it.
   * Default: the environment variable `FW_DRAIN`, otherwise the option of `app.health()`, otherwise 0.
   */
  readonly drain?: number
  /** Seconds after `drain` in which running requests may finish. Default: no limit except the signal. */
  readonly timeout?: number
}

/** Starts and stops the server of an app. */
export interface ServerLifecycle {
  /** The address of the server, `host:port` or `unix:` and a path; `""` while the server is not listening. */
  readonly addr: string
  /**
   * Starts the server.
   *
   * @param prepare is called before the server starts. Its promise resolves when the app can answer, and rejects if it cannot.
   */
  listen(target: ListenTarget | undefined, prepare: () => Promise<void>): Promise<void>
  /** True from the call of {@link shutdown} until the server has stopped. */
  readonly isStopping: boolean
  /** Seconds that {@link shutdown} waits first, unless its options or `FW_DRAIN` set another time. */
  drainSeconds: number
  /** See {@link App.shutdown}. */
  shutdown(signal: AbortSignal | undefined, options: ShutdownOptions | undefined): Promise<void>
  /** See {@link App.onShutdown}. */
  onShutdown(close: () => unknown): void
}

/** What a runtime provides. */
export interface Platform {
  readonly env: Env
  /** Reports a bug that no request logger reports. */
  report(bug: unknown): void
  /** Creates the object that starts and stops the server of an app. Missing on runtimes where an app cannot listen. */
  server?(app: App): ServerLifecycle
  /** Reads the route directory. Missing on runtimes without a disk. */
  scan?(appDir: string): Promise<RouteTree>
  /** Imports the files of a tree. Missing on runtimes without a disk. */
  load?(tree: RouteTree): Promise<Routes>
  /** Finds the files of a directory. Missing in a bundle without static files. */
  readonly files?: FindFiles | undefined
  /** Writes a stream to a file, and returns its size. Missing on runtimes without a disk. */
  save?(path: string, body: ReadableStream<Uint8Array>): Promise<number>
  /**
   * Returns true if `fetch()` decodes the body of an answer with this `Content-Encoding`. It does not remove the
   * header.
   */
  decodes(contentEncoding: string): boolean
  /**
   * Adds a `Content-Type` to the headers of a response with text, if the runtime would lose the type when the body is
   * read.
   */
  keepContentType?(response: Response): void
  /**
   * Resolves when a stream has had enough time to return a piece that it already has. Default: waits for some
   * microtasks, which is enough where streams are written in JavaScript.
   */
  waitForReads?(): Promise<void>
  /**
   * Implements `app.fetch`.
   *
   * @param answer answers a request in the app.
   * @param args the arguments of `app.fetch` after the request.
   */
  fetch(answer: (exchange: Exchange) => ResponseOrPromise, request: Request, args: FetchArguments): Promise<Response>
}
