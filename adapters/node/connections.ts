/** Graceful shutdown of a node:http server. */
import { setMaxListeners } from "node:events"
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { waitUntilAborted } from "../../lib/lifecycle/shutdown-functions.ts"
import { escapeWord } from "../../lib/log/text-log.ts"
import { GracefulStop } from "../shared/graceful-stop.ts"
import { maxPipelinedRequests } from "./limits.ts"
import { isHeldBack } from "./unread-body.ts"

/** Time for which a connection may stay idle while the server stops, in milliseconds. */
const idleTimeoutMs = 1000
/**
 * Time for which a request whose headers have arrived in part may stall then: enough to send lost packets
 * again.
 */
const stallTimeoutMs = 5000
/**
 * Number of connections that can wait to be accepted (node:net's `backlog`). It limits how long new clients
 * are accepted; a time limit would be too short on a busy machine.
 */
const maxBacklog = 511
/**
 * Times in milliseconds: a connection that was closed so recently was of a client that may connect again at once, and for so
 * long the server waits for it. Without this wait the clients of the last answers connect just when the port is closed.
 */
const recentMs = 100
const acceptPauseMs = 5
/** Interval between checks of the connections, in milliseconds. */
const reapIntervalMs = 100

/** A connection: its latest response, and the time since which it is idle. */
interface Connection {
  response: ServerResponse | undefined
  /** Number of requests that wait for the response to an earlier one (pipelining). */
  pipelinedCount: number
  /** Number of bytes read at the last check. */
  bytes: number
  idleSince: number
  /** True for a TLS connection whose handshake is not complete. */
  readonly isHandshake: boolean
}

/** The connections of a server, and their end. */
export class Connections extends GracefulStop {
  readonly #open = new Map<Socket, Connection>()
  /** The connections whose TLS handshake is not complete, by the address and port of the client. */
  readonly #handshakes = new Map<string, Socket>()
  readonly #server: HttpServer
  readonly #refuse: (socket: Socket) => void
  #acceptedCount = 0
  #lastCloseTime = Number.NEGATIVE_INFINITY
  /** Sends the answers that wait until the server has stopped to listen; undefined before and after. */
  #heldResponses: (() => void)[] | undefined

  /**
   * Tracks a server's connections.
   *
   * @param refuse answers a request that stalls half-way, and closes its connection.
   */
  constructor(server: HttpServer, refuse: (socket: Socket) => void) {
    super()
    // The whole server has one signal. Every event stream and WebSocket listens to it until it ends, which is
    // not a leak.
    setMaxListeners(0, this.stopSignal)
    this.#server = server
    this.#refuse = refuse
    const isTLS = "setSecureContext" in server
    // With HTTPS, requests only know the decrypted connection. Before the handshake there is only the other one, and its
    // client may never say anything.
    server.on("connection", (socket: Socket) => {
      this.#acceptedCount += 1
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
    this.#open.set(socket, { response: undefined, pipelinedCount: 0, bytes: 0, idleSince: 0, isHandshake })
    socket.once("close", () => {
      this.#open.delete(socket)
      if (this.#handshakes.get(peer) === socket) this.#handshakes.delete(peer)
      this.#lastCloseTime = performance.now()
    })
  }

  /**
   * Records the response of a connection. Returns false if too many requests wait on it: the connection is
   * closed, and the request is not answered. A client may reconnect and send it again (RFC 9112 §9.3.2).
   */
  beginResponse(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const connection = this.#open.get(incoming.socket)
    if (!connection) return true
    const before = connection.response
    connection.response = outgoing
    if (!before || before.writableFinished) return true
    if (connection.pipelinedCount >= maxPipelinedRequests) {
      incoming.socket.destroy()
      return false
    }
    connection.pipelinedCount += 1
    outgoing.once("close", () => {
      connection.pipelinedCount -= 1
    })
    return true
  }

  override get running(): number {
    return this.#unanswered().length
  }

  #unanswered(): ServerResponse[] {
    return [...this.#open.values()].map(({ response: answer }) => answer).filter(isRunning)
  }

  /** True while the server is about to stop to listen. */
  get isHolding(): boolean {
    return this.#heldResponses !== undefined
  }

  /** Sends an answer later, when the server has stopped to listen: a client that has its answer may connect again. */
  hold(send: () => void): void {
    this.#heldResponses?.push(send)
  }

  /**
   * Returns true if a response, before it is written, is the last of its connection. If another request waits
   * behind it (pipelining), it is not: the client sent that before it could know, so it gets its response,
   * and the last one has `Connection: close`.
   */
  isLast(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (!this.isClosing) return false
    const connection = this.#open.get(incoming.socket)
    return !connection || connection.response === outgoing
  }

  protected override async close(): Promise<void> {
    this.#heldResponses = []
    await this.waitUnlessForced(this.#acceptPending())
    const closed = new Promise<void>((resolve) => {
      // node:http's own close() resets idle connections at once, even while a request is arriving.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    await this.waitUnlessForced(this.connectionWaits.end())
    const heldResponses = this.#heldResponses
    this.#heldResponses = undefined
    for (const send of heldResponses) send()
    const reaper = setInterval(() => this.#closeIdle(performance.now()), reapIntervalMs)
    try {
      await waitUntilAborted(closed, this.forceController.signal)
    } finally {
      clearInterval(reaper)
      this.unfinishedRequests = this.#unanswered().map(formatRequest)
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
  async #acceptPending(): Promise<void> {
    const first = this.#acceptedCount
    let before = -1
    for (let turns = 0; turns < 2 || (before !== this.#acceptedCount && before - first < maxBacklog); turns++) {
      before = this.#acceptedCount
      const isRecent = performance.now() - this.#lastCloseTime < recentMs
      if (isRecent) await new Promise((resolve) => setTimeout(resolve, acceptPauseMs))
      await this.connectionWaits.next()
    }
  }

  /** Closes connections that have been idle for a second, neither sending nor receiving. */
  #closeIdle(now: number): void {
    let hasRecent = false
    for (const [socket, connection] of this.#open) {
      const { response: answer, bytes, idleSince, isHandshake } = connection
      const isBusy = isRunning(answer) || isHeldBack(socket)
      if (isBusy || socket.bytesRead !== bytes || idleSince === 0) {
        connection.bytes = socket.bytesRead
        connection.idleSince = now
        hasRecent ||= !isBusy
      } else if (now - idleSince < idleTimeoutMs) hasRecent = true
      else if (bytes === 0 || isHandshake) socket.destroy()
      else if (now - idleSince >= stallTimeoutMs) this.#refuse(socket)
    }
    // Only node:http knows if a part of a request has arrived, and keeps such connections open. It does not
    // know how long they were idle, so this waits for the last one.
    if (!hasRecent) this.#server.closeIdleConnections()
  }
}

function isRunning(answer: ServerResponse | undefined): answer is ServerResponse {
  return answer !== undefined && !answer.writableFinished && !answer.destroyed
}

/** Returns the method and the path of a request. A query may have secrets. */
function formatRequest({ req: { method, url = "" } }: ServerResponse): string {
  return `${method} ${escapeWord(url.replace(/[?#][\s\S]*$/, ""))}`
}
