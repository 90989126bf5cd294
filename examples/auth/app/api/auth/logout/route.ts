import type { Context } from "fw"
import { endSession, loginPath } from "../../../../lib/auth/session-cookie.ts"

/**
 * Ends the session. For htmx, a header names the page to go to.
 *
 * @security none
 */
export async function Post(c: Context) {
  await endSession(c)
  if (!c.isHTMX) return c.json(200, { message: "signed out" })
  c.setHeader("HX-Redirect", loginPath)
  return c.noContent()
}
