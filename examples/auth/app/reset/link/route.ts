import type { Context } from "fw"
import { computeDigest } from "../../../lib/auth/secrets.ts"

/**
 * Opens the link of a mail. The token is stored in the session, so that it is not in the browser's history and in
 * logs. Nothing changes yet, because mail servers open links to check them.
 */
export function Get(c: Context) {
  c.session.set("reset", computeDigest(c.query("token")))
  return c.redirect(303, "/reset")
}
