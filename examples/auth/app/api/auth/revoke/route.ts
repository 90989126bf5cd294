import type { Context } from "fw"
import { type RefreshRequest, revokeRefresh } from "../../../../lib/auth/refresh-tokens.ts"

/**
 * Revokes a refresh token and all tokens of its login. The response does not reveal if the token existed.
 *
 * @security none
 */
export async function Post(c: Context) {
  const { refresh_token } = await c.bind<RefreshRequest>()
  await revokeRefresh(refresh_token)
  return c.noContent()
}
