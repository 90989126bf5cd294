/** WebSockets on Node. They need the package `ws`, which applications with socket routes install. */
import { type IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { Socket } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type AcceptedSocket, findAcceptedUpgrade, isUpgradeRequest } from "../../lib/answer/upgrade.ts"
import type { App } from "../../lib/app.ts"
import type { HttpError } from "../../lib/errors.ts"
import { hostFault } from "../../lib/lifecycle/host-fault.ts"
import { isHandshakeHeader, refuseHandshake } from "../shared/handshake.ts"
import { dispatchExchange } from "./dispatch-exchange.ts"
import { RequestExchange, ServerMessage } from "./fast/request-classes.ts"
import { refuseIncoming } from "./refuse-incoming.ts"
import { type ServerContext, sendFailure, sendRefusal, sendResponse } from "./send-response.ts"
import { endGently, hasLastRequest } from "./unread-body.ts"

/** The members of a connection of `ws` that fw uses. */
interface WsClient {
  readonly bufferedAmount: number
  send(data: string | Uint8Array, done: (error?: Error) => void): void
  close(code: number, reason: string): void
  ping(): void
  terminate(): void
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): void
  on(event: "close", listener: (code: number, reason: Buffer) => void): void
  on(event: "pong" | "error", listener: () => void): void
}
interface WsServer {
  on(event: "headers", listener: (lines: string[]) => void): void
  handleUpgrade(incoming: IncomingMessage, socket: Socket, head: Buffer, done: (client: WsClient) => void): void
}
/** The package `ws`. */
export interface Ws {
  readonly WebSocketServer: new (options: object) => WsServer & { readonly options: object }
}

/** Milliseconds to wait for the end of the closing handshake. */
const closeTimeoutMs = 5000

/** A listener of node:http's event `upgrade`. */
export type UpgradeListener = (incoming: IncomingMessage, socket: Socket, head: Buffer) => void

/**
 * Loads the package `ws`: the one that fw itself can import, otherwise that of the project.
 *
 * @throws FwError `ws_missing` if it is not installed or older than 8.21. Before that version, the number of fragments
 * of a message had no limit.
 */
export async function loadWs(directory = process.cwd()): Promise<Ws> {
  const ws = await findWs(directory)
  // Version 7 exports the class only as `Server`. The number of the version is in a file that a bundle does not
  // contain, so a newer option is looked for instead.
  if (!ws.WebSocketServer || !("maxFragments" in new ws.WebSocketServer({ noServer: true }).options))
    throw hostFault("ws_missing.old")
  return ws
}

async function findWs(directory: string): Promise<Ws> {
  try {
    return (await import("ws")) as unknown as Ws
  } catch {
    // If fw is not installed in the project, it cannot import the packages of the project. The code below finds them.
  }
  try {
    const file = createRequire(join(directory, "package.json")).resolve("ws")
    const module = (await import(pathToFileURL(file).href)) as { default: Ws }
    return module.default
  } catch (cause) {
    throw hostFault("ws_missing", [], { cause })
  }
}

/**
 * A request that counts as an upgrade only if it asks for a WebSocket. If there is a listener for upgrades, node:http
 * passes it every request with `Upgrade`, without the body. Requests for other protocols, such as h2c, must stay
 * ordinary requests (RFC 9110 §7.8).
 */
class UpgradableMessage extends ServerMessage {
  // A getter on the prototype, because the constructor of the base class sets `upgrade` before this class has fields.
  get upgrade(): boolean {
    return upgradeMessages.has(this) && (this.method === "CONNECT" || isUpgradeRequest(toHandshakeRequest(this)))
  }

  set upgrade(value: unknown) {
    if (value) upgradeMessages.add(this)
  }
}

const upgradeMessages = new WeakSet<IncomingMessage>()

/** Returns the class of messages for a server with sockets. */
export function getUpgradableMessage(): typeof IncomingMessage {
  return UpgradableMessage
}

function toHandshakeRequest({ method, headers }: IncomingMessage): Parameters<typeof isUpgradeRequest>[0] {
  return { method: method ?? "", header: (name) => String(headers[name] ?? "") }
}

/**
 * Returns a listener that runs upgrades through an app like other requests, and opens the connections that the app
 * accepts.
 */
export function createUpgradeListener(
  app: App,
  ws: Ws,
  hasJoinedHeaders: boolean,
  serverContext: ServerContext,
): UpgradeListener {
  const { connections } = serverContext
  return (incoming, socket, head) => {
    // After an upgrade, node:http does not handle errors of the socket any more. Without a listener, an error would end
    // the process.
    socket.on("error", () => {})
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = false
    outgoing.assignSocket(socket)
    outgoing.once("finish", () => {
      outgoing.detachSocket(socket)
      socket.resume()
      endGently(socket)
    })
    if (hasLastRequest(socket) || connections?.beginResponse(incoming, outgoing) === false) return
    const refusal = refuseIncoming(incoming, hasJoinedHeaders)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    const exchange = new UpgradeExchange(incoming, outgoing, hasJoinedHeaders, false, connections)
    Promise.resolve(dispatchExchange(app, exchange)).then(
      (answer) => {
        const accepted = findAcceptedUpgrade(answer)
        if (!accepted) return sendResponse(exchange, incoming, outgoing, answer, serverContext)
        outgoing.detachSocket(socket)
        if (!socket.destroyed) openSocket(ws, accepted, answer, incoming, socket, head)
      },
      (error) => sendFailure(outgoing, error, serverContext),
    )
  }
}

class UpgradeExchange extends RequestExchange {
  readonly #abort = new AbortController()

  constructor(...parts: ConstructorParameters<typeof RequestExchange>) {
    super(...parts)
    const [{ socket }, outgoing] = parts
    socket.once("close", () => {
      if (!outgoing.writableFinished) this.#abort.abort(new DOMException("the client went away", "AbortError"))
    })
  }

  override get upgradeCheck(): boolean | HttpError {
    return refuseHandshake((name) => this.header(name)) ?? true
  }

  override get signal(): AbortSignal {
    return this.#abort.signal
  }
}

function openSocket(
  { WebSocketServer }: Ws,
  accepted: AcceptedSocket,
  answer: Response,
  incoming: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: accepted.maxPayload,
    handleProtocols: () => accepted.protocol || false,
  })
  server.on("headers", (lines) => lines.push(...toHeaderLines(answer.headers)))
  server.handleUpgrade(incoming, socket, head, (client) => connectClient(client, accepted))
}

/**
 * Returns the headers that the program and its middleware have set, without headers of the handshake and headers about
 * a body.
 */
function toHeaderLines(headers: Headers): string[] {
  const lines = headers.getSetCookie().map((cookie) => `Set-Cookie: ${cookie}`)
  for (const [name, value] of headers)
    if (name !== "set-cookie" && !isHandshakeHeader(name)) lines.push(`${name}: ${value}`)
  return lines
}

function connectClient(client: WsClient, { heartbeat, connect }: AcceptedSocket): void {
  // An error of the client closes the connection, and the close code says so. Without a listener, Node would throw it.
  client.on("error", () => {})
  let closeTimer: NodeJS.Timeout | undefined
  const events = connect({
    send: (data) => new Promise((resolve, reject) => client.send(data, (error) => (error ? reject(error) : resolve()))),
    close(code, reason) {
      client.close(code, reason)
      closeTimer = setTimeout(() => client.terminate(), closeTimeoutMs)
    },
    get pendingBytes() {
      return client.bufferedAmount
    },
  })
  client.on("message", (data, isBinary) => events.onMessage(isBinary ? toPlainBytes(data) : data.toString()))
  const heartbeatTimer = heartbeat > 0 ? startHeartbeat(client, heartbeat * 1000) : undefined
  client.on("close", (code, reason) => {
    clearTimeout(closeTimer)
    clearInterval(heartbeatTimer)
    events.onEnded(code, reason.toString())
  })
}

/** Pings a client at intervals. Closes the connection if the client has not answered the previous ping. */
function startHeartbeat(client: WsClient, intervalMs: number): NodeJS.Timeout {
  let isAlive = true
  client.on("pong", () => {
    isAlive = true
  })
  return setInterval(() => {
    if (!isAlive) return client.terminate()
    isAlive = false
    client.ping()
  }, intervalMs)
}

/** Returns plain bytes instead of a Buffer, as all other runtimes do. */
function toPlainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
