import { type Context, forbidden } from "fw"
import { isEmail, isPasswordLength, readLogin } from "../../../../../lib/auth/credentials.ts"
import { rules } from "../../../../../lib/auth/rules.ts"
import { addUser } from "../../../../../lib/auth/users.ts"

/**
 * Creates an account from an email address and a password.
 *
 * @security none
 */
export async function Post(c: Context) {
  const login = await readLogin(c)
  if (!login) return c.json(400, { error: "invalid request body" })
  if (rules.needsInvitation) throw forbidden("an invitation is needed")
  if (!isEmail(login.email)) return c.json(400, { error: "invalid email" })
  if (!isPasswordLength(login.password)) return c.json(400, { error: "invalid password length" })
  const user = await addUser(login)
  if (!user) return c.json(409, { error: "email is taken" })
  return c.json(201, { id: user.id, email: user.email, role: user.role })
}
