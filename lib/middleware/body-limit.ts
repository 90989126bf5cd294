/** `bodyLimit()`: sets the size limit of request bodies for some routes. */
import { checkKeys } from "../checks.ts"
import { checkBodyLimit } from "../config.ts"
import type { Context } from "../context.ts"
import type { BodyLimits } from "../request/body.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "../types.ts"

/**
 * Options of {@link bodyLimit}.
 *
 * @example
 * const limits: BodyLimitOptions = { buffered: 100_000 }
 * app.post("/videos", bodyLimit(5_000_000_000, limits), (c) => c.noContent())
 */
export interface BodyLimitOptions {
  /**
   * Maximum number of bytes that `c.bind()`, `c.text()`, `c.bytes()` and `c.form()` read into memory. Larger bodies can
   * be read with `c.parts()` and `c.request.body` only. Default: the limit of the whole body.
   */
  readonly buffered?: number
  /**
   * True to decode bodies whose `Content-Encoding` is `gzip` or `deflate`, for every way to read them. The limits then
   * apply to the decoded bytes too. Another encoding, or several, is a 415; a body that cannot be decoded is a 400.
   * Default: false. Then `c.bytes()` and `c.request` have the bytes as they were sent, and all other calls answer an
   * encoded body with 415.
   */
  readonly decompress?: boolean
}

/**
 * Sets the size limit, in bytes, for the bodies of the routes below. If there are several limits, the one nearest to
 * the route applies. `bodyLimit(bytes)(handler)` sets it for one handler, and `combine.every(guard,
 * bodyLimit(bytes))(handler)` adds a guard.
 *
 * @throws FwError for a value that is not a number of bytes, and for an unknown option.
 * @example
 * app.post("/avatar", bodyLimit(4), async (c) => c.json(200, (await c.bytes()).length))
 * const answer = await app.request("/avatar", { method: "POST", body: "12345" })
 * answer.status // → 413
 */
export function bodyLimit(bytes: number, options: BodyLimitOptions = {}): MiddlewareFunc & { readonly answers?: 413 } {
  checkKeys(options, ["buffered", "decompress"], "app_options", "bodyLimit()", { decompress: "boolean" })
  const { buffered: bufferedLimit, decompress = false } = options
  checkBodyLimit(bytes, "bodyLimit()'s limit")
  if (bufferedLimit !== undefined) checkBodyLimit(bufferedLimit, "bodyLimit()'s buffered")
  return addLimits((next) => next, {
    bodyLimit: bytes,
    bufferedLimit,
    decompresses: decompress,
  })
}

/**
 * Marks a middleware, and the handlers that it returns, with limits. The app reads the mark of the outermost function,
 * because it refuses a body with a large `Content-Length` before any function runs. Not exported from the package.
 */
export function addLimits(middleware: MiddlewareFunc, limits: BodyLimits): MiddlewareFunc {
  const limitedMiddleware = (next: Next): HandlerFunc => {
    const handler = middleware(next)
    return Object.assign((c: Context) => handler(c), limits)
  }
  return Object.assign(limitedMiddleware, limits)
}
