/** Handles bodies that the program has not read, which block their connection. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { NodeExchange } from "./exchange.ts"

/**
 * Time for which a closing connection is still read, in milliseconds: long enough for the response to reach a
 * client that is sending.
 */
const lingerTime = 1000

/**
 * Discards a body that the program does not read: at once if it never asked for the body, otherwise after the
 * response. Call it before writing the head.
 *
 * @param limit number of bytes to read and discard.
 * @param streams true if the response is a stream, which may still read the body.
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
  // A client that was not asked for its body may or may not send it, so the next bytes are ambiguous (RFC
  // 9110 §10.1.1).
  if (
    exchange.isBodyUnrequested ||
    exchange.overflowed ||
    Number(incoming.headers["content-length"] ?? 0) > limit
  ) {
    outgoing.shouldKeepAlive = false
    linger(incoming.socket)
  }
  if (!wanted) {
    exchange.isDiscarded = true
    drain(incoming, outgoing, limit)
    return
  }
  outgoing.once("finish", () => {
    if (incoming.complete || incoming.destroyed) return
    exchange.isDiscarded = true
    drain(incoming, outgoing, limit)
  })
}

const answered = new WeakMap<Socket, IncomingMessage>()

/** Returns true if the current request of a connection has its response. */
export function isAnswered(socket: Socket): boolean {
  return answered.get(socket)?.complete === false
}

/**
 * Reads the rest of a body, so that the connection can be used again. If a client sends more than the limit,
 * the connection is closed after the response.
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

/** Returns true if {@link endGently} is closing a connection. */
export function isEnding(socket: Socket): boolean {
  return ending.has(socket)
}

/**
 * Closes a connection in two steps: it stops sending, and for a while still reads and discards data. If it
 * were closed at once, with unread bytes, it would be reset, and the reset can overtake the response (RFC
 * 9112 §9.6).
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
 * Returns true if the last request of a connection has arrived, so that no further one may run (RFC 9112
 * §9.6): node:http continues reading during the response, and a refused body can contain text that looks like
 * another request.
 */
export function hadLast(socket: Socket): boolean {
  return last.has(socket)
}

/**
 * Makes the current request the last one of its connection, which node:http then closes in two steps where it
 * would call `destroySoon()`.
 */
export function linger(socket: Socket): void {
  last.add(socket)
  socket.destroySoon = () => endGently(socket)
}
