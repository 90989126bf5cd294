/** `csrf()`: refuses requests that pages of other origins make (cross-site request forgery). */
import { checkKeys } from "../checks.ts"
import { forbidden } from "../errors.ts"
import { checkOrigins, isCrossOrigin, type Origins } from "../request/origin.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Options of `csrf()`.
 *
 * @example
 * const options: CSRFOptions = { origins: ["https://admin.example"] }
 * app.use(csrf(options))
 */
export interface CSRFOptions {
  /**
   * Other origins whose pages may send requests, such as `https://admin.example`, or a function that decides.
   * Default: none.
   */
  readonly origins?: Origins
}

/** RFC 9110 §9.2.1: these methods must not change anything. */
const safeMethod = /^(?:GET|HEAD|OPTIONS)$/

/**
 * Answers 403 to a method that changes data if a page of another origin made the request, including
 * subdomains. It checks `Sec-Fetch-Site` and `Origin`, which pages cannot forge. It does not check content
 * types, because forms can send more of them than expected. No token is needed.
 *
 * @throws FwError `csrf` for an unknown option, and an invalid origin.
 * @example
 * app.use(csrf())
 * app.post("/transfer", (c) => c.string(200, "done"))
 * const answer = await app.request("/transfer", { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } })
 * answer.status // → 403
 */
export function csrf(options: CSRFOptions = {}): MiddlewareFunc {
  checkKeys(options, ["origins"], "csrf", "csrf()")
  const { origins = [] } = options
  checkOrigins(origins, "csrf", "csrf()")
  return (next) => async (c) => {
    if (safeMethod.test(c.method) || !(await isCrossOrigin(c, origins))) return next(c)
    return forbidden("the request comes from a page of another origin")
  }
}
