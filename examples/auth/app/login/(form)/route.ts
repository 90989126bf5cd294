import type { Context } from "fw"
import { readLoginForm } from "../../../lib/auth/credentials.ts"
import { goTo } from "../../../lib/auth/flash.ts"
import { dashboardPath, loginPath, startSession } from "../../../lib/auth/session-cookie.ts"
import { checkPassword } from "../../../lib/auth/users.ts"

/**
 * Handles the form of the login page.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { email, password } = await readLoginForm(c)
  const user = await checkPassword(email, password)
  if (!user) return goTo(c, loginPath, { problem: "credentials", email: email.slice(0, 254) })
  await startSession(c, user)
  return goTo(c, dashboardPath)
}
