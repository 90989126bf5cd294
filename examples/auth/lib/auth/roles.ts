/**
 * Middleware that checks roles. It needs another middleware before it, in a directory above, that identifies
 * the user. The list of roles is in identity.ts.
 */
import { forbidden, type MiddlewareFunc } from "fw"
import { type Role, roles } from "./identity.ts"

/** Requires that `user_role` is one of these roles. */
export function requireRole(...allowed: readonly [Role, ...Role[]]): MiddlewareFunc {
  return (next) => (c) => {
    // If nobody is signed in, it is "", which is not a role.
    if (!allowed.some((role) => role === c.getString("user_role")))
      throw forbidden("insufficient permissions")
    return next(c)
  }
}

/** Requires an administrator: any role but the lowest. */
export function requireAdmin(): MiddlewareFunc {
  const [, ...higher] = roles
  return requireRole(...higher)
}
