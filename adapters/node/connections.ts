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
 * Time for which a request with incomplete headers may stall while the server stops, in milliseconds: enough to resend
 * lost packets.
 */
const stallTimeoutMs = 5000
/**
 * Number of connections that can wait to be accepted (node:net's `backlog`). While the server stops, this number limits
 * how long new clients are accepted; a time limit would be too short on a busy machine.
 */
const maxBacklog = 511
/**
 * Milliseconds after a connection has closed in which its client may connect again. The server waits for this long
 * before it closes its port. Otherwise the clients of the last answers would connect just when the port is closed.
 */
const recentMs = 100
const acceptPauseMs = 5
/** Interval between checks of the connections, in milliseconds. */
const reapIntervalMs = 100

/** A connection: its latest response, and since when it has been idle. */
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
  /** Functions that send the answers held back until the server has stopped listening; undefined before and after that. */
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
    // With HTTPS, requests know only the decrypted connection. Before the handshake only the encrypted one exists, and
    // its client may never send anything.
    server.on("connection", (socket: Socket) => {
      this.#acceptedCount += 1
      this.#add(socket, isTLS)
    })
    if (isTLS) server.on("secureConnection", (socket: Socket) => this.#add(socket, false))
  }

  #add(socket: Socket, isHandshake: boolean): void {
    // Nothing else shows which two connections belong together.
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

  /** True while the server is about to stop listening. */
  get isHolding(): boolean {
    return this.#heldResponses !== undefined
  }

  /** Sends an answer later, when the server has stopped listening: a client that has its answer may connect again. */
  hold(send: () => void): void {
    this.#heldResponses?.push(send)
  }

  /**
   * Returns true if a response that is not written yet is the last one of its connection. It is not if another request
   * waits behind it (pipelining): the client sent that request before it could know, so it gets its response, and the
   * last response has `Connection: close`.
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
   * Accepts the connections that the kernel has already opened, because closing the listening socket would reset them
   * with their requests. libuv accepts one per turn of its loop, so a busy server may have many waiting; a turn that
   * accepts none is the end. No answer is sent meanwhile, because its client would connect again.
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
    // Only node:http knows whether part of a request has arrived, and it keeps such connections open. It does not know
    // how long connections have been idle, so this waits until none was active recently.
    if (!hasRecent) this.#server.closeIdleConnections()
  }
}

function isRunning(answer: ServerResponse | undefined): answer is ServerResponse {
  return answer !== undefined && !answer.writableFinished && !answer.destroyed
}

/** Returns the method and the path of a request. The query is left out, because it may contain secrets. */
function formatRequest({ req: { method, url = "" } }: ServerResponse): string {
  return `${method} ${escapeWord(url.replace(/[?#][\s\S]*$/, ""))}`
}
