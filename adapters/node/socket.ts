/** WebSockets on Node, with the package `ws`, which applications with socket routes install. */
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

/** The part of `ws` that is used. */
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

/** Timeout of the closing handshake, in milliseconds. */
const closeTimeoutMs = 5000

/** A listener of node:http's event `upgrade`. */
export type UpgradeListener = (incoming: IncomingMessage, socket: Socket, head: Buffer) => void

/**
 * Loads the package `ws`: next to fw or in a bundle, otherwise from the project.
 *
 * @throws FwError `ws_missing`, also for a version before 8.21, in which the number of fragments of a message has no limit.
 */
export async function loadWs(directory = process.cwd()): Promise<Ws> {
  const ws = await findWs(directory)
  // Version 7 has the class as `Server` only. A bundle does not contain the file with the version, but it does contain
  // the option.
  if (!ws.WebSocketServer || !("maxFragments" in new ws.WebSocketServer({ noServer: true }).options))
    throw hostFault("ws_missing.old")
  return ws
}

async function findWs(directory: string): Promise<Ws> {
  try {
    return (await import("ws")) as unknown as Ws
  } catch {
    // A copy of fw outside the project cannot see the project's packages.
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
 * A message that is an upgrade only for WebSockets. If there is a listener, node:http passes every request
 * with `Upgrade` to it, without its body; those for other protocols, such as h2c, must stay requests (RFC
 * 9110 §7.8).
 */
class UpgradableMessage extends ServerMessage {
  // Set in the constructor of the base class, before any field of this class exists.
  get upgrade(): boolean {
    return upgradeMessages.has(this) && (this.method === "CONNECT" || isUpgradeRequest(toHandshakeRequest(this)))
  }

  set upgrade(value: unknown) {
    if (value) upgradeMessages.add(this)
  }
}

const upgradeMessages = new WeakSet<IncomingMessage>()

/** Returns the class of the messages of a server with sockets. */
export function getUpgradableMessage(): typeof IncomingMessage {
  return UpgradableMessage
}

function toHandshakeRequest({ method, headers }: IncomingMessage): Parameters<typeof isUpgradeRequest>[0] {
  return { method: method ?? "", header: (name) => String(headers[name] ?? "") }
}

/** Runs upgrades through an app like any request, and opens connections for those that it accepts. */
export function createUpgradeListener(
  app: App,
  ws: Ws,
  hasJoinedHeaders: boolean,
  serverContext: ServerContext,
): UpgradeListener {
  const { connections } = serverContext
  return (incoming, socket, head) => {
    // node:http no longer handles the errors of the socket, and an error without a listener would end the process.
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
 * Returns the headers that the program and its middleware set, without those of the handshake and of a body.
 */
function toHeaderLines(headers: Headers): string[] {
  const lines = headers.getSetCookie().map((cookie) => `Set-Cookie: ${cookie}`)
  for (const [name, value] of headers)
    if (name !== "set-cookie" && !isHandshakeHeader(name)) lines.push(`${name}: ${value}`)
  return lines
}

function connectClient(client: WsClient, { heartbeat, connect }: AcceptedSocket): void {
  // The close code reports an error of the client.
  client.on("error", () => {})
  let closeTimer: NodeJS.Timeout | undefined
  const events = connect({
    send: (data) => new Promise((resolve, reject) => client.send(data, (error) => (error ? reject(error) : resolve()))),
    close(code, reason) {
      client.close(code, reason)
      closeTimer = setTimeout(() => client.terminate(), closeTimeoutMs)
    },
    get buffered() {
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

/** Pings a client, and closes its connection if it has not answered the ping before. */
function startHeartbeat(client: WsClient, interval: number): NodeJS.Timeout {
  let isAlive = true
  client.on("pong", () => {
    isAlive = true
  })
  return setInterval(() => {
    if (!isAlive) return client.terminate()
    isAlive = false
    client.ping()
  }, interval)
}

/** Returns plain bytes, not a Buffer, as on every other runtime. */
function toPlainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
