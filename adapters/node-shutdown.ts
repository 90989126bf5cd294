/** Graceful shutdown of a node:http server. Used by `node.ts`. */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"

/** How long a connection may stay idle once the server stops, in milliseconds. */
const idleTime = 1000
/** How often connections are looked at meanwhile, in milliseconds. */
const interval = 100

/** One connection: its latest answer, and since when it has been idle. */
interface Connection {
  answer: ServerResponse | undefined
  bytes: number
  idleSince: number
}

/** The connections of a server, and the end of them. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  /** Every answer from now on closes its connection. */
  closing = false

  /** Follows a server's connections. */
  watch(server: HttpServer): void {
    server.on("connection", (socket) => {
      this.#open.set(socket, { answer: undefined, bytes: 0, idleSince: 0 })
      socket.once("close", () => this.#open.delete(socket))
    })
  }

  /** Notes the answer that a connection is busy with. */
  answering(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const connection = this.#open.get(incoming.socket)
    if (connection) connection.answer = outgoing
  }

  /** Stops a server; resolves when its last connection is closed. Rejects with the signal's reason, everything closed, when that fires first. */
  async shutdown(server: HttpServer, signal: AbortSignal | undefined): Promise<void> {
    this.closing = true
    const closed = new Promise<void>((resolve) => {
      // node:http's own close() resets idle connections at once, also those on which a request is arriving.
      NetServer.prototype.close.call(server, () => resolve())
    })
    const reaper = setInterval(() => this.#reap(performance.now()), interval)
    try {
      await (signal ? Promise.race([closed, aborted(signal)]) : closed)
    } finally {
      clearInterval(reaper)
      for (const socket of this.#open.keys()) socket.destroy()
      server.closeAllConnections()
    }
  }

  /** Closes the connections that have been idle for a second: neither answering nor receiving. */
  #reap(now: number): void {
    for (const [socket, connection] of this.#open) {
      const busy = connection.answer && !connection.answer.writableFinished && !connection.answer.destroyed
      if (busy || socket.bytesRead !== connection.bytes || connection.idleSince === 0) {
        connection.bytes = socket.bytesRead
        connection.idleSince = now
      } else if (now - connection.idleSince >= idleTime) socket.destroy()
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
