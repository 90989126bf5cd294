import type { Context } from "fw"
import { problemOf, readLoginForm } from "../../../lib/auth/credentials.ts"
import { goTo } from "../../../lib/auth/flash.ts"
import { dashboardPath, startSession } from "../../../lib/auth/session-cookie.ts"
import { addUser } from "../../../lib/auth/users.ts"

/**
 * Handles the form of the sign-up page, and signs the new user in.
 *
 * @security none
 */
export async function Post(c: Context) {
  const login = await readLoginForm(c)
  const email = login.email.slice(0, 254)
  const problem = problemOf(login)
  if (problem) return goTo(c, "/signup", { problem: problem.includes("email") ? "email" : "password", email })
  const user = await addUser(login.email, login.password)
  if (!user) return goTo(c, "/signup", { problem: "taken", email })
  await startSession(c, user)
  return goTo(c, dashboardPath)
}
