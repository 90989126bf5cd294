/** `csrf()`: refuses requests that pages of other origins make (cross-site request forgery). */
import { checkKeys } from "../checks.ts"
import { forbidden } from "../errors.ts"
import { checkOrigins, isForeign, type Origins } from "../origin.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * What `csrf()` takes.
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
const safe = /^(?:GET|HEAD|OPTIONS)$/

/**
 * Answers 403 to a method that changes something when another origin's page made the request, a subdomain's too. It
 * goes by `Sec-Fetch-Site` and `Origin`, which no page can forge, and not by content types, of which a form can send
 * more than one thinks. No token is needed.
 *
 * @throws FwError `csrf` for an unknown option, and an origin that is none.
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
    if (safe.test(c.method) || !(await isForeign(c, origins))) return next(c)
    return forbidden("the request comes from a page of another origin")
  }
}
