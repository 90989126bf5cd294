import type { Context } from "fw"
import { identityOf } from "../../../lib/auth/identity.ts"

/**
 * Who asks, by session or by token. Nothing here guards it: the proxy does, as every route below /api.
 *
 * @security session
 * @security bearer
 */
export function Get(c: Context) {
  const { userID, email, role } = identityOf(c)
  return c.json(200, { user_id: userID, email, role })
}
