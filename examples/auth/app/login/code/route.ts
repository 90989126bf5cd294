import type { Context } from "fw"
import { goTo, loginPath, signIn } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { findHalfSignedIn, useCode } from "../../../lib/auth/totp.ts"
import { Page } from "./page.tpl.ts"

/**
 * Handles the code of the second factor, after the password.
 *
 * @security none
 */
export async function Post(c: Context) {
  const user = await findHalfSignedIn(c)
  if (!user) return goTo(c, loginPath)
  const texts = textsOf(c)
  if (!(await useCode(user.id, await c.formValue("code"))))
    return c.page(422, texts.notSignedIn, Page(c, texts.wrongCode))
  c.session.delete("halfSignedIn")
  return signIn(c, user)
}
