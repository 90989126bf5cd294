import type { Context } from "fw"
import { isRole, roles } from "../../../../../../../lib/auth/identity.ts"
import { setRole } from "../../../../../../../lib/auth/users.ts"

/** Changes the role of a user: `{"role": "admin"}`. */
export async function Put(c: Context<"id">) {
  const { role } = { ...(await c.bind<{ role?: string } | null>()) }
  if (!isRole(role)) return c.json(400, { error: `role is one of ${roles.join(", ")}` })
  if (!(await setRole(c.param("id"), role))) return c.json(404, { error: "no such user" })
  return c.noContent()
}
