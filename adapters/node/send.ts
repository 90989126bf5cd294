/** Writes a response to node:http: a stand-in with one call, a real Response as a stream with backpressure. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { connectionHeaders, namedByConnection } from "../../lib/answer/connection-headers.ts"
import type { HttpError } from "../../lib/errors.ts"
import { type BodyData, isStream } from "../../lib/exchange.ts"
import { addToVary, readLength } from "../../lib/request/header-grammar.ts"
import { leaveBody, linger } from "./drain.ts"
import type { NodeExchange } from "./exchange.ts"
import { type PlainAnswer, plainAnswer, realResponse } from "./fast/response.ts"
import { isGone } from "./gone.ts"
import type { Connections } from "./shutdown.ts"
import { pump } from "./stream.ts"

/** The server's data that sending needs. */
export interface Surroundings {
  /** The server's connections; undefined if another program owns the server. */
  readonly connections: Connections | undefined
  /** Number of bytes of an unread body to discard; with more, the connection is closed. */
  readonly drainLimit: number
  /** Reports a failure for which no response can be sent any more. */
  readonly report: (error: unknown) => void
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

/**
 * True for a node:http whose `end(text)` writes once. Before 24.21 and 26.8 it writes an empty text after it, and so passes
 * a list of parts to the kernel, which takes a tenth longer for a small response.
 */
const endsInOneWrite = major > 26 || (major === 26 && minor >= 8) || (major === 24 && minor >= 21)

/** Headers by their names in lower case. */
type Fields = Map<string, string | string[]>

/**
 * Sends a response. Never throws: a response that cannot be sent is reported, and becomes a 500 or closes the
 * connection.
 */
export function send(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  around: Surroundings,
): void {
  if (around.connections?.holds) {
    around.connections.hold(() => send(exchange, incoming, outgoing, response, around))
    return
  }
  try {
    const answer = plainAnswer(response) ?? readReal(realResponse(response), exchange.contentOf(response))
    if (isGone(incoming, outgoing) || outgoing.headersSent) {
      discard(answer.body)
      return
    }
    if (isStream(answer.body) && answer.body.locked)
      throw new TypeError("a streamed body is being read already, so it cannot be sent")
    if (around.connections?.isLast(incoming, outgoing)) outgoing.shouldKeepAlive = false
    if (exchange.carriesBody && !incoming.complete) {
      leaveBody(exchange, incoming, outgoing, around.drainLimit, isStream(answer.body))
    }
    write(incoming, outgoing, answer, around)
  } catch (error) {
    sendFailure(outgoing, error, around)
  }
}

/** Refuses a request before it reaches an app, and closes its connection. */
export function sendRefusal(incoming: IncomingMessage, outgoing: ServerResponse, error: HttpError): void {
  incoming.resume()
  linger(incoming.socket)
  const body = JSON.stringify(error)
  outgoing.writeHead(error.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  })
  outgoing.end(body)
}

/** Sends a 500 if the program's response cannot be created or sent. */
export function sendFailure(outgoing: ServerResponse, error: unknown, { report }: Surroundings): void {
  report(error)
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const body = '{"error":"internal_server_error","message":"internal server error"}'
  // node:http keeps the reason of a head that it refused.
  outgoing.writeHead(500, "Internal Server Error", {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  })
  outgoing.end(body)
}

/**
 * Sets each header before it writes the head. Middleware of a host may read and change them then, and before 2025 the
 * package on-headers misread a list of them that is passed to `writeHead()` (CVE-2025-7339).
 *
 * @throws the errors of node:http for what it cannot send. The headers are those of the host again then.
 */
function writeHead(outgoing: ServerResponse, { status, statusText }: PlainAnswer, fields: Fields): void {
  const before = { ...outgoing.getHeaders() }
  try {
    for (const [name, value] of fields) outgoing.setHeader(name, value)
    if (statusText) outgoing.writeHead(status, statusText)
    else outgoing.writeHead(status)
  } catch (error) {
    if (!outgoing.headersSent) {
      for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
      for (const [name, value] of Object.entries(before)) outgoing.setHeader(name, value as string)
    }
    throw error
  }
}

function write(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: PlainAnswer,
  around: Surroundings,
): void {
  const { body } = answer
  const { fields, given } = frame(outgoing, answer)
  const declared = contentLength(answer, incoming.method === "HEAD", given)
  if (around.connections === undefined) keepLists(outgoing, fields)
  const head = (length: number | null) => {
    if (length !== null) fields.set("content-length", String(length))
    writeHead(outgoing, answer, fields)
  }
  if (isStream(body)) {
    pump(body, incoming, outgoing, {
      declared,
      head: headOr500(head, outgoing, around),
      report: around.report,
    })
    return
  }
  head(declared)
  // RFC 9110 §9.3.2. A server with `rejectNonStandardBodyWrites` throws for a body.
  if (body === null || incoming.method === "HEAD") outgoing.end()
  else if (typeof body === "string" && declared !== null) endWithText(outgoing, body, declared)
  else outgoing.end(body)
}

/**
 * Sends the head and a text in one write.
 *
 * @param size number of bytes of the text.
 */
function endWithText(outgoing: ServerResponse, text: string, size: number): void {
  const { socket } = outgoing
  // Only text of ASCII has as many bytes as characters. It needs no encoder.
  const encoding = size === text.length ? "latin1" : "utf8"
  // A response that waits behind another one (pipelining) has no socket yet.
  if (endsInOneWrite || socket === null || size === 0) {
    outgoing.end(text, encoding)
    return
  }
  socket.cork()
  outgoing.write(text, encoding)
  socket.uncork()
  outgoing.end()
}

/** Writes a head later, when no caller can catch the errors of node:http. */
function headOr500(
  head: (length: number | null) => void,
  outgoing: ServerResponse,
  around: Surroundings,
): (length: number | null) => boolean {
  return (length) => {
    try {
      head(length)
      return true
    } catch (error) {
      sendFailure(outgoing, error, around)
      return false
    }
  }
}

/** Returns the `Content-Length`: the body's real size if it is known, otherwise the program's value. */
function contentLength({ status, body }: PlainAnswer, isHead: boolean, given: number | null): number | null {
  // RFC 9110 §8.6: none with 204; with HEAD and 304 the length of the body that they leave out.
  if (status === 204) return null
  // RFC 9110 §15.3.6.
  if (status === 205) return 0
  if (isStream(body)) return given
  const size = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength
  return size === 0 && (isHead || status === 304) ? given : size
}

/**
 * Returns the response's own headers, and the Content-Length that the program set. Of the connection's headers,
 * `Connection: close` and the `Upgrade` of a 426 are kept, the others removed.
 */
function frame(
  outgoing: ServerResponse,
  { status, headers }: PlainAnswer,
): { readonly fields: Fields; readonly given: number | null } {
  const fields: Fields = new Map()
  let given: number | null = null
  const named = namedByConnection(headers.connection?.toString())
  if (named.includes("close")) outgoing.shouldKeepAlive = false
  for (const [name, value] of Object.entries(headers)) {
    if (name === "content-length") given = readLength(String(value))
    else if (name === "upgrade" && status === 426) {
      // RFC 9110 §15.5.22. node:http keeps the connection if there is a Connection header, unless it says
      // close.
      fields.set(name, value)
      fields.set("connection", outgoing.shouldKeepAlive ? "upgrade" : "close, upgrade")
    } else if (!connectionHeaders.has(name) && !named.includes(name)) fields.set(name, value)
  }
  return { fields, given }
}

/** Headers to which each part of a program adds. */
const lists = ["set-cookie", "vary"]

/** Adds to the headers what the program that owns the server has set before, which they would replace. */
function keepLists(outgoing: ServerResponse, fields: Fields): void {
  for (const name of lists) {
    const own = fields.get(name)
    const set = outgoing.getHeader(name)
    if (own === undefined || set === undefined) continue
    const all = [set, own].flat().map(String)
    fields.set(name, name === "vary" ? addToVary("", all.join(", ")) : all)
  }
}

/**
 * Reads a real Response. @throws TypeError for one that cannot be sent.
 *
 * @param content its body, if that is text or bytes.
 */
function readReal(response: Response, content: string | Uint8Array | null): PlainAnswer {
  const { status, statusText, body } = response
  if (response.bodyUsed || body?.locked) {
    throw new TypeError(
      "a Response was returned whose body is used already: return a new one, or response.clone()",
    )
  }
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") headers[name] = value
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers["set-cookie"] = cookies
  return { status, statusText, headers, body: content ?? body }
}

/** Cancels the source of a body that is not sent. */
function discard(body: BodyData): void {
  // Errors of the source no longer matter.
  if (isStream(body) && !body.locked)
    body.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
}
