/** Writing an answer to node:http: a stand-in in one go, a real Response as a stream with backpressure. Called by `node.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyData } from "../lib/exchange.ts"
import type { NodeExchange } from "./node-exchange.ts"
import { plainAnswer, realResponse } from "./node-response.ts"

/** What sending needs to know of its surroundings. */
export interface SendOptions {
  /** Every answer says `Connection: close`. */
  readonly closing: boolean
  /** Bytes of an unread body that are read and thrown away before the connection is closed instead. */
  readonly drainLimit: number
  /** Where the failure of a streamed body is told. */
  readonly report: (error: unknown) => void
}

type HeaderRecord = Record<string, string | string[] | number>

/** Sends an answer. What fails while it streams is reported and breaks the connection off; nothing is thrown. */
export function send(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  options: SendOptions,
): void {
  if (options.closing) outgoing.shouldKeepAlive = false
  if (exchange.hasBody && !incoming.complete) leaveBody(exchange, incoming, outgoing, options.drainLimit)
  const plain = plainAnswer(response)
  if (plain) write(outgoing, plain.status, plain.headers, plain.body, options)
  else sendReal(outgoing, realResponse(response), options)
}

function write(
  outgoing: ServerResponse,
  status: number,
  headers: HeaderRecord,
  body: BodyData,
  options: SendOptions,
): void {
  if (typeof body === "string") headers["content-length"] = Buffer.byteLength(body)
  else if (body instanceof Uint8Array) headers["content-length"] = body.byteLength
  else if (body === null && status !== 204 && status !== 304 && outgoing.req.method !== "HEAD") headers["content-length"] = 0
  outgoing.writeHead(status, headers)
  if (body instanceof ReadableStream) pump(body, outgoing, options)
  else if (body === null) outgoing.end()
  else outgoing.end(body)
}

function sendReal(outgoing: ServerResponse, response: Response, options: SendOptions): void {
  const headers: HeaderRecord = {}
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") headers[name] = value
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers["set-cookie"] = cookies
  if (response.bodyUsed || response.body?.locked) {
    options.report(new TypeError("a Response was returned whose body is used already: return a new one, or response.clone()"))
    return write(outgoing, 500, {}, null, options)
  }
  write(outgoing, response.status, headers, response.body, options)
}

/** Sends a stream as fast as the client takes it; a client that goes away cancels it. */
async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, options: SendOptions): Promise<void> {
  const reader = body.getReader()
  let done = false
  const gone = () => {
    // The source hears that nobody listens; what it says to that is its own affair.
    if (!done) reader.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
  }
  outgoing.once("close", gone)
  if (outgoing.req.method === "HEAD") {
    outgoing.end()
    return gone()
  }
  try {
    while (!outgoing.destroyed) {
      const chunk = await reader.read()
      if (chunk.done) break
      if (!outgoing.write(chunk.value) && !outgoing.destroyed) await drained(outgoing)
    }
    done = !outgoing.destroyed
    outgoing.end()
  } catch (error) {
    done = true
    if (outgoing.destroyed) return
    options.report(error)
    // The headers are gone: breaking the connection off is the one way to say that the body is not whole (RFC 9112 §8).
    outgoing.destroy()
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go)
      outgoing.off("close", go)
      resolve()
    }
    outgoing.on("drain", go)
    outgoing.on("close", go)
  })
}

/** Drains what the program does not read: at once if it never asked for the body, else once the answer is out. */
function leaveBody(exchange: NodeExchange, incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  if (!exchange.bodyTouched) return drain(exchange, incoming, outgoing, limit)
  outgoing.once("finish", () => {
    if (!incoming.complete && !incoming.destroyed) drain(exchange, incoming, outgoing, limit)
  })
}

/**
 * Reads the rest of a body that the program left, so that the connection can be used again. A client that sends more
 * than the limit, or waits to be asked for its body, loses the connection instead, after the answer.
 */
function drain(exchange: NodeExchange, incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  if (exchange.unasked) {
    outgoing.shouldKeepAlive = false
    return
  }
  let left = limit
  if (Number(incoming.headers["content-length"] ?? 0) > limit) outgoing.shouldKeepAlive = false
  incoming.on("data", (chunk: Buffer) => {
    left -= chunk.byteLength
    if (left >= 0) return
    incoming.pause()
    if (outgoing.writableFinished) incoming.socket.destroy()
    else outgoing.once("finish", () => incoming.socket.destroy())
  })
  // A body that breaks off now concerns nobody any more.
  incoming.on("error", () => {})
  incoming.resume()
}
