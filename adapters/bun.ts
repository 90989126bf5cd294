/** The Bun adapter, exported as `fw/bun`: `serve` starts Bun's own server for an app. */

import type { AcceptedSocket } from "../lib/answer/upgrade.ts"
import type { App } from "../lib/app.ts"
import { fault } from "../lib/errors/fault.ts"
import type { ListenOptions, ListenTarget, Server, TLSOptions } from "../lib/platform.ts"
import { env } from "./disk/env.ts"
import { formatAddress } from "./shared/address.ts"
import { bindHost, toServeOptions } from "./shared/bind.ts"
import { type BunConnection, bunSocket } from "./web/bun-socket.ts"
import { answerWebRequest, WebExchange } from "./web/handler.ts"
import { createUpgradeHandler, type UpgradeHandler } from "./web/upgrade-handler.ts"
import { WebStop } from "./web/web-stop.ts"

/** The members of Bun's server that fw uses. */
interface BunServer {
  readonly hostname: string
  readonly port: number
  /** The number of requests that are not answered yet. */
  readonly pendingRequests: number
  readonly pendingWebSockets: number
  requestIP(request: Request): { readonly address: string } | null
  timeout(request: Request, seconds: number): void
  upgrade(request: Request, options: { readonly headers: Headers; readonly data: BunConnection }): boolean
  stop(closeActiveConnections?: boolean): Promise<void>
}
interface BunServeOptions {
  readonly hostname: string
  readonly port: number
  readonly development: false
  readonly reusePort: false
  readonly idleTimeout: number
  readonly maxRequestBodySize: number
  readonly tls?: TLSOptions
  readonly websocket: typeof bunSocket
  fetch(request: Request, server: BunServer): Response | Promise<Response>
}
declare const Bun: {
  readonly version: string
  readonly semver: { satisfies(version: string, range: string): boolean }
  serve(options: BunServeOptions): BunServer
}

/** From this version of Bun on, the URL of a request with an invalid Host is only a path. */
const hostCheckVersion = "1.4.5"

/** Settings for every server. `docs/operations/server.md` gives the reasons. */
const serverSettings = {
  /** Bun's own error pages would show source code. */
  development: false,
  /** Without `development`, Bun would allow another program to listen on the same port. */
  reusePort: false,
  websocket: bunSocket,
  /** Seconds for which a connection may be idle between requests. */
  idleTimeout: 65,
  /** Bun would refuse all bodies over 128 MiB. The app has limits of its own, which differ by route. */
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const

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
  const takesHostFromURL = Bun.semver.satisfies(Bun.version, `>=${hostCheckVersion}`)
  const server = bind(options, (request, server) =>
    answerWebRequest(app, new BunExchange(request, server, stop, takesHostFromURL)),
  )
  stop.markListening(app)
  stop.setServer({
    stop: () => server.stop(),
    get runningCount() {
      return server.pendingRequests + server.pendingWebSockets
    },
    closeNow: () => server.stop(true),
  })
  return { addr: formatAddress(server.hostname, server.port), shutdown: (signal) => stop.shutdown(signal) }
}

class BunExchange extends WebExchange {
  readonly #server: BunServer
  #address: string | undefined = undefined

  constructor(request: Request, server: BunServer, stop: WebStop, takesHostFromURL: boolean) {
    super(request, stop, takesHostFromURL)
    this.#server = server
  }

  /**
   * The address of the client. Bun knows it only until the response is sent. It is read on demand, because most
   * requests do not need it.
   */
  override get address(): string {
    this.#address ??= this.#server.requestIP(this.request)?.address ?? ""
    return this.#address
  }

  /** Removes the idle timeout for this request, because a slow handler or a silent stream may take longer. */
  override onPending(): void {
    this.#server.timeout(this.request, 0)
  }

  override waitUntil(promise: Promise<unknown>): void {
    // The promise may need the address after the response, when Bun does not know it any more.
    void this.address
    super.waitUntil(promise)
  }

  /**
   * Upgrades a request. If Bun accepts it, Bun sends the handshake itself and expects no response. Otherwise the
   * response is a 400.
   *
   * @throws FwError `socket` if `maxPayload` is above the limit of Bun.
   */
  #upgrade(accepted: AcceptedSocket, headers: Headers): Response {
    const { maxPayload } = accepted
    const { maxPayloadLength } = bunSocket
    if (maxPayload > maxPayloadLength) throw fault("socket.payload_bun", [maxPayload, maxPayloadLength])
    if (accepted.protocol) headers.set("sec-websocket-protocol", accepted.protocol)
    if (this.#server.upgrade(this.request, { headers, data: { accepted } })) return undefined as unknown as Response
    return new Response(null, { status: 400 })
  }

  protected override get upgradeHandler(): UpgradeHandler {
    return createUpgradeHandler((accepted, headers) => this.#upgrade(accepted, headers))
  }
}

function bind(options: ListenOptions, fetch: BunServeOptions["fetch"]): BunServer {
  const { port, tls } = options
  const listen = (hostname: string) =>
    Bun.serve({ ...serverSettings, hostname, port, ...(tls && { tls: { cert: tls.cert, key: tls.key } }), fetch })
  return bindHost(options, listen)
}
