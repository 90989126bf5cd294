import type { Context } from "fw"
import { identityOf } from "../../../../lib/auth/identity.ts"

/** Returns the user of the token. */
export function Get(c: Context) {
  const { userID, email, role } = identityOf(c)
  return c.json(200, { user_id: userID, email, role })
}
