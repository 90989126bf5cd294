/** Graceful shutdown of a node:http server. */
import { setMaxListeners } from "node:events"
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { untilAborted } from "../../lib/closing.ts"
import { word } from "../../lib/log/text-log.ts"
import { Stop } from "../shared/stop.ts"
import { isHeldBack } from "./drain.ts"
import { mostPipelined } from "./limits.ts"

/** Time for which a connection may stay idle while the server stops, in milliseconds. */
const idleTime = 1000
/**
 * Time for which a request whose headers have arrived in part may stall then: enough to send lost packets
 * again.
 */
const stallTime = 5000
/**
 * Number of connections that can wait to be accepted (node:net's `backlog`). It limits how long new clients
 * are accepted; a time limit would be too short on a busy machine.
 */
const backlog = 511
/**
 * Times in milliseconds: a connection that was closed so recently was of a client that may connect again at once, and for so
 * long the server waits for it. Without this wait the clients of the last answers connect just when the port is closed.
 */
const recently = 100
const round = 5
/** Interval between checks of the connections, in milliseconds. */
const interval = 100

/** A connection: its latest response, and the time since which it is idle. */
interface Connection {
  answer: ServerResponse | undefined
  /** Number of requests that wait for the response to an earlier one (pipelining). */
  waiting: number
  /** Number of bytes read at the last check. */
  bytes: number
  idleSince: number
  /** True for a TLS connection whose handshake is not complete. */
  readonly isHandshake: boolean
}

/** The connections of a server, and their end. */
export class Connections extends Stop {
  readonly #open = new Map<Socket, Connection>()
  /** The connections whose TLS handshake is not complete, by the address and port of the client. */
  readonly #handshakes = new Map<string, Socket>()
  readonly #server: HttpServer
  readonly #refuse: (socket: Socket) => void
  #accepted = 0
  #lastClosed = Number.NEGATIVE_INFINITY
  /** Sends the answers that wait until the server has stopped to listen; undefined before and after. */
  #held: (() => void)[] | undefined

  /**
   * Tracks a server's connections.
   *
   * @param refuse answers a request that stalls half-way, and closes its connection.
   */
  constructor(server: HttpServer, refuse: (socket: Socket) => void) {
    super()
    // The whole server has one signal. Every event stream and WebSocket listens to it until it ends, which is
    // not a leak.
    setMaxListeners(0, this.leaving)
    this.#server = server
    this.#refuse = refuse
    const isTLS = "setSecureContext" in server
    // With HTTPS, requests only know the decrypted connection. Before the handshake there is only the other one, and its
    // client may never say anything.
    server.on("connection", (socket: Socket) => {
      this.#accepted += 1
      this.#add(socket, isTLS)
    })
    if (isTLS) server.on("secureConnection", (socket: Socket) => this.#add(socket, false))
  }

  #add(socket: Socket, isHandshake: boolean): void {
    // Nothing else tells which of both belong together.
    const peer = `${socket.remoteAddress} ${socket.remotePort}`
    const before = this.#handshakes.get(peer)
    if (before) this.#open.delete(before)
    if (isHandshake) this.#handshakes.set(peer, socket)
    else this.#handshakes.delete(peer)
    this.#open.set(socket, { answer: undefined, waiting: 0, bytes: 0, idleSince: 0, isHandshake })
    socket.once("close", () => {
      this.#open.delete(socket)
      if (this.#handshakes.get(peer) === socket) this.#handshakes.delete(peer)
      this.#lastClosed = performance.now()
    })
  }

  /**
   * Records the response of a connection. Returns false if too many requests wait on it: the connection is
   * closed, and the request is not answered. A client may reconnect and send it again (RFC 9112 §9.3.2).
   */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const connection = this.#open.get(incoming.socket)
    if (!connection) return true
    const before = connection.answer
    connection.answer = outgoing
    if (!before || before.writableFinished) return true
    if (connection.waiting >= mostPipelined) {
      incoming.socket.destroy()
      return false
    }
    connection.waiting += 1
    outgoing.once("close", () => {
      connection.waiting -= 1
    })
    return true
  }

  override get running(): number {
    return this.#unanswered().length
  }

  #unanswered(): ServerResponse[] {
    return [...this.#open.values()].map(({ answer }) => answer).filter(isRunning)
  }

  /** True while the server is about to stop to listen. */
  get holds(): boolean {
    return this.#held !== undefined
  }

  /** Sends an answer later, when the server has stopped to listen: a client that has its answer may connect again. */
  hold(send: () => void): void {
    this.#held?.push(send)
  }

  /**
   * Returns true if a response, before it is written, is the last of its connection. If another request waits
   * behind it (pipelining), it is not: the client sent that before it could know, so it gets its response,
   * and the last one has `Connection: close`.
   */
  isLast(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (!this.closing) return false
    const connection = this.#open.get(incoming.socket)
    return !connection || connection.answer === outgoing
  }

  protected override async close(): Promise<void> {
    this.#held = []
    await this.unlessCut(this.#takeIn())
    const closed = new Promise<void>((resolve) => {
      // node:http's own close() resets idle connections at once, even while a request is arriving.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    await this.unlessCut(this.arrivals.end())
    const held = this.#held
    this.#held = undefined
    for (const send of held) send()
    const reaper = setInterval(() => this.#reap(performance.now()), interval)
    try {
      await untilAborted(closed, this.cut.signal)
    } finally {
      clearInterval(reaper)
      this.cutOff = this.#unanswered().map(nameOf)
      for (const socket of this.#open.keys()) socket.destroy()
      // Stops node:http's timer for timeouts. The error that the server is closed is expected.
      this.#server.close(() => {})
    }
  }

  /**
   * Accepts the connections that the kernel has already opened, because closing the listening socket would
   * reset them with their requests. libuv accepts one per turn of its loop, so a busy server may have many
   * waiting; a turn without one is the end. No answer is sent meanwhile, or else its client would connect again.
   */
  async #takeIn(): Promise<void> {
    const first = this.#accepted
    let before = -1
    for (let turns = 0; turns < 2 || (before !== this.#accepted && before - first < backlog); turns++) {
      before = this.#accepted
      const isRecent = performance.now() - this.#lastClosed < recently
      if (isRecent) await new Promise((resolve) => setTimeout(resolve, round))
      await this.arrivals.next()
    }
  }

  /** Closes connections that have been idle for a second, neither sending nor receiving. */
  #reap(now: number): void {
    let recent = false
    for (const [socket, connection] of this.#open) {
      const { answer, bytes, idleSince, isHandshake } = connection
      const busy = isRunning(answer) || isHeldBack(socket)
      if (busy || socket.bytesRead !== bytes || idleSince === 0) {
        connection.bytes = socket.bytesRead
        connection.idleSince = now
        recent ||= !busy
      } else if (now - idleSince < idleTime) recent = true
      else if (bytes === 0 || isHandshake) socket.destroy()
      else if (now - idleSince >= stallTime) this.#refuse(socket)
    }
    // Only node:http knows if a part of a request has arrived, and keeps such connections open. It does not
    // know how long they were idle, so this waits for the last one.
    if (!recent) this.#server.closeIdleConnections()
  }
}

function isRunning(answer: ServerResponse | undefined): answer is ServerResponse {
  return answer !== undefined && !answer.writableFinished && !answer.destroyed
}

/** Returns the method and the path of a request. A query may have secrets. */
function nameOf({ req: { method, url = "" } }: ServerResponse): string {
  return `${method} ${word(url.replace(/[?#][\s\S]*$/, ""))}`
}
