/** Tracks the connections of a node:http server, and stops the server gracefully. */
import { setMaxListeners } from "node:events"
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { waitUntilAborted } from "../../lib/lifecycle/shutdown-functions.ts"
import { escapeWord } from "../../lib/log/text-log.ts"
import { GracefulStop } from "../shared/graceful-stop.ts"
import { maxPipelinedRequests } from "./limits.ts"
import { waitsForBackgroundWork } from "./unread-body.ts"

/** Milliseconds after which an idle connection is closed while the server stops. */
const idleTimeoutMs = 1000
/**
 * Milliseconds for which a request with incomplete headers may stall while the server stops. That is long enough to
 * send lost packets again.
 */
const stallTimeoutMs = 5000
/**
 * Maximum number of connections that the system keeps until they are accepted (`backlog` of node:net). While the server
 * stops, it accepts at most this many more. A time limit would be too short on a busy machine.
 */
const maxBacklog = 511
/**
 * Milliseconds for which the server keeps its port open after a connection was closed. Otherwise a client that has just
 * got an answer could connect again at the moment when the port closes.
 */
const reconnectMs = 100
const acceptPauseMs = 5
/** Milliseconds between two checks of the connections. */
const reapIntervalMs = 100

/** The state of a connection. */
interface Connection {
  response: ServerResponse | undefined
  /** Number of requests that wait until an earlier one is answered (pipelining). */
  pipelinedCount: number
  /** Number of bytes that had been read at the last check. */
  bytesRead: number
  /** The time of the last check at which the connection was active, from `performance.now()`; 0 before the first check. */
  idleSince: number
  /** True for a TLS connection before its handshake is complete. */
  readonly isHandshake: boolean
}

/** The open connections of a server. Closes them when the server stops. */
export class Connections extends GracefulStop {
  readonly #open = new Map<Socket, Connection>()
  /** TLS connections before their handshake, by the address and port of the client. */
  readonly #handshakes = new Map<string, Socket>()
  readonly #server: HttpServer
  readonly #refuse: (socket: Socket) => void
  #acceptedCount = 0
  #lastCloseTime = Number.NEGATIVE_INFINITY
  /**
   * Functions that send the answers which are held back until the server has stopped listening. Undefined at all other
   * times.
   */
  #heldResponses: (() => void)[] | undefined

  /**
   * Tracks a server's connections.
   *
   * @param refuse answers a request that stalls before it is complete, and closes its connection.
   */
  constructor(server: HttpServer, refuse: (socket: Socket) => void) {
    super()
    // All event streams and WebSockets of the server listen to this one signal until they end. Node must not report
    // that as a leak.
    setMaxListeners(0, this.stopSignal)
    this.#server = server
    this.#refuse = refuse
    const isTLS = "setSecureContext" in server
    // With HTTPS, requests know only the decrypted connection. Before the handshake there is only the encrypted one,
    // and its client may never send anything. So both must be tracked.
    server.on("connection", (socket: Socket) => {
      this.#acceptedCount += 1
      this.#add(socket, isTLS)
    })
    if (isTLS) server.on("secureConnection", (socket: Socket) => this.#add(socket, false))
  }

  #add(socket: Socket, isHandshake: boolean): void {
    // The client's address and port are the only way to find the encrypted connection that belongs to a decrypted one.
    const peer = `${socket.remoteAddress} ${socket.remotePort}`
    const handshakeSocket = this.#handshakes.get(peer)
    if (handshakeSocket) this.#open.delete(handshakeSocket)
    if (isHandshake) this.#handshakes.set(peer, socket)
    else this.#handshakes.delete(peer)
    this.#open.set(socket, { response: undefined, pipelinedCount: 0, bytesRead: 0, idleSince: 0, isHandshake })
    socket.once("close", () => {
      this.#open.delete(socket)
      if (this.#handshakes.get(peer) === socket) this.#handshakes.delete(peer)
      this.#lastCloseTime = performance.now()
    })
  }

  /**
   * Records that a request on a connection is being answered. Returns false if too many requests wait on the
   * connection. It is then closed without an answer, so that the client may connect and send them again (RFC 9112
   * §9.3.2).
   */
  beginResponse(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const connection = this.#open.get(incoming.socket)
    if (!connection) return true
    const previous = connection.response
    connection.response = outgoing
    if (!previous || previous.writableFinished) return true
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

  override get runningCount(): number {
    return this.#listUnanswered().length
  }

  #listUnanswered(): ServerResponse[] {
    return [...this.#open.values()].map(({ response: answer }) => answer).filter(isRunning)
  }

  /** True while answers are held back. */
  get isHolding(): boolean {
    return this.#heldResponses !== undefined
  }

  /**
   * Sends an answer after the server has stopped listening. A client that has its answer may connect again, which must
   * not succeed any more.
   */
  holdResponse(send: () => void): void {
    this.#heldResponses?.push(send)
  }

  /**
   * Returns true if an answer is the last one on its connection. It is not the last if another request waits behind it
   * (pipelining). The client had sent that request before it could know of the stop, so it gets an answer, and only the
   * last answer has `Connection: close`.
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
      // close() of node:http would reset idle connections at once, even while a request is arriving.
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
      this.unfinishedRequests = this.#listUnanswered().map(formatRequest)
      for (const socket of this.#open.keys()) socket.destroy()
      // `close()` stops the timer with which node:http checks timeouts. It also reports that the server is already
      // closed, which is expected.
      this.#server.close(() => {})
    }
  }

  /**
   * Accepts the connections that the system has already opened. Closing the listening socket would reset them, and
   * their requests would be lost. libuv accepts one connection per turn of its loop, so a busy server may have many. A
   * turn without a new connection means that there are no more. Answers are held back in this time, because their
   * clients would connect again.
   */
  async #acceptPending(): Promise<void> {
    const firstCount = this.#acceptedCount
    let lastCount = -1
    for (
      let turns = 0;
      turns < 2 || (lastCount !== this.#acceptedCount && lastCount - firstCount < maxBacklog);
      turns++
    ) {
      lastCount = this.#acceptedCount
      const mayReconnect = performance.now() - this.#lastCloseTime < reconnectMs
      if (mayReconnect) await new Promise((resolve) => setTimeout(resolve, acceptPauseMs))
      await this.connectionWaits.next()
    }
  }

  /** Closes connections that have been idle for {@link idleTimeoutMs}, or stalled for {@link stallTimeoutMs}. */
  #closeIdle(now: number): void {
    let wasAnyActive = false
    for (const [socket, connection] of this.#open) {
      const { response: answer, bytesRead, idleSince, isHandshake } = connection
      const isBusy = isRunning(answer) || waitsForBackgroundWork(socket)
      if (isBusy || socket.bytesRead !== bytesRead || idleSince === 0) {
        connection.bytesRead = socket.bytesRead
        connection.idleSince = now
        wasAnyActive ||= !isBusy
      } else if (now - idleSince < idleTimeoutMs) wasAnyActive = true
      else if (bytesRead === 0 || isHandshake) socket.destroy()
      else if (now - idleSince >= stallTimeoutMs) this.#refuse(socket)
    }
    // Only node:http knows whether a part of a request has arrived, and it keeps such connections open. But it does not
    // know how long a connection has been idle. So this waits until no connection was active recently.
    if (!wasAnyActive) this.#server.closeIdleConnections()
  }
}

function isRunning(answer: ServerResponse | undefined): answer is ServerResponse {
  return answer !== undefined && !answer.writableFinished && !answer.destroyed
}

/** Returns the method and the path of a request. The query is left out, because it may contain secrets. */
function formatRequest({ req: { method, url = "" } }: ServerResponse): string {
  return `${method} ${escapeWord(url.replace(/[?#][\s\S]*$/, ""))}`
}

/**
 * Functions to call when a connection closes. With this map, each connection needs one listener, however many responses
 * wait on it.
 */
const closeCallbacks = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls a function once if the connection closes before the response is sent. node:http reports that only to the
 * current response. A response that waits behind it (pipelining, RFC 9112 §9.3.2) has no socket yet, and would never
 * learn of it.
 */
export function onClientGone(incoming: IncomingMessage, outgoing: ServerResponse, callback: () => void): void {
  if (outgoing.socket) {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) callback()
    })
    return
  }
  const callbacks = getCloseCallbacks(incoming.socket)
  callbacks.add(callback)
  outgoing.once("finish", () => callbacks.delete(callback))
}

function getCloseCallbacks(socket: Socket): Set<() => void> {
  const callbacks = closeCallbacks.get(socket)
  if (callbacks) return callbacks
  const newCallbacks = new Set<() => void>()
  closeCallbacks.set(socket, newCallbacks)
  socket.once("close", () => {
    for (const callback of newCallbacks) callback()
  })
  return newCallbacks
}

/** Returns true if a response cannot reach its client any more. */
export function isClientGone(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  return outgoing.destroyed || incoming.socket.destroyed
}
