import type { Context } from "fw"
import { problemOf, readLogin } from "../../../../../lib/auth/credentials.ts"
import { addUser } from "../../../../../lib/auth/users.ts"

/**
 * Creates an account from an email address and a password.
 *
 * @security none
 */
export async function Post(c: Context) {
  const login = await readLogin(c)
  const problem = login ? problemOf(login) : "invalid request body"
  if (!login || problem) return c.json(400, { error: problem })
  const user = await addUser(login.email, login.password)
  if (!user) return c.json(409, { error: "email is taken" })
  return c.json(201, { id: user.id, email: user.email, role: user.role })
}
