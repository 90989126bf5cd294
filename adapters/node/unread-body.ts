/** Handles bodies that the program has not read. They would block their connection. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { NodeExchange } from "./exchange.ts"
import { createMissingAwaitError } from "./restore-body.ts"

/**
 * Milliseconds for which a closing connection is still read. That is long enough for the response to reach a client
 * that is still sending.
 */
const lingerMs = 1000

/**
 * Decides what happens to a body that the program has not read when it answers. Background work of `c.waitUntil()` may
 * still read it slowly, up to the limit of the route. Without such work it is discarded: at once if the program has
 * never asked for it, otherwise after the response. Must be called before the head is written.
 *
 * @param limit maximum number of bytes to read and discard.
 * @param isStreamed true if the response is a stream, because a stream may still read the body.
 */
export function handleUnreadBody(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
  isStreamed: boolean,
): void {
  const { socket } = incoming
  const isWanted = exchange.isBodyTouched && !exchange.hasOverflowed
  const isReadInBackground = isWanted && exchange.isReading
  outgoing.once("finish", () => {
    answeredMessages.set(socket, incoming)
    if (incoming.complete) return
    // node:http reports a closed connection only to a request that has no response yet.
    const onClose = () => incoming.complete || incoming.destroy()
    socket.once("close", onClose)
    incoming.once("end", () => socket.off("close", onClose))
  })
  if (isWanted && (isStreamed || isReadInBackground)) exchange.askForBody()
  // A client that was not asked for its body may send it or not. So it is unclear what the next bytes mean (RFC 9110
  // §10.1.1).
  if (
    exchange.isBodyUnrequested ||
    exchange.hasOverflowed ||
    (!isReadInBackground && Number(incoming.headers["content-length"] ?? 0) > limit)
  ) {
    outgoing.shouldKeepAlive = false
    closeAfterRequest(socket)
  }
  if (!isReadInBackground && !outgoing.shouldKeepAlive) exchange.cutOffError = createMissingAwaitError()
  const discard = () => {
    releaseSocket(socket)
    if (incoming.complete || incoming.destroyed) return
    exchange.isDiscarded = true
    if (exchange.hasOverflowed && outgoing.writableFinished) endGently(socket)
    else drain(exchange, incoming, outgoing, limit)
  }
  if (!isWanted) return void discard()
  // `read(0)` marks the body as being read. Otherwise node:http would discard it after the response.
  incoming.read(0)
  if (!isReadInBackground) return void outgoing.once("finish", discard)
  backgroundMessages.set(socket, incoming)
  incoming.once("end", () => releaseSocket(socket))
  socket.destroySoon = () => endGently(socket)
  outgoing.once("finish", () => exchange.runAfterWork(discard))
}

const answeredMessages = new WeakMap<Socket, IncomingMessage>()

/** Returns true if the current request of a connection is answered, and its body has not completely arrived. */
export function isAnsweredBeforeBody(socket: Socket): boolean {
  return answeredMessages.get(socket)?.complete === false
}

/** Requests whose bodies are still read by background work of `c.waitUntil()`, by their connections. */
const backgroundMessages = new WeakMap<Socket, IncomingMessage>()

/** Returns true if a connection waits for background work that reads a body slowly, and not for its client. */
export function waitsForBackgroundWork(socket: Socket): boolean {
  const incoming = backgroundMessages.get(socket)
  return incoming !== undefined && incoming.readableLength >= incoming.readableHighWaterMark
}

/** Connections that are closed when background work of `c.waitUntil()` has read the body. */
const closingSockets = new WeakSet<Socket>()

function releaseSocket(socket: Socket): void {
  if (backgroundMessages.delete(socket) && closingSockets.has(socket)) endGently(socket)
}

/**
 * Gives up a body that the client does not send. The connection is closed, and the reader of the body gets an error.
 */
export function giveUpBody(socket: Socket): void {
  releaseSocket(socket)
  endGently(socket)
}

/**
 * Reads and discards the rest of a body, so that the connection can be used again. If there is more than the limit, the
 * connection is closed after the response.
 */
function drain(exchange: NodeExchange, incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  let bytesLeft = limit
  const onChunk = (chunk: Buffer) => {
    bytesLeft -= chunk.byteLength
    if (bytesLeft >= 0) return
    exchange.cutOffError = createMissingAwaitError()
    incoming.off("data", onChunk)
    incoming.pause()
    const { socket } = incoming
    if (outgoing.writableFinished) endGently(socket)
    else outgoing.once("finish", () => endGently(socket))
  }
  incoming.on("data", onChunk)
  incoming.resume()
}

const endingSockets = new WeakSet<Socket>()

/** Returns true while {@link endGently} closes a connection. */
export function isEnding(socket: Socket): boolean {
  return endingSockets.has(socket)
}

/**
 * Closes a connection in two steps: first it stops sending, and for a while it still reads and discards data. If it
 * were closed at once with unread bytes, it would be reset, and the reset can arrive before the response (RFC 9112
 * §9.6). If background work of `c.waitUntil()` reads the body, the function waits for that work, because a client
 * stops sending when it is told of the end.
 */
export function endGently(socket: Socket, text?: string): void {
  lastRequestSockets.add(socket)
  if (backgroundMessages.has(socket)) {
    closingSockets.add(socket)
    return
  }
  if (endingSockets.has(socket)) return
  endingSockets.add(socket)
  if (text === undefined) socket.end()
  else socket.end(text)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(timer))
}

const lastRequestSockets = new WeakSet<Socket>()

/**
 * Returns true if no further request may run on a connection (RFC 9112 §9.6). node:http continues to read during the
 * last response, and a refused body may contain text that looks like another request.
 */
export function hasLastRequest(socket: Socket): boolean {
  return lastRequestSockets.has(socket)
}

/**
 * Makes the current request the last one of its connection. Where node:http would call `destroySoon()`, the connection
 * is then closed in two steps.
 */
export function closeAfterRequest(socket: Socket): void {
  lastRequestSockets.add(socket)
  socket.destroySoon = () => endGently(socket)
}
