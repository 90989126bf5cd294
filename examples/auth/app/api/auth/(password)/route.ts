import type { Context } from "fw"
import { readLogin } from "../../../../lib/auth/credentials.ts"
import { signToken, tokenLifetime } from "../../../../lib/auth/jwt.ts"
import { refreshLifetime, startRefresh } from "../../../../lib/auth/refresh-tokens.ts"
import { rules } from "../../../../lib/auth/rules.ts"
import { checkPassword } from "../../../../lib/auth/users.ts"

/**
 * Returns a token for an email address and a password; with `"refresh": true` also a refresh token.
 *
 * @security none
 */
export async function Post(c: Context) {
  const login = await readLogin(c)
  if (!login) return c.json(400, { error: "invalid request body" })
  const user = await checkPassword(login.email, login.password)
  if (!user) return c.json(401, { error: "invalid credentials" })
  if (!(await rules.isCode(user, login.code ?? ""))) return c.json(401, { error: "invalid code" })
  c.setHeader("Cache-Control", "no-store")
  try {
    const token = await signToken({ ...user, userID: user.id })
    const made = { token, expires_in: tokenLifetime }
    if (!login.refresh) return c.json(200, made)
    const refresh = await startRefresh(user.id)
    return c.json(200, { ...made, refresh_token: refresh.token, refresh_expires_in: refreshLifetime })
  } catch (error) {
    console.error("no token could be made:", error)
    return c.json(500, { error: "token could not be created" })
  }
}
