import type { Context } from "fw"
import { resetPassword } from "../../lib/auth/links.ts"
import { mailLater } from "../../lib/auth/mail.ts"
import { isPasswordLength } from "../../lib/auth/passwords.ts"
import { goTo, loginPath } from "../../lib/auth/sessions.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { Page } from "./page.tpl.ts"

/**
 * Sets the new password. The user then signs in with it.
 *
 * @security none
 */
export async function Post(c: Context) {
  const texts = textsOf(c)
  const password = await c.formValue("password")
  // The link can still be used.
  if (!isPasswordLength(password)) return c.page(422, texts.newPassword, Page(c, texts.wrongPassword))
  const email = await resetPassword(c, password)
  c.flash(email === null ? texts.oldLink : texts.passwordSet)
  if (email === null) return goTo(c, "/forgot")
  mailLater(c, email, (mails, host, origin) => mails.changed(host, `${origin}/forgot`))
  return goTo(c, loginPath)
}
