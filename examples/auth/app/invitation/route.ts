import type { Context } from "fw"
import { computeDigest } from "../../lib/auth/secrets.ts"

/** Opens the link of an invitation. The session has its token on the page to sign up. */
export function Get(c: Context) {
  c.session.set("invitation", computeDigest(c.query("token")))
  return c.redirect(303, "/signup")
}
