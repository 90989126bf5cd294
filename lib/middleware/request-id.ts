/** `requestID()`: gives each request an id, in the context and in a header of its response. */
import { checkKeys } from "../checks.ts"
import { toHeaderName } from "../request/headers.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Options of `requestID()`.
 *
 * @example
 * const options: RequestIDOptions = { header: "X-Trace-ID", trust: true }
 * app.use(requestID(options))
 */
export interface RequestIDOptions {
  /** The header for the id. Default: `X-Request-ID`. */
  readonly header?: string
  /**
   * True to accept the id that a request has, if a proxy in front of the program sets it. An id has at most 255
   * letters, digits and `_ - . : + / =`; another one is replaced. Default: false, because clients could invent ids.
   */
  readonly trust?: boolean
  /** Returns a new id. Default: `crypto.randomUUID()`. */
  readonly generate?: () => string
}

/**
 * Ids that are accepted from requests. Ids appear in logs, so other characters are refused. The length is the limit of
 * Hono.
 */
const safeIDPattern = /^[\w\-.:+/=]{1,255}$/

/**
 * Stores an id as `request_id` in the context and sends it in a response header.
 *
 * @throws FwError `request_id` for an unknown option, TypeError for an invalid header name.
 * @example
 * app.use(requestID({ generate: () => "4f6c" }))
 * const answer = await app.request("/")
 * answer.headers.get("X-Request-ID") // → "4f6c"
 */
export function requestID(options: RequestIDOptions = {}): MiddlewareFunc {
  checkKeys(options, ["header", "trust", "generate"], "request_id", "requestID()", {
    header: "string",
    trust: "boolean",
    generate: "function",
  })
  const { header = "X-Request-ID", trust = false, generate = () => crypto.randomUUID() } = options
  toHeaderName(header)
  return (next) => (c) => {
    const clientID = trust ? c.header(header) : ""
    const id = safeIDPattern.test(clientID) ? clientID : generate()
    c.set("request_id", id)
    c.setHeader(header, id)
    return next(c)
  }
}
