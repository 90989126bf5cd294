import type { Context } from "fw"
import { goTo, loginPath, signOut } from "../../lib/auth/sessions.ts"
import { textsOf } from "../../lib/auth/texts.ts"

/**
 * Handles the sign-out button.
 *
 * @security none
 */
export async function Post(c: Context) {
  await signOut(c)
  c.flash(textsOf(c).signedOut)
  return goTo(c, loginPath)
}
