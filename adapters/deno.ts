/** The Deno adapter, exported as `fw/deno`: `serve` starts Deno's own server for an app. */

import type { AcceptedSocket } from "../lib/answer/upgrade.ts"
import type { App } from "../lib/app.ts"
import { reportBug } from "../lib/log/process-log.ts"
import type { ListenOptions, ListenTarget, Server } from "../lib/platform.ts"
import { env } from "./disk/env.ts"
import { formatAddress } from "./shared/address.ts"
import { bindHost, toServeOptions } from "./shared/bind.ts"
import { answerWebRequest } from "./web/handler.ts"
import type { RuntimeRequest } from "./web/runtime-request.ts"
import { connectSocket, type PlatformSocket } from "./web/socket.ts"
import { createUpgradeHandler, type UpgradeHandler } from "./web/upgrade-handler.ts"
import { WebStop } from "./web/web-stop.ts"

/** The part of Deno that is used. */
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
  /** Settles when the response is sent, or its client has gone. */
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
  const options = await toServeOptions(app, target, env)
  const stop = new WebStop()
  const cut = new AbortController()
  const report = (error: unknown) => reportBug(error, env)
  let running = 0
  const onCompleted = () => {
    running -= 1
  }
  const server = bind(options, cut.signal, (request, info) => {
    stop.noteRequest()
    running += 1
    info.completed.then(onCompleted, onCompleted)
    return answerWebRequest(app, request, new DenoRequest(request, info, stop), report)
  })
  stop.markListening(app)
  let isStopping = false
  stop.setServer({
    stop() {
      isStopping = true
      return server.shutdown()
    },
    get runningCount() {
      return running
    },
    closeNow() {
      // After shutdown(), aborting the signal closes nothing: it throws an error that nobody can catch. Connections
      // that are still open must not keep the process alive.
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
    Deno.serve({ hostname, port, signal, onListen() {}, ...(tls && { cert: tls.cert, key: tls.key }) }, handler)
  return bindHost(options, listen)
}

class DenoRequest implements RuntimeRequest {
  readonly isLast: boolean
  readonly #request: Request
  readonly #info: DenoInfo
  readonly #stop: WebStop
  #controller: AbortController | undefined = undefined
  #onGone: (() => void) | undefined = undefined
  #isOver = false

  constructor(request: Request, info: DenoInfo, stop: WebStop) {
    this.#request = request
    this.#stop = stop
    this.#info = info
    this.isLast = stop.isClosing
  }

  /** Deno reads the address together with the URL, which every request needs. */
  get address(): string {
    return this.#info.remoteAddr.hostname
  }

  get stopSignal(): AbortSignal {
    return this.#stop.stopSignal
  }

  get forceSignal(): AbortSignal {
    return this.#stop.forceSignal
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
    socket.addEventListener("open", () => connectSocket(socket, accepted))
    return response
  }

  get upgradeHandler(): UpgradeHandler {
    return createUpgradeHandler((accepted, headers) => this.#upgrade(accepted, headers))
  }

  /**
   * Deno's own signal also aborts after a complete response, and Deno warns about listeners then. This signal listens
   * to Deno's only while there is something to send.
   */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const abort = new AbortController()
    this.#controller = abort
    this.#onGone = () => abort.abort(new DOMException("the client went away", "AbortError"))
    if (!this.#isOver) {
      this.#request.signal.addEventListener("abort", this.#onGone)
      this.#stop.forceSignal.addEventListener("abort", this.#onGone)
    }
    return abort.signal
  }

  get isAborted(): boolean {
    return this.#controller?.signal.aborted === true
  }

  /**
   * Deno gives a POST a body even if none was sent. HTTP/2 has no Host header, and a body needs neither Content-Length
   * nor Transfer-Encoding there (RFC 9113 §8.1).
   */
  get hasBody(): boolean {
    const { headers } = this.#request
    return headers.has("content-length") || headers.has("transfer-encoding") || !headers.has("host")
  }

  get isSignalUsed(): boolean {
    return this.#controller !== undefined
  }

  onSent(): void {
    this.#isOver = true
    if (!this.#onGone) return
    this.#request.signal.removeEventListener("abort", this.#onGone)
    this.#stop.forceSignal.removeEventListener("abort", this.#onGone)
  }
}
