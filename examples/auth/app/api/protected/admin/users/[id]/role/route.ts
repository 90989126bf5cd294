import type { Context } from "fw"
import { isRole, type Role, roles } from "../../../../../../../lib/auth/identity.ts"
import { setRole } from "../../../../../../../lib/auth/users.ts"

/** Changes the role of a user: `{"role": "admin"}`. */
export async function Put(c: Context<"id">) {
  const { role } = { ...(await c.bind<{ role: Role }>()) }
  // `c.bind()` checks nothing if no validators were generated, such as under plain node.
  if (!isRole(role)) return c.json(400, { error: `role is one of ${roles.join(", ")}` })
  if (!(await setRole(c.param("id"), role))) return c.json(404, { error: "no such user" })
  return c.noContent()
}
