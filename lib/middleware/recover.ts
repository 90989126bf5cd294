/** `recover()`: replaces the response to bugs, which is a 500 without details. */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError, internalServerError } from "../errors.ts"
import type { HandlerResult, MiddlewareFunc } from "../types.ts"

/**
 * Options of `recover()`.
 *
 * @example
 * const options: RecoverOptions = { answer: (c) => c.html(500, "<h1>Something went wrong</h1>") }
 * app.use(recover(options))
 */
export interface RecoverOptions {
  /**
   * Returns the response. Default: `{error: "internal_server_error", message: "internal server error"}` with
   * 500.
   */
  readonly answer?: (c: Context, error: unknown) => HandlerResult
}

/**
 * Handles errors of inner handlers and middleware that are not an HttpError, which are bugs. Without it, the app
 * reports bugs and answers 500 too; this middleware changes only the response.
 *
 * @throws FwError `recover` for an unknown option.
 * @example
 * app.use(recover({ answer: (c) => c.json(500, { error: "our fault" }) }))
 * app.get("/", () => {
 *   throw new Error("a bug")
 * })
 * const answer = await app.request("/")
 * await answer.json() // → { error: "our fault" }
 */
export function recover(options: RecoverOptions = {}): MiddlewareFunc {
  checkKeys(options, ["answer"], "recover", "recover()", { answer: "function" })
  const { answer } = options
  return (next) => async (c) => {
    const response = await next(c)
    if (c.error === undefined || c.error instanceof HttpError) return response
    return answer ? answer(c, c.error) : internalServerError("internal server error")
  }
}
