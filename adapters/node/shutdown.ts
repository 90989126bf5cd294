/** Graceful shutdown of a node:http server. Used by `node.ts`. */
import { setMaxListeners } from "node:events"
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { aborted, Stop } from "../shared/stop.ts"
import { mostPipelined } from "./limits.ts"

/** How long a connection may stay idle once the server stops, in milliseconds. */
const idleTime = 1000
/** How long a request whose headers are half sent may stall then: packets that were lost are sent again within that. */
const stallTime = 5000
/** How many connections can wait to be accepted (node:net's `backlog`). Clients that keep coming end it there; a time would be over too soon on a busy machine. */
const backlog = 511
/** How often connections are looked at meanwhile, in milliseconds. */
const interval = 100

/** One connection: its latest answer, and since when it has been idle. */
interface Connection {
  answer: ServerResponse | undefined
  /** Requests that came while the one before them was not answered yet (pipelining). */
  waiting: number
  /** Bytes read when they were last looked at. */
  bytes: number
  idleSince: number
}

/** The connections of a server, and the end of them. */
export class Connections extends Stop {
  readonly #open = new Map<Socket, Connection>()
  readonly #server: HttpServer
  readonly #refuse: (socket: Socket) => void
  #accepted = 0

  /**
   * Follows a server's connections.
   *
   * @param refuse answers a request that stalls half-way, and closes its connection.
   */
  constructor(server: HttpServer, refuse: (socket: Socket) => void) {
    super()
    // One signal for the whole server: every event stream and WebSocket listens until it ends, which is no leak.
    setMaxListeners(0, this.leaving)
    this.#server = server
    this.#refuse = refuse
    // With HTTPS, requests know the decrypted connection alone.
    const event = "setSecureContext" in server ? "secureConnection" : "connection"
    server.on(event, (socket: Socket) => {
      this.#accepted += 1
      this.#open.set(socket, { answer: undefined, waiting: 0, bytes: 0, idleSince: 0 })
      socket.once("close", () => this.#open.delete(socket))
    })
  }

  /**
   * Notes the answer that a connection is busy with. False where too many requests wait on it already: the connection is
   * closed, and the request is not to be answered. A client may close and send again (RFC 9112 §9.3.2).
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

  /**
   * Whether an answer, about to be written, is the last of its connection. One with a request waiting behind it
   * (pipelining) is not: the client was not told when it wrote that, so it gets its answer, and the last one says
   * `Connection: close`.
   */
  isLast(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (!this.closing) return false
    const connection = this.#open.get(incoming.socket)
    return !connection || connection.answer === outgoing
  }

  protected override async close(): Promise<void> {
    await this.#takeIn()
    const closed = new Promise<void>((resolve) => {
      // node:http's own close() resets idle connections at once, also those on which a request is arriving.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    const reaper = setInterval(() => this.#reap(performance.now()), interval)
    try {
      await Promise.race([closed, aborted(this.cut.signal)])
    } finally {
      clearInterval(reaper)
      for (const socket of this.#open.keys()) socket.destroy()
      // Ends the timer that node:http looks for timeouts with; it reports that the server is closed, which is known.
      this.#server.close(() => {})
    }
  }

  /**
   * Accepts the connections that the kernel has made already: closing the listening socket would reset them, requests
   * and all. libuv accepts one a turn of its loop, so that a busy server has many waiting; a turn without one is the end.
   */
  async #takeIn(): Promise<void> {
    const first = this.#accepted
    let before = -1
    for (let turns = 0; turns < 2 || (before !== this.#accepted && before - first < backlog); turns++) {
      before = this.#accepted
      await new Promise(setImmediate)
    }
  }

  /** Closes the connections that have been idle for a second: neither answering nor receiving. */
  #reap(now: number): void {
    let recent = false
    for (const [socket, connection] of this.#open) {
      const { answer, bytes, idleSince } = connection
      const busy = answer && !answer.writableFinished && !answer.destroyed
      if (busy || socket.bytesRead !== bytes || idleSince === 0) {
        connection.bytes = socket.bytesRead
        connection.idleSince = now
        recent ||= !busy
      } else if (now - idleSince < idleTime) recent = true
      else if (bytes === 0) socket.destroy()
      else if (now - idleSince >= stallTime) this.#refuse(socket)
    }
    // Only node:http knows whether a part of a request has come, and leaves such connections open. It knows nothing of
    // the second, so that it must wait until the last idle one has had it.
    if (!recent) this.#server.closeIdleConnections()
  }
}
