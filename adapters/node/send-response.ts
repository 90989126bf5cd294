/** Writes a response to node:http: a stand-in with one call, a real Response as a stream with backpressure. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { connectionHeaders, parseConnectionNames } from "../../lib/answer/connection-headers.ts"
import type { HttpError } from "../../lib/errors.ts"
import { type BodyData, isStream } from "../../lib/exchange.ts"
import { addToVary, readLength } from "../../lib/request/header-grammar.ts"
import { isClientGone } from "./client-gone.ts"
import type { Connections } from "./connections.ts"
import type { NodeExchange } from "./exchange.ts"
import { getContents, type ResponseContents, toRealResponse } from "./fast/response.ts"
import { sendStream } from "./send-stream.ts"
import { closeAfterRequest, handleUnreadBody } from "./unread-body.ts"

/** The server's data that sending needs. */
export interface ServerContext {
  /** The server's connections; undefined if another program owns the server. */
  readonly connections: Connections | undefined
  /** Number of bytes of an unread body to discard; with more, the connection is closed. */
  readonly drainLimit: number
  /** Reports a failure if no response can be sent any more. */
  readonly report: (error: unknown) => void
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

/**
 * True if `end(text)` of node:http makes one write. Before 24.21 and 26.8 it adds an empty text, so the kernel gets a
 * list of parts, which takes a tenth longer for a small response.
 */
const canEndInOneWrite = major > 26 || (major === 26 && minor >= 8) || (major === 24 && minor >= 21)

/** Headers by their names in lower case. */
type HeaderFields = Map<string, string | string[]>

/**
 * Sends a response. Never throws: a response that cannot be sent is reported, and becomes a 500 or closes the
 * connection.
 */
export function sendResponse(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  serverContext: ServerContext,
): void {
  if (serverContext.connections?.isHolding) {
    serverContext.connections.hold(() => sendResponse(exchange, incoming, outgoing, response, serverContext))
    return
  }
  try {
    const answer = getContents(response) ?? readResponse(toRealResponse(response), exchange.getContent(response))
    if (isClientGone(incoming, outgoing) || outgoing.headersSent) {
      cancelBody(answer.body)
      return
    }
    if (isStream(answer.body) && answer.body.locked)
      throw new TypeError("a streamed body is being read already, so it cannot be sent")
    if (serverContext.connections?.isLast(incoming, outgoing)) outgoing.shouldKeepAlive = false
    if (exchange.carriesBody && !incoming.complete) {
      handleUnreadBody(exchange, incoming, outgoing, serverContext.drainLimit, isStream(answer.body))
    }
    writeResponse(incoming, outgoing, answer, serverContext)
  } catch (error) {
    sendFailure(outgoing, error, serverContext)
  }
}

/** Refuses a request before it reaches an app, and closes its connection. */
export function sendRefusal(incoming: IncomingMessage, outgoing: ServerResponse, error: HttpError): void {
  incoming.resume()
  closeAfterRequest(incoming.socket)
  const body = JSON.stringify(error)
  outgoing.writeHead(error.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  })
  outgoing.end(body)
}

/** Sends a 500 if the program's response cannot be created or sent. */
export function sendFailure(outgoing: ServerResponse, error: unknown, { report }: ServerContext): void {
  report(error)
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const body = '{"error":"internal_server_error","message":"internal server error"}'
  // Stated here, because node:http keeps the reason phrase of a head that it refused.
  outgoing.writeHead(500, "Internal Server Error", {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  })
  outgoing.end(body)
}

/**
 * Sets each header before it writes the head, so that middleware of a host can read and change it. Before 2025, the
 * package on-headers misread a list of headers that is passed to `writeHead()` (CVE-2025-7339).
 *
 * @throws the errors of node:http for what it cannot send. The headers of the host are then restored.
 */
function writeHead(outgoing: ServerResponse, { status, statusText }: ResponseContents, fields: HeaderFields): void {
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

function writeResponse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: ResponseContents,
  serverContext: ServerContext,
): void {
  const { body } = answer
  const { fields, given } = splitHeaders(outgoing, answer)
  const bodyLength = findContentLength(answer, incoming.method === "HEAD", given)
  if (serverContext.connections === undefined) keepListHeaders(outgoing, fields)
  const head = (length: number | null) => {
    if (length !== null) fields.set("content-length", String(length))
    writeHead(outgoing, answer, fields)
  }
  if (isStream(body)) {
    sendStream(body, incoming, outgoing, {
      contentLength: bodyLength,
      writeHead: writeHeadOr500(head, outgoing, serverContext),
      report: serverContext.report,
    })
    return
  }
  head(bodyLength)
  // RFC 9110 §9.3.2. A server with `rejectNonStandardBodyWrites` throws for a body.
  if (body === null || incoming.method === "HEAD") outgoing.end()
  else if (typeof body === "string" && bodyLength !== null) endWithText(outgoing, body, bodyLength)
  else outgoing.end(body)
}

/**
 * Sends the head and a text in one write.
 *
 * @param size number of bytes of the text.
 */
function endWithText(outgoing: ServerResponse, text: string, size: number): void {
  const { socket } = outgoing
  // Only ASCII text has as many bytes as characters, and it needs no encoder.
  const encoding = size === text.length ? "latin1" : "utf8"
  // A response that waits behind another one (pipelining) has no socket yet.
  if (canEndInOneWrite || socket === null || size === 0) {
    outgoing.end(text, encoding)
    return
  }
  socket.cork()
  outgoing.write(text, encoding)
  socket.uncork()
  outgoing.end()
}

/** Writes a head later, when no caller can catch the errors of node:http. */
function writeHeadOr500(
  head: (length: number | null) => void,
  outgoing: ServerResponse,
  serverContext: ServerContext,
): (length: number | null) => boolean {
  return (length) => {
    try {
      head(length)
      return true
    } catch (error) {
      sendFailure(outgoing, error, serverContext)
      return false
    }
  }
}

/** Returns the `Content-Length`: the body's real size if it is known, otherwise the program's value. */
function findContentLength({ status, body }: ResponseContents, isHead: boolean, given: number | null): number | null {
  // RFC 9110 §8.6: a 204 has no length; HEAD and 304 have the length of the body that they leave out.
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
function splitHeaders(
  outgoing: ServerResponse,
  { status, headers }: ResponseContents,
): { readonly fields: HeaderFields; readonly given: number | null } {
  const fields: HeaderFields = new Map()
  let given: number | null = null
  const connectionNames = parseConnectionNames(headers.connection?.toString())
  if (connectionNames.includes("close")) outgoing.shouldKeepAlive = false
  for (const [name, value] of Object.entries(headers)) {
    if (name === "content-length") given = readLength(String(value))
    else if (name === "upgrade" && status === 426) {
      // RFC 9110 §15.5.22. node:http keeps the connection if there is a Connection header, unless it says
      // close.
      fields.set(name, value)
      fields.set("connection", outgoing.shouldKeepAlive ? "upgrade" : "close, upgrade")
    } else if (!connectionHeaders.has(name) && !connectionNames.includes(name)) fields.set(name, value)
  }
  return { fields, given }
}

/** Headers to which each part of a program adds. */
const listHeaders = ["set-cookie", "vary"]

/** Adds the values that the program that owns the server has set before, because these headers would replace them. */
function keepListHeaders(outgoing: ServerResponse, fields: HeaderFields): void {
  for (const name of listHeaders) {
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
function readResponse(response: Response, content: string | Uint8Array | null): ResponseContents {
  const { status, statusText, body } = response
  if (response.bodyUsed || body?.locked) {
    throw new TypeError("a Response was returned whose body is used already: return a new one, or response.clone()")
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
function cancelBody(body: BodyData): void {
  // Errors of the source no longer matter.
  if (isStream(body) && !body.locked)
    body.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
}
