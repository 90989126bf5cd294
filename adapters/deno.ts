/** The Deno adapter, exported as `fw/deno`: `serve` starts Deno's own server for an app. */

import type { AcceptedSocket } from "../lib/answer/upgrade.ts"
import type { App } from "../lib/app.ts"
import type { BodyData } from "../lib/exchange.ts"
import type { ListenOptions, ListenTarget, Server } from "../lib/platform.ts"
import { remakeRequest } from "../lib/request/body-streams.ts"
import { env } from "./disk/env.ts"
import { formatAddress } from "./shared/address.ts"
import { bindHost, toServeOptions } from "./shared/bind.ts"
import { answerWebRequest, WebExchange } from "./web/handler.ts"
import { connectSocket, type PlatformSocket } from "./web/socket.ts"
import { createUpgradeHandler, type UpgradeHandler } from "./web/upgrade-handler.ts"
import { WebStop } from "./web/web-stop.ts"

/** The members of Deno's server that fw uses. */
interface DenoServer {
  readonly addr: { readonly hostname: string; readonly port: number }
  shutdown(): Promise<void>
  unref(): void
}
interface DenoServeOptions {
  readonly hostname: string
  readonly port: number
  readonly cert?: string
  readonly key?: string
  readonly signal: AbortSignal
  onListen(): void
}
interface DenoInfo {
  readonly remoteAddr: { readonly hostname: string }
  /** Settles when the response is sent, or the client has disconnected. */
  readonly completed: Promise<void>
}
declare const Deno: {
  upgradeWebSocket(
    request: Request,
    options: { readonly idleTimeout: number },
  ): { socket: PlatformSocket; response: Response }
  serve(
    options: DenoServeOptions,
    handler: (request: Request, info: DenoInfo) => Response | Promise<Response>,
  ): DenoServer
}

/**
 * Starts a server for an app. Resolves when the server listens.
 *
 * @param target the same as for `app.listen()`: `3000`, `"127.0.0.1:3000"`, or `{ port, host, tls }`. Port 0 picks a
 * free port. Without a host, the server listens on every interface. With `tls` it uses HTTPS. Default: the environment
 * variable `PORT`, otherwise 3000.
 * @throws FwError `serve` for an address that is not valid; `port_in_use`, `port_denied` or `host` for an address on
 * which the server cannot listen; `tls` for a certificate that cannot be used.
 * @example
 * const server = await serve(app, { port: 3000, host: "127.0.0.1" })
 * console.log(`listening on ${server.addr}`)
 */
export async function serve(app: App, target?: ListenTarget): Promise<Server> {
  const options = await toServeOptions(app, target, env)
  const stop = new WebStop()
  const closeController = new AbortController()
  let openCount = 0
  const onCompleted = () => {
    openCount -= 1
  }
  const server = bind(options, closeController.signal, (request, info) => {
    openCount += 1
    info.completed.then(onCompleted, onCompleted)
    return answerWebRequest(app, new DenoExchange(request, info, stop))
  })
  stop.markListening(app)
  let isStopping = false
  stop.setServer({
    stop() {
      isStopping = true
      return server.shutdown()
    },
    get runningCount() {
      return openCount
    },
    closeNow() {
      // After shutdown(), aborting the signal would not close connections, but throw an error that cannot be caught. So
      // the open connections are left, and must not keep the process alive.
      if (isStopping) server.unref()
      else closeController.abort()
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
    Deno.serve({ hostname, port, signal, onListen() {}, ...(tls && { cert: tls.cert, key: tls.key }) }, handler)
  return bindHost(options, listen)
}

class DenoExchange extends WebExchange {
  readonly #info: DenoInfo
  #controller: AbortController | undefined = undefined
  #onDisconnect: (() => void) | undefined = undefined
  #isSent = false

  constructor(request: Request, info: DenoInfo, stop: WebStop) {
    super(request, stop)
    this.#info = info
  }

  /** The address of the client. Deno reads it together with the URL, so reading it early costs nothing. */
  override get address(): string {
    return this.#info.remoteAddr.hostname
  }

  protected override get forceSignal(): AbortSignal {
    return this.stop.forceSignal
  }

  /**
   * Upgrades a request. Deno itself pings idle clients, and closes connections that do not answer.
   */
  #upgrade(accepted: AcceptedSocket, headers: Headers): Response {
    const idleTimeout = Math.ceil(accepted.heartbeat)
    const { socket, response } = Deno.upgradeWebSocket(this.request, { idleTimeout })
    // Deno's own option for the protocol finds it only in a list that is separated by a comma and a space.
    if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
    for (const [name, value] of headers) response.headers.append(name, value)
    socket.addEventListener("open", () => connectSocket(socket, accepted))
    return response
  }

  protected override get upgradeHandler(): UpgradeHandler {
    return createUpgradeHandler((accepted, headers) => this.#upgrade(accepted, headers))
  }

  /**
   * Aborts when the client disconnects. Deno's own signal also aborts after a complete response, and Deno warns if it
   * has listeners then. So this signal follows that of Deno only until the response is sent.
   */
  override get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const controller = new AbortController()
    this.#controller = controller
    this.#onDisconnect = () => controller.abort(new DOMException("the client went away", "AbortError"))
    if (!this.#isSent) {
      this.request.signal.addEventListener("abort", this.#onDisconnect)
      this.stop.forceSignal.addEventListener("abort", this.#onDisconnect)
    }
    return controller.signal
  }

  override get isAborted(): boolean {
    return this.#controller?.signal.aborted === true
  }

  /**
   * True if the client may have sent a body. Deno gives a POST a body even if there is none. HTTP/2 has no Host header,
   * and a body in it needs neither Content-Length nor Transfer-Encoding (RFC 9113 §8.1).
   */
  protected override get isBodySent(): boolean {
    const { headers } = this.request
    return headers.has("content-length") || headers.has("transfer-encoding") || !headers.has("host")
  }

  override toRequest(body: BodyData): Request {
    const { signal } = this
    return remakeRequest(this.request, body, () => signal)
  }

  protected override get isSignalUsed(): boolean {
    return this.#controller !== undefined
  }

  protected override onSent(): void {
    this.#isSent = true
    if (!this.#onDisconnect) return
    this.request.signal.removeEventListener("abort", this.#onDisconnect)
    this.stop.forceSignal.removeEventListener("abort", this.#onDisconnect)
  }
}
