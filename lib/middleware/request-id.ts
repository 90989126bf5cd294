/** `requestID()`: a name for each request, in its answer and in the context. */
import { checkKeys } from "../checks.ts"
import { headerName } from "../headers.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * What `requestID()` takes.
 *
 * @example
 * const options: RequestIDOptions = { header: "X-Trace-ID", trust: true }
 * app.use(requestID(options))
 */
export interface RequestIDOptions {
  /** The header that carries it. Default: `X-Request-ID`. */
  readonly header?: string
  /** Takes over an id that the request brings, where a proxy in front sets it. Default: false, since a client could forge it. */
  readonly trust?: boolean
  /** Makes an id. Default: `crypto.randomUUID()`. */
  readonly generate?: () => string
}

/** What may be taken over: it ends up in logs. */
const tame = /^[\w\-.:+/=]{1,128}$/

/**
 * Puts an id under `request_id` in the context and in the header of the answer.
 *
 * @throws FwError `request_id` for an unknown option, TypeError for what is no header's name.
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
  headerName(header)
  return (next) => (c) => {
    const given = trust ? c.header(header) : ""
    const id = tame.test(given) ? given : generate()
    c.set("request_id", id)
    c.setHeader(header, id)
    return next(c)
  }
}
