import { type Context, forbidden } from "fw"
import { sendVerification } from "../../lib/auth/links.ts"
import { isPasswordLength } from "../../lib/auth/passwords.ts"
import { rules } from "../../lib/auth/rules.ts"
import { signIn } from "../../lib/auth/sessions.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { addUser, isEmail } from "../../lib/auth/users.ts"
import { Page } from "./page.tpl.ts"

/**
 * Handles the form of the sign-up page, and signs the new user in.
 *
 * @security none
 */
export async function Post(c: Context) {
  const texts = textsOf(c)
  const invited = await rules.findInvited(c)
  if (rules.needsInvitation && invited === undefined) throw forbidden(texts.onlyInvited)
  const email = invited ?? (await c.formValue("email"))
  const password = await c.formValue("password")
  const refuse = (problem: string, about: "email" | "password") =>
    c.page(422, texts.notSignedUp, Page(c, email.slice(0, 254), problem, about))
  if (!isEmail(email)) return refuse(texts.wrongEmail, "email")
  if (!isPasswordLength(password)) return refuse(texts.wrongPassword, "password")
  // The invitation was sent to this address, so the address is verified.
  const user = await addUser({ email, password, isVerified: invited !== undefined })
  if (!user) return refuse(texts.takenEmail, "email")
  if (!user.isVerified) await sendVerification(c, user)
  return signIn(c, user)
}
