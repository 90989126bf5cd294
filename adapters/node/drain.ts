/** What becomes of a body that the program has not read, and of the connection that it blocks. Called by `node-send.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { NodeExchange } from "./exchange.ts"

/** Time for which a closing connection is still read, in milliseconds: long enough for the answer to reach who is sending. */
const lingerTime = 1000

/**
 * Drains what the program does not read: at once if it never asked for the body, else once its answer is out. Called
 * before the head is written.
 *
 * @param limit bytes that are read and thrown away.
 * @param streams the answer is a stream, which may read the body yet.
 */
export function leaveBody(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
  streams: boolean,
): void {
  outgoing.once("finish", () => answered.set(incoming.socket, incoming))
  const wanted = exchange.bodyTouched && !exchange.overflowed
  if (wanted && streams) exchange.begin()
  // A client that was not asked for its body may send it all the same, or not: nobody can tell what comes next (RFC 9110 §10.1.1).
  if (exchange.unasked || exchange.overflowed || Number(incoming.headers["content-length"] ?? 0) > limit) {
    outgoing.shouldKeepAlive = false
    linger(incoming.socket)
  }
  if (!wanted) {
    drain(incoming, outgoing, limit)
    return
  }
  outgoing.once("finish", () => {
    if (!incoming.complete && !incoming.destroyed) drain(incoming, outgoing, limit)
  })
}

const answered = new WeakMap<Socket, IncomingMessage>()

/** Whether the request that a connection is in the midst of has had its answer. */
export function isAnswered(socket: Socket): boolean {
  return answered.get(socket)?.complete === false
}

/**
 * Reads the rest of a body, so that the connection can be used again. A client that sends more than the limit loses the
 * connection instead, after the answer.
 */
function drain(incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  let left = limit
  const take = (chunk: Buffer) => {
    left -= chunk.byteLength
    if (left >= 0) return
    incoming.off("data", take)
    incoming.pause()
    const { socket } = incoming
    if (outgoing.writableFinished) endGently(socket)
    else outgoing.once("finish", () => endGently(socket))
  }
  incoming.on("data", take)
  incoming.resume()
}

const ending = new WeakSet<Socket>()

/** Whether a connection is being closed by {@link endGently}. */
export function isEnding(socket: Socket): boolean {
  return ending.has(socket)
}

/**
 * Closes a connection in two steps: no more is sent, and for a while what comes is still read and thrown away. Closed at
 * once, with bytes unread, it would be reset, and the reset can overtake the answer (RFC 9112 §9.6).
 */
export function endGently(socket: Socket, text?: string): void {
  if (ending.has(socket)) return
  ending.add(socket)
  last.add(socket)
  if (text === undefined) socket.end()
  else socket.end(text)
  const timer = setTimeout(() => socket.destroy(), lingerTime)
  socket.once("close", () => clearTimeout(timer))
}

const last = new WeakSet<Socket>()

/**
 * Whether the last request of a connection has come, so that what follows must not be answered or run (RFC 9112 §9.6):
 * node:http reads on while the answer is sent, and a refused body can hold what looks like another request.
 */
export function hadLast(socket: Socket): boolean {
  return last.has(socket)
}

/** Takes the request in turn for the last one of its connection, which node:http then closes gently, where it would call `destroySoon()`. */
export function linger(socket: Socket): void {
  last.add(socket)
  socket.destroySoon = () => endGently(socket)
}
