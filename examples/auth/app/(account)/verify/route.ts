import type { Context } from "fw"
import { sendVerification, verify } from "../../../lib/auth/links.ts"
import { currentSignIn, goTo, homePath } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"

/** Opens the link of a mail, which verifies the address of the user who is signed in. */
export async function Get(c: Context) {
  const isVerified = await verify(c.query("token"), currentSignIn.get(c).user)
  c.flash(isVerified ? textsOf(c).verified : textsOf(c).oldLink)
  return c.redirect(303, homePath)
}

/** Sends the link again. */
export async function Post(c: Context) {
  await sendVerification(c, currentSignIn.get(c).user)
  c.flash(textsOf(c).verifySent)
  return goTo(c, homePath)
}
