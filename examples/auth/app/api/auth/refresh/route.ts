import type { Context } from "fw"
import { signToken, tokenLifetime } from "../../../../lib/auth/jwt.ts"
import { readRefresh, rotate } from "../../../../lib/auth/refresh-tokens.ts"
import { findUser } from "../../../../lib/auth/users.ts"

/**
 * Exchanges a refresh token for a new token and the next refresh token. If one is used twice, all tokens of
 * its login end.
 *
 * @security none
 */
export async function Post(c: Context) {
  const given = await readRefresh(c)
  if (given === null) return c.json(400, { error: "invalid request body" })
  const next = await rotate(given)
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
