import { type Context, forbidden } from "fw"
import { isPasswordLength } from "../../../../../lib/auth/passwords.ts"
import { rules } from "../../../../../lib/auth/rules.ts"
import { addUser, isEmail } from "../../../../../lib/auth/users.ts"

/**
 * Creates an account from an email address and a password.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { email, password } = await c.bind<{ email: string; password: string }>()
  if (rules.needsInvitation) throw forbidden("an invitation is needed")
  if (!isEmail(email)) return c.json(400, { error: "invalid email" })
  if (!isPasswordLength(password)) return c.json(400, { error: "invalid password length" })
  const user = await addUser({ email, password })
  if (!user) return c.json(409, { error: "email is taken" })
  return c.json(201, { id: user.id, email: user.email, role: user.role })
}
