/** Handles bodies that the program has not read, which block their connection. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { NodeExchange } from "./exchange.ts"
import { notAwaited } from "./parsed.ts"

/**
 * Time for which a closing connection is still read, in milliseconds: long enough for the response to reach a
 * client that is sending.
 */
const lingerTime = 1000

/**
 * Arranges for a body that the program has not read when it answers. Work of `c.waitUntil()` reads it at its own pace, up to
 * the limit of the route. Without such work it is discarded: at once if the program never asked for it, otherwise after the
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
  const { socket } = incoming
  const wanted = exchange.bodyTouched && !exchange.overflowed
  const isHeld = wanted && exchange.isReading
  outgoing.once("finish", () => {
    answered.set(socket, incoming)
    if (incoming.complete) return
    // node:http tells only a request without a response that its connection has closed.
    const gone = () => incoming.complete || incoming.destroy()
    socket.once("close", gone)
    incoming.once("end", () => socket.off("close", gone))
  })
  if (wanted && (streams || isHeld)) exchange.begin()
  // A client that was not asked for its body may or may not send it, so the next bytes are ambiguous (RFC
  // 9110 §10.1.1).
  if (
    exchange.isBodyUnrequested ||
    exchange.overflowed ||
    (!isHeld && Number(incoming.headers["content-length"] ?? 0) > limit)
  ) {
    outgoing.shouldKeepAlive = false
    linger(socket)
  }
  if (!isHeld && !outgoing.shouldKeepAlive) exchange.cutOff = notAwaited()
  const discard = () => {
    release(socket)
    if (incoming.complete || incoming.destroyed) return
    exchange.isDiscarded = true
    if (exchange.overflowed && outgoing.writableFinished) endGently(socket)
    else drain(exchange, incoming, outgoing, limit)
  }
  if (!wanted) return void discard()
  // Otherwise node:http would throw away, after the response, what nobody has begun to read.
  incoming.read(0)
  if (!isHeld) return void outgoing.once("finish", discard)
  held.set(socket, incoming)
  incoming.once("end", () => release(socket))
  socket.destroySoon = () => endGently(socket)
  outgoing.once("finish", () => exchange.afterWork(discard))
}

const answered = new WeakMap<Socket, IncomingMessage>()

/** Returns true if the current request of a connection has its response. */
export function isAnswered(socket: Socket): boolean {
  return answered.get(socket)?.complete === false
}

/** Connections whose body is still read by work of `c.waitUntil()`. */
const held = new WeakMap<Socket, IncomingMessage>()

/** Returns true if a connection waits for work that reads a body slowly, and not for its client. */
export function isHeldBack(socket: Socket): boolean {
  const incoming = held.get(socket)
  return incoming !== undefined && incoming.readableLength >= incoming.readableHighWaterMark
}

/** Connections that close when work of `c.waitUntil()` has read the body. */
const closing = new WeakSet<Socket>()

function release(socket: Socket): void {
  if (held.delete(socket) && closing.has(socket)) endGently(socket)
}

/** Gives up a body that the client does not send: its connection closes, and who reads it gets an error. */
export function giveUp(socket: Socket): void {
  release(socket)
  endGently(socket)
}

/**
 * Reads the rest of a body, so that the connection can be used again. If a client sends more than the limit,
 * the connection is closed after the response.
 */
function drain(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
): void {
  let left = limit
  const take = (chunk: Buffer) => {
    left -= chunk.byteLength
    if (left >= 0) return
    exchange.cutOff = notAwaited()
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
 * 9112 §9.6). If work of `c.waitUntil()` reads the body, this waits for it, because a client that is told of the end stops
 * sending.
 */
export function endGently(socket: Socket, text?: string): void {
  last.add(socket)
  if (held.has(socket)) {
    closing.add(socket)
    return
  }
  if (ending.has(socket)) return
  ending.add(socket)
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
