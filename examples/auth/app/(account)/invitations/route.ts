import type { Context } from "fw"
import { invite } from "../../../lib/auth/invitations.ts"
import { currentSignIn, goTo } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { isEmail } from "../../../lib/auth/users.ts"
import { Page } from "./page.tpl.ts"

/** Sends an invitation. */
export async function Post(c: Context) {
  const texts = textsOf(c)
  const email = await c.formValue("email")
  if (!isEmail(email)) return c.page(422, texts.invitations, Page(c, email.slice(0, 254), texts.wrongEmail))
  await invite(c, email, currentSignIn.get(c).user)
  c.flash(texts.invited(email))
  return goTo(c, "/invitations")
}
