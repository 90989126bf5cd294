import type { Context } from "fw"
import { isPasswordLength } from "../../../lib/auth/credentials.ts"
import { goTo } from "../../../lib/auth/flash.ts"
import { originOf } from "../../../lib/auth/origin.ts"
import { forgetReset, resetTokenOf, resetting } from "../../../lib/auth/reset-page.ts"
import { reportReset, resetPassword } from "../../../lib/auth/resets.ts"
import { loginPath } from "../../../lib/auth/session-cookie.ts"

/**
 * Sets the new password. The user then signs in with it.
 *
 * @security none
 */
export async function Post(c: Context) {
  const password = await c.formValue("password")
  // The link can still be used.
  if (!isPasswordLength(password)) return goTo(c, "/reset", { problem: "password" })
  const origin = originOf(c, resetting)
  const email = await resetPassword(resetTokenOf(c), password)
  forgetReset(c)
  if (email === null) return goTo(c, "/forgot", { problem: "expired" })
  c.waitUntil(reportReset(email, origin))
  return goTo(c, loginPath, { done: "reset" })
}
