import type { Context } from "fw"
import { readRefresh } from "../../../../lib/auth/refresh-request.ts"
import { revokeRefresh } from "../../../../lib/auth/refresh-tokens.ts"

/** Ends a refresh token, and all that came of its login. Says nothing of whether there was one. */
export async function Post(c: Context) {
  const given = await readRefresh(c)
  if (given === null) return c.json(400, { error: "invalid request body" })
  await revokeRefresh(given)
  return c.noContent()
}
