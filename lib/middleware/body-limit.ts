/** `bodyLimit()`: sets another size limit for the bodies of some routes. */
import { checkKeys } from "../checks.ts"
import { checkBodyLimit } from "../config.ts"
import type { Context } from "../context.ts"
import type { BodyLimits } from "../request/body.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "../types.ts"

/**
 * Settings of {@link bodyLimit}.
 *
 * @example
 * const limits: BodyLimitOptions = { buffered: 100_000 }
 * app.post("/videos", bodyLimit(5_000_000_000, limits), (c) => c.noContent())
 */
export interface BodyLimitOptions {
  /**
   * Bytes that `c.bind()`, `c.text()`, `c.bytes()` and `c.form()` keep in memory at most, so that only `c.parts()` and
   * `c.request.body` read more. Default: the limit of the body.
   */
  readonly buffered?: number
  /**
   * Decodes bodies whose `Content-Encoding` is `gzip` or `deflate`, for every reader, `c.bytes()` and `c.request`
   * included. The limits then apply to the decoded bytes too. Another coding, or several, are a 415, and a body that
   * cannot be decoded is a 400. Default: `c.bytes()` and `c.request` have the bytes as they were sent, and the other
   * readers answer 415.
   */
  readonly decompress?: boolean
}

/**
 * Sets the size limit, in bytes, for request bodies on the routes below; the nearest limit applies. Around a handler,
 * `bodyLimit(bytes)(handler)`, it is for that handler; `combine.every(guard, bodyLimit(bytes))(handler)` adds a guard.
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
 * Gives limits to middleware, and to the handlers that it returns: the app reads those of the outermost function, because
 * it refuses a body by its length before anything runs. Not exported from the package.
 */
export function addLimits(middleware: MiddlewareFunc, limits: BodyLimits): MiddlewareFunc {
  const limited = (next: Next): HandlerFunc => {
    const handler = middleware(next)
    return Object.assign((c: Context) => handler(c), limits)
  }
  return Object.assign(limited, limits)
}
