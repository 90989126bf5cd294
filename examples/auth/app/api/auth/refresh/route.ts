import type { Context } from "fw"
import { signToken, tokenLifetime } from "../../../../lib/auth/jwt.ts"
import { type RefreshRequest, rotate } from "../../../../lib/auth/refresh-tokens.ts"
import { findUser } from "../../../../lib/auth/users.ts"

/**
 * Exchanges a refresh token for a new token and the next refresh token. If one is used twice, all tokens of
 * its login end.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { refresh_token } = await c.bind<RefreshRequest>()
  const next = await rotate(refresh_token)
  const user = next && (await findUser(next.userID))
  if (!user) return c.json(401, { error: "invalid refresh token" })
  c.setHeader("Cache-Control", "no-store")
  return c.json(200, {
    token: await signToken({ ...user, userID: user.id }),
    expires_in: tokenLifetime,
    refresh_token: next.token,
    refresh_expires_in: Math.max(0, Math.floor((next.expiresAt.getTime() - Date.now()) / 1000)),
  })
}
