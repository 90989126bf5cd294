import type { Context } from "fw"
import { rules } from "../../lib/auth/rules.ts"
import { signIn } from "../../lib/auth/sessions.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { checkPassword } from "../../lib/auth/users.ts"
import { Page } from "./page.tpl.ts"

/**
 * Handles the form of the login page.
 *
 * @security none
 */
export async function Post(c: Context) {
  const email = await c.formValue("email")
  const user = await checkPassword(email, await c.formValue("password"))
  if (!user) return c.page(422, textsOf(c).notSignedIn, Page(c, email.slice(0, 254)))
  return (await rules.askForCode(c, user)) ?? signIn(c, user)
}
