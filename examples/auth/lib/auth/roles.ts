/**
 * Middleware that checks roles. It needs another middleware before it, in a directory above, that identifies
 * the user.
 */
import type { MiddlewareFunc } from "fw"
import type { Role } from "./identity.ts"
import { refusal } from "./refusal.ts"

/** Requires that `user_role` is one of these roles. */
export function requireRole(...allowed: readonly [Role, ...Role[]]): MiddlewareFunc {
  return (next) => async (c) => {
    // If nobody is signed in, it is "", which is not a role.
    const role = c.getString("user_role")
    if (!allowed.some((one) => one === role)) return refusal(c, 403, "insufficient permissions")
    return next(c)
  }
}

/** Requires an administrator: `admin` or `super`. */
export function requireAdmin(): MiddlewareFunc {
  return requireRole("admin", "super")
}
