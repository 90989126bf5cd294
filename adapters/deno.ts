/** The Deno adapter, exported as `fw/deno`: `serve` starts Deno's own server for an app. */

import type { AcceptedSocket } from "../lib/answer/upgrade.ts"
import type { App } from "../lib/app.ts"
import { reportBug } from "../lib/log/process-log.ts"
import type { ListenOptions, ListenTarget, Server } from "../lib/platform.ts"
import { env } from "./disk/env.ts"
import { bindHost, formatAddress, serveOptions } from "./shared/bind.ts"
import type { Arrival } from "./web/arrival.ts"
import { answer } from "./web/handler.ts"
import { follow, type PlatformSocket } from "./web/socket.ts"
import { WebStop } from "./web/stop.ts"
import { type Upgrades, upgrading } from "./web/upgrade.ts"

export type { RequestTrace } from "./shared/trace.ts"

/** The part of Deno that is used. */
interface DenoServer {
  readonly addr: { readonly hostname: string; readonly port: number }
  shutdown(): Promise<void>
  unref(): void
}
interface DenoOptions {
  readonly hostname: string
  readonly port: number
  readonly cert?: string
  readonly key?: string
  readonly signal: AbortSignal
  onListen(): void
}
interface DenoInfo {
  readonly remoteAddr: { readonly hostname: string }
  /** Settles when the response is sent, or its client has gone. */
  readonly completed: Promise<void>
}
declare const Deno: {
  upgradeWebSocket(
    request: Request,
    options: { readonly idleTimeout: number },
  ): { socket: PlatformSocket; response: Response }
  serve(
    options: DenoOptions,
    handler: (request: Request, info: DenoInfo) => Response | Promise<Response>,
  ): DenoServer
}

/**
 * Starts a server for an app; resolves once it is bound.
 *
 * @param target as `app.listen()` takes it: `3000`, `"127.0.0.1:3000"`, or `{ port, host, tls }`. Port 0
 * picks a free one; without a host, every interface; with `tls`, HTTPS. Default: the environment variable
 * `PORT`, otherwise 3000.
 * @throws FwError `serve` for an address that is not valid; `port_in_use`, `port_denied` or `host` for one
 * that cannot be bound; `tls` for a certificate that cannot be used.
 * @example
 * const server = await serve(app, { port: 3000, host: "127.0.0.1" })
 * console.log(`listening on ${server.addr}`)
 */
export async function serve(app: App, target?: ListenTarget): Promise<Server> {
  const options = await serveOptions(app, target, env)
  const stop = new WebStop()
  const cut = new AbortController()
  const report = (error: unknown) => reportBug(error, env)
  let running = 0
  const completed = () => {
    running -= 1
  }
  const server = bind(options, cut.signal, (request, info) => {
    stop.note()
    running += 1
    info.completed.then(completed, completed)
    return answer(app, request, new DenoArrival(request, info, stop), report)
  })
  stop.serves(app)
  let isStopping = false
  stop.own({
    stop() {
      isStopping = true
      return server.shutdown()
    },
    get running() {
      return running
    },
    cut() {
      // After shutdown() the signal closes nothing any more: it throws an error that nobody can catch. What is still open must
      // not keep the process.
      if (isStopping) server.unref()
      else cut.abort()
    },
  })
  const { hostname, port } = server.addr
  return { addr: formatAddress(hostname, port), shutdown: (signal) => stop.shutdown(signal) }
}

function bind(
  options: ListenOptions,
  signal: AbortSignal,
  handler: (request: Request, info: DenoInfo) => Response | Promise<Response>,
): DenoServer {
  const { port, tls } = options
  const listen = (hostname: string) =>
    Deno.serve(
      { hostname, port, signal, onListen() {}, ...(tls && { cert: tls.cert, key: tls.key }) },
      handler,
    )
  return bindHost(options, listen)
}

class DenoArrival implements Arrival {
  readonly last: boolean
  readonly #request: Request
  readonly #info: DenoInfo
  readonly #stop: WebStop
  #abort: AbortController | undefined = undefined
  #gone: (() => void) | undefined = undefined
  #over = false

  constructor(request: Request, info: DenoInfo, stop: WebStop) {
    this.#request = request
    this.#stop = stop
    this.#info = info
    this.last = stop.closing
  }

  /** Deno knows it with the URL, which is read for each request. */
  get address(): string {
    return this.#info.remoteAddr.hostname
  }

  get closing(): AbortSignal {
    return this.#stop.leaving
  }

  get cutting(): AbortSignal {
    return this.#stop.cutting
  }

  waitUntil(promise: Promise<unknown>): void {
    this.#stop.waitUntil(promise)
  }

  /**
   * Upgrades a request. Deno pings idle clients and closes connections that do not answer. If it gets a
   * protocol, it looks for it in a list separated by spaces.
   */
  #upgrade(accepted: AcceptedSocket, headers: Headers): Response {
    const idleTimeout = Math.ceil(accepted.heartbeat)
    const { socket, response } = Deno.upgradeWebSocket(this.#request, { idleTimeout })
    if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
    for (const [name, value] of headers) response.headers.append(name, value)
    socket.addEventListener("open", () => follow(socket, accepted))
    return response
  }

  get upgrading(): Upgrades {
    return upgrading((accepted, headers) => this.#upgrade(accepted, headers))
  }

  /**
   * Deno's own signal also aborts after a complete response, and Deno warns about listeners then. This one
   * listens to it only while there is something to send.
   */
  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal
    const abort = new AbortController()
    this.#abort = abort
    this.#gone = () => abort.abort(new DOMException("the client went away", "AbortError"))
    if (!this.#over) {
      this.#request.signal.addEventListener("abort", this.#gone)
      this.#stop.cutting.addEventListener("abort", this.#gone)
    }
    return abort.signal
  }

  get aborted(): boolean {
    return this.#abort?.signal.aborted === true
  }

  /**
   * Deno gives a POST a body even if none was sent. HTTP/2 has no Host, and needs neither header for a body
   * (RFC 9113 §8.1).
   */
  get hasBody(): boolean {
    const { headers } = this.#request
    return headers.has("content-length") || headers.has("transfer-encoding") || !headers.has("host")
  }

  get heard(): boolean {
    return this.#abort !== undefined
  }

  sent(): void {
    this.#over = true
    if (!this.#gone) return
    this.#request.signal.removeEventListener("abort", this.#gone)
    this.#stop.cutting.removeEventListener("abort", this.#gone)
  }
}
