/** The Node adapter, exported as `fw/node`: `serve` starts a server for an app, `nodeHandler` puts an app into one that exists. */
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { App } from "../lib/app.ts"
import { HttpError } from "../lib/errors.ts"
import type { ListenOptions, Server } from "../lib/platform.ts"
import { reportBug } from "../lib/request-logger.ts"
import { bindError, formatAddress } from "./bind.ts"
import { env } from "./env.node.ts"
import { adoptClient, behindOf } from "./node-behind.ts"
import { endGently, isAnswered, isEnding } from "./node-drain.ts"
import { NodeExchange } from "./node-exchange.ts"
import { answerOf, type Surroundings, send, sendFailure, sendRefusal } from "./node-send.ts"
import { Connections } from "./node-shutdown.ts"
import { loadWs, UpgradableMessage, type UpgradeListener, upgradeListener, type Ws } from "./node-socket.ts"
import { refuse } from "./node-target.ts"

/**
 * The limits of the server, in milliseconds and bytes. `docs/server.md` lists them with their reasons; another set is a
 * server of one's own around {@link nodeHandler}.
 */
export const limits = {
  /** Time for the headers of a request. */
  headersTimeout: 15_000,
  /** Time for a whole request, its body included: 10 MiB over a slow line of 300 kbit/s. */
  requestTimeout: 300_000,
  /** Time that a connection may idle between requests: longer than the 60 s that load balancers keep theirs. */
  keepAliveTimeout: 65_000,
  /** Size of a request's line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** How often timeouts are looked at. */
  connectionsCheckingInterval: 5_000,
  /** Whether the kernel asks a silent client if it is there still, and after how long: else one that lost power stays for ever. */
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  /** Time for the handshake of HTTPS: as for headers. */
  handshakeTimeout: 15_000,
  /** Also where the process was started with `--insecure-http-parser`. */
  insecureHTTPParser: false,
  /** Missing Host headers are answered here, as JSON. */
  requireHostHeader: false,
} as const satisfies ServerOptions & { handshakeTimeout: number }

/** Answers a request. `waiting`: the client waits for `100 Continue` (RFC 9110 §10.1.1), which the exchange sends when the body is asked for. */
type Handle = (incoming: IncomingMessage, outgoing: ServerResponse, waiting: boolean) => void

function surroundings(app: App, connections?: Connections): Surroundings {
  return { connections, drainLimit: app.config.bodyLimit, report: (error) => reportBug(error, env) }
}

/** @param joined repeated headers come joined (`joinDuplicateHeaders`). */
function makeHandle(app: App, joined: boolean, around: Surroundings): Handle {
  const { connections } = around
  return (incoming, outgoing, waiting) => {
    connections?.begin(incoming, outgoing)
    const refusal = refuse(incoming, joined)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    if (incoming.url === "*") return sendServerOptions(outgoing)
    const exchange = new NodeExchange(incoming, outgoing, joined, waiting, connections)
    const answer = answerOf(app, exchange)
    if (answer instanceof Promise) {
      answer.then(
        (response) => send(exchange, incoming, outgoing, response, around),
        (error) => sendFailure(outgoing, error, around),
      )
    } else if (connections?.closing) {
      // A request that came in one packet with this one is not parsed yet: only then is it known which answer is the last.
      setImmediate(() => send(exchange, incoming, outgoing, answer, around))
    } else send(exchange, incoming, outgoing, answer, around)
  }
}

/** `OPTIONS *` asks for the server, not for a resource of the app (RFC 9110 §9.3.7): a ping. */
function sendServerOptions(outgoing: ServerResponse): void {
  outgoing.writeHead(204)
  outgoing.end()
}

/**
 * The app as a listener of a node:http server, or inside Express (`server.use(nodeHandler(app))`) and Fastify.
 * The body must be unread: mount it before any body parser.
 *
 * @example
 * createServer(nodeHandler(app)).listen(3000)
 */
export function nodeHandler(app: App): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const handle = makeHandle(app, false, surroundings(app))
  return (incoming, outgoing) => handle(incoming, outgoing, false)
}

/**
 * The app's sockets as a listener for the event `upgrade` of a node:http server that is not fw's. The server's owner
 * has it to himself: requests for other protocols come to it too, and are answered as requests without a body.
 *
 * @throws FwError `ws_missing` where the package `ws` is not installed.
 * @example
 * server.on("upgrade", await nodeUpgrade(app))
 */
export async function nodeUpgrade(app: App): Promise<UpgradeListener> {
  return upgradeListener(app, await loadWs(), false, surroundings(app))
}

/**
 * Starts a server for an app; resolves once it is bound.
 *
 * @param options `port` 0 takes a free one; without `host`, every interface.
 * @throws FwError `port_in_use`, `port_denied` or `host`, when it cannot be bound; `ws_missing` for
 * socket routes without the package `ws`.
 */
export async function serve(app: App, options: ListenOptions): Promise<Server> {
  const behind = behindOf(app)
  const { tls } = options
  const create = tls ? (await import("node:https")).createServer : createServer
  const { server, connections } = makeServer(
    app,
    { ...limits, ...tls },
    {
      first: behind ? [adoptClient] : [],
      create,
      ...(app.router.findSocket && { ws: await loadWs() }),
    },
  )
  await bind(server, options, behind?.socket)
  // Without a listener an error of the server, such as one of accept(), would end the process.
  server.on("error", (error) => reportBug(error, env))
  return {
    addr: behind?.addr ?? addressOf(server),
    shutdown: (signal) => connections.shutdown(signal),
  }
}

function addressOf(server: HttpServer): string {
  const { address, port } = server.address() as AddressInfo
  return formatAddress(address, port)
}

/** What differs between servers of an app. */
export interface ServerParts {
  /** Listeners that come before the app. */
  readonly first?: readonly ((incoming: IncomingMessage) => void)[]
  /** What makes a server; node:https's for HTTPS. */
  readonly create?: (options: ServerOptions) => HttpServer
  /** The package `ws`: the server takes upgrades. */
  readonly ws?: Ws
}

/**
 * Makes the server of an app, not yet listening. Called by {@link serve}, and by tests with other limits.
 *
 * @param parts what differs between servers.
 */
export function makeServer(
  app: App,
  options: ServerOptions,
  { first = [], create = createServer, ws }: ServerParts = {},
): { server: HttpServer; connections: Connections } {
  const upgradable = ws ? { IncomingMessage: UpgradableMessage } : {}
  const server = create({ ...options, ...upgradable, joinDuplicateHeaders: true })
  // node:http drops headers beyond a number in silence, a second Host too; maxHeaderSize bounds them already.
  server.maxHeadersCount = 0
  const connections = new Connections(server, (socket) => answerClientError(late, socket))
  const around = surroundings(app, connections)
  const handle = makeHandle(app, true, around)
  for (const listener of first)
    for (const event of ["request", "checkContinue", "upgrade"])
      if (ws || event !== "upgrade") server.on(event, listener)
  if (ws) server.on("upgrade", upgradeListener(app, ws, true, around))
  server.on("request", (incoming, outgoing) => handle(incoming, outgoing, false))
  server.on("checkContinue", (incoming, outgoing) => handle(incoming, outgoing, true))
  server.on("checkExpectation", (incoming, outgoing) => sendRefusal(incoming, outgoing, badExpectation))
  server.on("connect", (_, socket: Socket) =>
    endWith(socket, new HttpError(501, "the method CONNECT is not implemented")),
  )
  server.on("clientError", answerClientError)
  return { server, connections }
}

const late = Object.assign(new Error("the request stalled"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
const badExpectation = new HttpError(417, "the only expectation known here is 100-continue", {
  code: "expectation_failed",
})

function bind(server: HttpServer, options: ListenOptions, path: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const { host, port } = options
    const fail = (error: Error) => reject(bindError(error, options))
    server.once("error", fail)
    server.listen(path ? { path } : { port, ...(host === undefined ? {} : { host }) }, () => {
      server.off("error", fail)
      resolve()
    })
  })
}

const clientErrors: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(
    431,
    `the request's headers are larger than ${limits.maxHeaderSize} bytes`,
    { code: "headers_too_large" },
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, "the request did not arrive in time"),
}

/**
 * What node:http could not parse, or what did not arrive in time: an answer that says so, unless that would stand in for
 * the answer to a request before it. The parent of `fw dev` answers so too.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  const current = socket._httpMessage
  if (isEnding(socket)) return
  // One request, one answer: what goes wrong with its body afterwards ends the connection.
  if (isAnswered(socket)) endGently(socket)
  // The request in turn was whole: it gets its answer, and nothing after it.
  else if (current?.req.complete && !current.writableFinished) {
    current.shouldKeepAlive = false
    current.once("finish", () => endGently(socket))
  } else if (!socket.writable || current?.headersSent) socket.destroy()
  else endWith(socket, clientErrors[error.code ?? ""] ?? new HttpError(400, "the request is not valid HTTP"))
}

const reasons: Record<number, string> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  501: "Not Implemented",
}

function endWith(socket: Socket, error: HttpError): void {
  const body = JSON.stringify(error)
  endGently(
    socket,
    `HTTP/1.1 ${error.status} ${reasons[error.status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
