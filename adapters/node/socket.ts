/** WebSockets on Node, with the package `ws`, which applications with socket routes install. */
import { type IncomingMessage, ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { Socket } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type AcceptedSocket, acceptedUpgrade, isUpgrade } from "../../lib/answer/upgrade.ts"
import type { App } from "../../lib/app.ts"
import type { HttpError } from "../../lib/errors.ts"
import { fault } from "../../lib/fault.ts"
import { isOfHandshake, refuseHandshake } from "../shared/handshake.ts"
import { answerOf } from "./app-answer.ts"
import { endGently, hadLast } from "./drain.ts"
import { RequestExchange, ServerMessage } from "./fast/switch.ts"
import { type Surroundings, send, sendFailure, sendRefusal } from "./send.ts"
import { refuse } from "./target.ts"

/** The part of `ws` that is used. */
interface Client {
  readonly bufferedAmount: number
  send(data: string | Uint8Array, done: (error?: Error) => void): void
  close(code: number, reason: string): void
  ping(): void
  terminate(): void
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): void
  on(event: "close", listener: (code: number, reason: Buffer) => void): void
  on(event: "pong" | "error", listener: () => void): void
}
interface ClientServer {
  on(event: "headers", listener: (lines: string[]) => void): void
  handleUpgrade(incoming: IncomingMessage, socket: Socket, head: Buffer, done: (client: Client) => void): void
}
/** The package `ws`. */
export interface Ws {
  readonly WebSocketServer: new (options: object) => ClientServer & { readonly options: object }
}

/** Timeout of the closing handshake, in milliseconds. */
const closeTime = 5000

/** A listener of node:http's event `upgrade`. */
export type UpgradeListener = (incoming: IncomingMessage, socket: Socket, head: Buffer) => void

/**
 * Loads the package `ws`: next to fw or in a bundle, otherwise from the project.
 *
 * @throws FwError `ws_missing`, also for a version before 8.21, in which the number of fragments of a message has no limit.
 */
export async function loadWs(directory = process.cwd()): Promise<Ws> {
  const ws = await findWs(directory)
  // Version 7 has the class as `Server` only. The file with the version is not in a bundle, but the option is.
  if (!ws.WebSocketServer || !("maxFragments" in new ws.WebSocketServer({ noServer: true }).options))
    throw fault("ws_missing.old")
  return ws
}

async function findWs(directory: string): Promise<Ws> {
  try {
    return (await import("ws")) as unknown as Ws
  } catch {
    // A copy of fw outside the project does not see its packages.
  }
  try {
    const file = createRequire(join(directory, "package.json")).resolve("ws")
    const module = (await import(pathToFileURL(file).href)) as { default: Ws }
    return module.default
  } catch (cause) {
    throw fault("ws_missing", [], { cause })
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
    return upgrades.has(this) && (this.method === "CONNECT" || isUpgrade(headersOf(this)))
  }

  set upgrade(value: unknown) {
    if (value) upgrades.add(this)
  }
}

const upgrades = new WeakSet<IncomingMessage>()

/** Returns the class of the messages of a server with sockets. */
export function upgradableMessage(): typeof IncomingMessage {
  return UpgradableMessage
}

function headersOf({ method, headers }: IncomingMessage): Parameters<typeof isUpgrade>[0] {
  return { method: method ?? "", header: (name) => String(headers[name] ?? "") }
}

/** Runs upgrades through an app like any request, and opens connections for those that it accepts. */
export function upgradeListener(app: App, ws: Ws, joined: boolean, around: Surroundings): UpgradeListener {
  const { connections } = around
  return (incoming, socket, head) => {
    // node:http no longer handles its errors, and an error without a listener would end the process.
    socket.on("error", () => {})
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = false
    outgoing.assignSocket(socket)
    outgoing.once("finish", () => {
      outgoing.detachSocket(socket)
      socket.resume()
      endGently(socket)
    })
    if (hadLast(socket) || connections?.begin(incoming, outgoing) === false) return
    const refusal = refuse(incoming, joined)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    const exchange = new UpgradeExchange(incoming, outgoing, joined, false, connections)
    Promise.resolve(answerOf(app, exchange)).then(
      (answer) => {
        const accepted = acceptedUpgrade(answer)
        if (!accepted) return send(exchange, incoming, outgoing, answer, around)
        outgoing.detachSocket(socket)
        if (!socket.destroyed) open(ws, accepted, answer, incoming, socket, head)
      },
      (error) => sendFailure(outgoing, error, around),
    )
  }
}

class UpgradeExchange extends RequestExchange {
  readonly #abort = new AbortController()

  constructor(...parts: ConstructorParameters<typeof RequestExchange>) {
    super(...parts)
    const [{ socket }, outgoing] = parts
    socket.once("close", () => {
      if (!outgoing.writableFinished)
        this.#abort.abort(new DOMException("the client went away", "AbortError"))
    })
  }

  override get upgrades(): boolean | HttpError {
    return refuseHandshake((name) => this.header(name)) ?? true
  }

  override get signal(): AbortSignal {
    return this.#abort.signal
  }
}

function open(
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
  server.on("headers", (lines) => lines.push(...headerLines(answer.headers)))
  server.handleUpgrade(incoming, socket, head, (client) => connect(client, accepted))
}

/**
 * Returns the headers that the program and its middleware set, without those of the handshake and of a body.
 */
function headerLines(headers: Headers): string[] {
  const lines = headers.getSetCookie().map((cookie) => `Set-Cookie: ${cookie}`)
  for (const [name, value] of headers)
    if (name !== "set-cookie" && !isOfHandshake(name)) lines.push(`${name}: ${value}`)
  return lines
}

function connect(client: Client, { heartbeat, connect }: AcceptedSocket): void {
  // The close code reports an error of the client.
  client.on("error", () => {})
  let dropping: NodeJS.Timeout | undefined
  const events = connect({
    send: (data) =>
      new Promise((resolve, reject) => client.send(data, (error) => (error ? reject(error) : resolve()))),
    close(code, reason) {
      client.close(code, reason)
      dropping = setTimeout(() => client.terminate(), closeTime)
    },
    get buffered() {
      return client.bufferedAmount
    },
  })
  client.on("message", (data, isBinary) => events.message(isBinary ? plainBytes(data) : data.toString()))
  const beating = heartbeat > 0 ? beat(client, heartbeat * 1000) : undefined
  client.on("close", (code, reason) => {
    clearTimeout(dropping)
    clearInterval(beating)
    events.ended(code, reason.toString())
  })
}

/** Pings a client, and closes its connection if it has not answered the ping before. */
function beat(client: Client, interval: number): NodeJS.Timeout {
  let alive = true
  client.on("pong", () => {
    alive = true
  })
  return setInterval(() => {
    if (!alive) return client.terminate()
    alive = false
    client.ping()
  }, interval)
}

/** Returns plain bytes, not a Buffer, as on every other runtime. */
function plainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
