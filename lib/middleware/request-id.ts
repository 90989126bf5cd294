/** `requestID()`: a name for each request, in its answer and in the context. */
import type { MiddlewareFunc } from "../types.ts"

/** What `requestID()` takes. */
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

/** Puts an id under `request_id` in the context and in the header of the answer. */
export function requestID(options: RequestIDOptions = {}): MiddlewareFunc {
  const { header = "X-Request-ID", trust = false, generate = () => crypto.randomUUID() } = options
  return (next) => (c) => {
    const given = trust ? c.header(header) : ""
    const id = tame.test(given) ? given : generate()
    c.set("request_id", id)
    c.setHeader(header, id)
    return next(c)
  }
}
