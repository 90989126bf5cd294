import type { Context } from "fw"
import { readLoginForm } from "../../../../../lib/auth/credentials.ts"
import { dashboardPath, startSession } from "../../../../../lib/auth/session-cookie.ts"
import { checkPassword } from "../../../../../lib/auth/users.ts"

/**
 * Creates a session from the form fields `email` and `password`. For htmx, a header names the page to go to.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { email, password } = await readLoginForm(c)
  const user = await checkPassword(email, password)
  if (!user) return c.json(401, { error: "invalid credentials" })
  try {
    await startSession(c, user)
  } catch (error) {
    console.error("no session could be made:", error)
    return c.json(500, { error: "session could not be created" })
  }
  if (!c.isHTMX) return c.json(200, { message: "signed in" })
  c.setHeader("HX-Redirect", dashboardPath)
  return c.noContent()
}
