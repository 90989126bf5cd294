/** Guards by role. They come after a middleware that says who asks: in a directory below its. */
import type { MiddlewareFunc } from "fw"
import type { Role } from "./identity.ts"

/** Lets a request pass when `user_role` is one of these. */
export function requireRole(...allowed: readonly [Role, ...Role[]]): MiddlewareFunc {
  return (next) => async (c) => {
    // Compared as texts: where nobody has signed in it is "", which is no role.
    const role = c.getString("user_role")
    if (!allowed.some((one) => one === role)) return c.json(403, { error: "insufficient permissions" })
    return next(c)
  }
}

/** For administrators: `admin` and `super`. */
export function requireAdmin(): MiddlewareFunc {
  return requireRole("admin", "super")
}
