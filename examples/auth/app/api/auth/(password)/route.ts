import type { Context } from "fw"
import { signToken, tokenLifetime } from "../../../../lib/auth/jwt.ts"
import { refreshLifetime, startRefresh } from "../../../../lib/auth/refresh-tokens.ts"
import { rules } from "../../../../lib/auth/rules.ts"
import { checkPassword } from "../../../../lib/auth/users.ts"

interface LoginRequest {
  email: string
  password: string
  /** True to get a refresh token too. */
  refresh?: boolean
  /** The code of a second factor, if the user has one. */
  code?: string
}

/**
 * Returns a token for an email address and a password; with `"refresh": true` also a refresh token.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { email, password, refresh, code = "" } = await c.bind<LoginRequest>()
  const user = await checkPassword(email, password)
  if (!user) return c.json(401, { error: "invalid credentials" })
  if (!(await rules.isCode(user, code))) return c.json(401, { error: "invalid code" })
  c.setHeader("Cache-Control", "no-store")
  const answer = { token: await signToken({ ...user, userID: user.id }), expires_in: tokenLifetime }
  if (!refresh) return c.json(200, answer)
  const { token } = await startRefresh(user.id)
  return c.json(200, { ...answer, refresh_token: token, refresh_expires_in: refreshLifetime })
}
