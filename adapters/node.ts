/**
 * The Node adapter, exported as `fw/node`: `serve` starts a server for an app, and `nodeHandler` adds an app to an
 * existing server.
 */
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type App, checkApp, getRoutes } from "../lib/app.ts"
import { getDevHooks } from "../lib/dev/hooks.ts"
import { reportBug } from "../lib/log/process-log.ts"
import type { ListenOptions, ListenTarget, Server } from "../lib/platform.ts"
import { env } from "./disk/env.ts"
import { limits } from "./node/limits.ts"
import { createAppServer, createServerContext } from "./node/server.ts"
import { createUpgradeListener, loadWs, type UpgradeListener } from "./node/socket.ts"
import { bindSocket } from "./node/unix-socket.ts"
import { formatAddress } from "./shared/address.ts"
import { toBindError, toServeOptions } from "./shared/bind.ts"

export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./node/handler.ts"
export { limits } from "./node/limits.ts"

/**
 * Returns a listener for the event `upgrade` of another node:http server, which answers the app's WebSockets. It must
 * be the only listener for this event. It also gets requests that ask for other protocols, and answers them as ordinary
 * requests without a body.
 *
 * @throws FwError `ws_missing` if the package `ws` is not installed.
 * @example
 * import { createServer } from "node:http"
 * const server = createServer(nodeHandler(app))
 * server.on("upgrade", await nodeUpgrade(app))
 */
export async function nodeUpgrade(app: App): Promise<UpgradeListener> {
  checkApp(app, "nodeUpgrade()")
  return createUpgradeListener(app, await loadWs(), false, createServerContext(app))
}

/**
 * Starts a server for an app. Resolves when the server listens.
 *
 * @param target the same as for `app.listen()`: `3000`, `"127.0.0.1:3000"`, `"/run/shop.sock"`, or `{ port, host, tls
 * }`. Port 0 picks a free port. Without a host, the server listens on every interface. With `tls` it uses HTTPS.
 * Default: the environment variable `PORT`, otherwise 3000.
 * @throws FwError `serve` for an address that is not valid; `port_in_use`, `port_denied` or `host` for an address on
 * which the server cannot listen; `tls` for a certificate that cannot be used; `ws_missing` for socket routes without
 * the package `ws`.
 * @example
 * const server = await serve(app, { port: 3000, host: "127.0.0.1" })
 * console.log(`listening on ${server.addr}`)
 * await server.shutdown(AbortSignal.timeout(30_000))
 */
export async function serve(app: App, target?: ListenTarget): Promise<Server> {
  const options = await toServeOptions(app, target, env)
  const devServer = getDevHooks()?.onServe?.(app)
  const { tls } = options
  const create = tls ? (await import("node:https")).createServer : createServer
  const { server, connections } = createAppServer(
    app,
    { ...limits, ...tls },
    {
      firstListeners: devServer ? [(incoming) => devServer.adopt(incoming)] : [],
      create,
      ...(getRoutes(app).findSocket && { ws: await loadWs() }),
    },
  )
  if (options.path && !devServer) await bindSocket(server, options.path)
  else await bind(server, options, devServer?.socket)
  connections.markListening(app)
  // Without a listener, an error of the server, such as a failed accept(), would end the process.
  server.on("error", (error) => reportBug(error, env))
  return {
    addr: devServer?.addr ?? formatServerAddress(server),
    shutdown: (signal) => connections.shutdown(signal),
  }
}

function formatServerAddress(server: HttpServer): string {
  const address = server.address() as AddressInfo | string | null
  if (address !== null && typeof address === "object") return formatAddress(address.address, address.port)
  return address === null ? "a socket that was open" : `unix:${address}`
}

function bind(server: HttpServer, options: ListenOptions, path: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const { host, port, fd } = options
    const fail = (error: Error) => reject(toBindError(error, options))
    const place = fd === undefined ? { port, ...(host === undefined ? {} : { host }) } : { fd }
    server.once("error", fail)
    server.listen(path ? { path } : place, () => {
      server.off("error", fail)
      resolve()
    })
  })
}
