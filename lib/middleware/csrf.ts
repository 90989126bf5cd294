/** `csrf()`: refuses requests from pages of other origins (cross-site request forgery). */
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
   * Further origins whose pages may send requests, such as `https://admin.example`, or a function that decides.
   * Default: none.
   */
  readonly origins?: Origins
}

/** Methods that must not change anything (RFC 9110 §9.2.1). */
const safeMethod = /^(?:GET|HEAD|OPTIONS)$/

/**
 * Answers 403 to a method that may change data if the request is from a page of another origin; a subdomain is another
 * origin. It checks `Sec-Fetch-Site` and `Origin`, which pages cannot forge, so no token is needed. It does not check
 * content types, because forms can send more of them than most people expect.
 *
 * @throws FwError `csrf` for an unknown option and for an invalid origin.
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
