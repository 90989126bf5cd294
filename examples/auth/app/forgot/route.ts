import type { Context } from "fw"
import { resetLifetime, sendReset } from "../../lib/auth/links.ts"
import { goTo } from "../../lib/auth/sessions.ts"
import { textsOf } from "../../lib/auth/texts.ts"

/**
 * Handles the form for a forgotten password. The answer is the same for every address, and so is its time.
 *
 * @security none
 */
export async function Post(c: Context) {
  sendReset(c, (await c.formValue("email")).slice(0, 254))
  c.flash(textsOf(c).linkSent(resetLifetime / 60))
  return goTo(c, "/forgot")
}
