import type { Context } from "fw"
import { listUsers } from "../../../../../lib/auth/users.ts"

/** Lists all users. */
export async function Get(c: Context) {
  const users = await listUsers()
  return c.json(200, { users: users.map(({ id, email, role }) => ({ id, email, role })) })
}
