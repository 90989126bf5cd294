import type { Context } from "fw"
import { identityOf } from "../../../lib/auth/identity.ts"

/**
 * Returns the user of the session or token. No middleware protects this route; the proxy protects every route
 * below /api.
 *
 * @security session __Host-session
 * @security bearer
 */
export function Get(c: Context) {
  const { userID, email, role } = identityOf(c)
  return c.json(200, { user_id: userID, email, role })
}
