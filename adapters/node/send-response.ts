/** Writes a response to node:http: a stand-in with one call, a real Response as a stream that waits for its client. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { connectionHeaders, parseConnectionNames } from "../../lib/answer/connection-headers.ts"
import type { HttpError } from "../../lib/errors.ts"
import { type BodyData, isStream } from "../../lib/exchange.ts"
import { addToVary, readLength } from "../../lib/request/header-grammar.ts"
import { type Connections, isClientGone } from "./connections.ts"
import type { NodeExchange } from "./exchange.ts"
import { getContents, type ResponseContents, toRealResponse } from "./fast/response.ts"
import { sendStream } from "./send-stream.ts"
import { closeAfterRequest, handleUnreadBody } from "./unread-body.ts"

/** The facts about the server that sending a response needs. */
export interface ServerContext {
  /** The connections of the server. Undefined if another program owns the server. */
  readonly connections: Connections | undefined
  /** Maximum number of bytes of an unread body to read and discard. If there are more, the connection is closed. */
  readonly drainLimit: number
  /** Reports an error when it is too late to send a response. */
  readonly report: (error: unknown) => void
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

/**
 * True if `end(text)` of node:http writes once. Before 24.21 and 26.8 it also wrote an empty text, which takes a tenth
 * longer for a small response.
 */
const canEndInOneWrite = major > 26 || (major === 26 && minor >= 8) || (major === 24 && minor >= 21)

/** Headers by their names in lower case. */
type HeaderFields = Map<string, string | string[]>

/**
 * Sends a response. Never throws: if a response cannot be sent, that is reported, and the client gets a 500 or a closed
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
    serverContext.connections.holdResponse(() => sendResponse(exchange, incoming, outgoing, response, serverContext))
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

/** Answers a request that must not reach the app, and closes its connection. */
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

/** Sends a 500, because the program's response could not be created or sent. */
export function sendFailure(outgoing: ServerResponse, error: unknown, { report }: ServerContext): void {
  report(error)
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const body = '{"error":"internal_server_error","message":"internal server error"}'
  // The reason phrase is given, because otherwise node:http would use that of the head which it has refused.
  outgoing.writeHead(500, "Internal Server Error", {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  })
  outgoing.end(body)
}

/**
 * Sets the headers one by one and then writes the head, so that middleware of a host can read and change them. If they
 * were passed as a list to `writeHead()`, versions of the package on-headers from before 2025 would misread them
 * (CVE-2025-7339).
 *
 * @throws the errors of node:http for values that it cannot send. The headers that the host has set are then restored.
 */
function writeHead(outgoing: ServerResponse, { status, statusText }: ResponseContents, fields: HeaderFields): void {
  const hostHeaders = { ...outgoing.getHeaders() }
  try {
    for (const [name, value] of fields) outgoing.setHeader(name, value)
    if (statusText) outgoing.writeHead(status, statusText)
    else outgoing.writeHead(status)
  } catch (error) {
    if (!outgoing.headersSent) {
      for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
      for (const [name, value] of Object.entries(hostHeaders)) outgoing.setHeader(name, value as string)
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
  const { fields, declaredLength } = splitHeaders(outgoing, answer)
  const bodyLength = findContentLength(answer, incoming.method === "HEAD", declaredLength)
  if (serverContext.connections === undefined) keepListHeaders(outgoing, fields)
  const sendHead = (length: number | null) => {
    if (length !== null) fields.set("content-length", String(length))
    writeHead(outgoing, answer, fields)
  }
  if (isStream(body)) {
    sendStream(body, incoming, outgoing, {
      contentLength: bodyLength,
      writeHead: writeHeadOr500(sendHead, outgoing, serverContext),
      report: serverContext.report,
    })
    return
  }
  sendHead(bodyLength)
  // There is no body for HEAD (RFC 9110 §9.3.2). A server with `rejectNonStandardBodyWrites` would throw.
  if (body === null || incoming.method === "HEAD") outgoing.end()
  else if (typeof body === "string" && bodyLength !== null) endWithText(outgoing, body, bodyLength)
  else outgoing.end(body)
}

/**
 * Writes the head and a text at once.
 *
 * @param size the number of bytes of the text.
 */
function endWithText(outgoing: ServerResponse, text: string, size: number): void {
  const { socket } = outgoing
  // If there are as many bytes as characters, the text is ASCII, and Latin-1 is the faster encoding.
  const encoding = size === text.length ? "latin1" : "utf8"
  // A response that waits behind an earlier one (pipelining) has no socket yet.
  if (canEndInOneWrite || socket === null || size === 0) {
    outgoing.end(text, encoding)
    return
  }
  socket.cork()
  outgoing.write(text, encoding)
  socket.uncork()
  outgoing.end()
}

/**
 * Writes a head when no caller can catch the errors of node:http any more. If that fails, sends a 500 and returns
 * false.
 */
function writeHeadOr500(
  sendHead: (length: number | null) => void,
  outgoing: ServerResponse,
  serverContext: ServerContext,
): (length: number | null) => boolean {
  return (length) => {
    try {
      sendHead(length)
      return true
    } catch (error) {
      sendFailure(outgoing, error, serverContext)
      return false
    }
  }
}

/** Returns the `Content-Length`: the size of the body if it is known, otherwise the value that the program has set. */
function findContentLength(
  { status, body }: ResponseContents,
  isHead: boolean,
  declaredLength: number | null,
): number | null {
  // A 204 has no length. For HEAD and 304 it is the length of the body that they leave out (RFC 9110 §8.6).
  if (status === 204) return null
  // A 205 has no body (RFC 9110 §15.3.6).
  if (status === 205) return 0
  if (isStream(body)) return declaredLength
  const size = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength
  return size === 0 && (isHead || status === 304) ? declaredLength : size
}

/**
 * Returns the headers of the response, and the Content-Length that the program has set. Headers that belong to the
 * connection are removed, except `Connection: close` and the `Upgrade` of a 426.
 */
function splitHeaders(
  outgoing: ServerResponse,
  { status, headers }: ResponseContents,
): { readonly fields: HeaderFields; readonly declaredLength: number | null } {
  const fields: HeaderFields = new Map()
  let declaredLength: number | null = null
  const connectionNames = parseConnectionNames(headers.connection?.toString())
  if (connectionNames.includes("close")) outgoing.shouldKeepAlive = false
  for (const [name, value] of Object.entries(headers)) {
    if (name === "content-length") declaredLength = readLength(String(value))
    else if (name === "upgrade" && status === 426) {
      // A 426 has `Upgrade` (RFC 9110 §15.5.22). With a Connection header, node:http keeps the connection open unless
      // the header says `close`.
      fields.set(name, value)
      fields.set("connection", outgoing.shouldKeepAlive ? "upgrade" : "close, upgrade")
    } else if (!connectionHeaders.has(name) && !connectionNames.includes(name)) fields.set(name, value)
  }
  return { fields, declaredLength }
}

/** Headers to which several parts of a program add values. */
const listHeaders = ["set-cookie", "vary"]

/** Adds the values that the owner of the server has set. Otherwise those of the response would replace them. */
function keepListHeaders(outgoing: ServerResponse, fields: HeaderFields): void {
  for (const name of listHeaders) {
    const responseValue = fields.get(name)
    const hostValue = outgoing.getHeader(name)
    if (responseValue === undefined || hostValue === undefined) continue
    const all = [hostValue, responseValue].flat().map(String)
    fields.set(name, name === "vary" ? addToVary("", all.join(", ")) : all)
  }
}

/**
 * Reads a real Response. @throws TypeError if it cannot be sent.
 *
 * @param content the body, if it is text or bytes.
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

/** Cancels a body that is not sent, so that its source stops. */
function cancelBody(body: BodyData): void {
  // Nobody needs to know about errors of the source.
  if (isStream(body) && !body.locked)
    body.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
}
