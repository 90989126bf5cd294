/** Writing an answer to node:http: a stand-in in one go, a real Response as a stream with backpressure. Called by `node.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { type App, dispatch } from "../../lib/app.ts"
import type { HttpError } from "../../lib/errors.ts"
import type { BodyData } from "../../lib/exchange.ts"
import type { Answer } from "../../lib/pipeline.ts"
import { connectionHeaders } from "../shared/connection-headers.ts"
import { leaveBody, linger } from "./drain.ts"
import type { NodeExchange } from "./exchange.ts"
import { isGone } from "./gone.ts"
import { type PlainAnswer, plainAnswer, realResponse } from "./response.ts"
import type { Connections } from "./shutdown.ts"
import { pump } from "./stream.ts"

/** What sending needs to know of its server. */
export interface Surroundings {
  /** The server's connections; undefined where another program owns the server. */
  readonly connections: Connections | undefined
  /** Bytes of an unread body that are read and thrown away before the connection is closed instead. */
  readonly drainLimit: number
  /** Where a failure is told that no answer can tell any more. */
  readonly report: (error: unknown) => void
}

/** Names and values in turn, as `writeHead` takes them. */
type RawHeaders = (string | string[] | number)[]

/** Sends an answer. Nothing is thrown: what cannot be sent is reported and answered with a bare 500, or breaks the connection off. */
export function send(
  exchange: NodeExchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  around: Surroundings,
): void {
  try {
    const answer = plainAnswer(response) ?? readReal(realResponse(response))
    if (isGone(incoming, outgoing) || outgoing.headersSent) {
      discard(answer.body)
      return
    }
    if (isStream(answer.body) && answer.body.locked)
      throw new TypeError("a streamed body is being read already: nobody else can send it")
    if (around.connections?.isLast(incoming, outgoing)) outgoing.shouldKeepAlive = false
    if (exchange.carriesBody && !incoming.complete) {
      leaveBody(exchange, incoming, outgoing, around.drainLimit, isStream(answer.body))
    }
    write(incoming, outgoing, answer, around)
  } catch (error) {
    sendFailure(outgoing, error, around)
  }
}

/** An app's answer. What is wrong with the app itself, such as a static directory that is not there, comes as a rejection too. */
export function answerOf(app: App, exchange: NodeExchange): Answer {
  try {
    return dispatch(app, exchange)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Refuses a request that no app is to see, and closes its connection. */
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

/** The answer that is left when the program's cannot be made or sent. */
export function sendFailure(outgoing: ServerResponse, error: unknown, { report }: Surroundings): void {
  report(error)
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const body = '{"error":"internal_server_error","message":"internal server error"}'
  outgoing.writeHead(500, ["content-type", "application/json", "content-length", Buffer.byteLength(body)])
  outgoing.end(body)
}

function write(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: PlainAnswer,
  around: Surroundings,
): void {
  const { status, body } = answer
  const raw: RawHeaders = []
  const declared = contentLength(answer, incoming.method === "HEAD", frame(outgoing, answer, raw))
  const head = (length: number | null) => {
    if (length !== null) raw.push("content-length", length)
    if (answer.statusText) outgoing.writeHead(status, answer.statusText, raw as string[])
    else outgoing.writeHead(status, raw as string[])
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
  if (body === null) outgoing.end()
  else outgoing.end(body)
}

/** A head that is written later, when nobody is there to catch what node:http says to it. */
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

/** What `Content-Length` says: the body's real size, and the program's word only for a body that is not at hand. */
function contentLength({ status, body }: PlainAnswer, isHead: boolean, given: number | null): number | null {
  // RFC 9110 §8.6: none with 204; with HEAD and 304 what the answer with a body would have said.
  if (status === 204) return null
  if (isStream(body)) return given
  const size = body === null ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength
  return size === 0 && (isHead || status === 304) ? given : size
}

/**
 * Puts the answer's own headers into `raw`; of the connection's, `Connection: close` and the `Upgrade` of a 426 are
 * obeyed, the others left out. Gives the Content-Length that the program set.
 */
function frame(outgoing: ServerResponse, { status, headers }: PlainAnswer, raw: RawHeaders): number | null {
  let given: number | null = null
  for (const name in headers) {
    const value = headers[name] as string | string[]
    if (!connectionHeaders.has(name)) raw.push(name, value)
    else if (name === "content-length") given = /^\d{1,15}$/.test(value as string) ? Number(value) : null
    else if (name === "connection" && /\bclose\b/i.test(value as string)) outgoing.shouldKeepAlive = false
    else if (name === "upgrade" && status === 426) {
      // RFC 9110 §15.5.22. node:http takes a Connection header for a wish to keep the connection, unless it says close.
      raw.push(name, value, "connection", outgoing.shouldKeepAlive ? "upgrade" : "close, upgrade")
    }
  }
  return given
}

/** A real Response as what is written. @throws TypeError for one that cannot be sent. */
function readReal(response: Response): PlainAnswer {
  const { status, statusText, body } = response
  if (response.bodyUsed || body?.locked) {
    throw new TypeError(
      "a Response was returned whose body is used already: return a new one, or response.clone()",
    )
  }
  if (status < 200)
    throw new TypeError(`a Response of type ${response.type} was returned, which cannot be sent`)
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") headers[name] = value
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers["set-cookie"] = cookies
  return { status, statusText, headers, body }
}

/** Anything that is neither text nor bytes: the body of another package's Response need not tell `in` what it has. */
function isStream(body: BodyData): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && !(body instanceof Uint8Array)
}

/** Tells the source of a body that nobody wants it. */
function discard(body: BodyData): void {
  // What it says to that is its own affair.
  if (isStream(body) && !body.locked)
    body.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
}
