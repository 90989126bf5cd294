import type { Context } from "fw"
import { readRefresh, revokeRefresh } from "../../../../lib/auth/refresh-tokens.ts"

/**
 * Revokes a refresh token and all tokens of its login. The response does not reveal if the token existed.
 *
 * @security none
 */
export async function Post(c: Context) {
  const given = await readRefresh(c)
  if (given === null) return c.json(400, { error: "invalid request body" })
  await revokeRefresh(given)
  return c.noContent()
}
