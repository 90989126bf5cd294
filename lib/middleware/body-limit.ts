/** `bodyLimit()`: sets another size limit for the bodies of some routes. */
import { checkBodyLimit } from "../config.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Sets the size limit, in bytes, for request bodies on the routes below; the nearest limit applies.
 *
 * @throws FwError for a value that is not a number of bytes.
 * @example
 * app.post("/avatar", bodyLimit(4), async (c) => c.json(200, (await c.bytes()).length))
 * const answer = await app.request("/avatar", { method: "POST", body: "12345" })
 * answer.status // → 413
 */
export function bodyLimit(bytes: number): MiddlewareFunc & { readonly answers?: 413 } {
  checkBodyLimit(bytes, "bodyLimit()'s limit")
  const middleware: MiddlewareFunc = (next) => next
  return Object.assign(middleware, { bodyLimit: bytes })
}
