/** The user of a request: the context keys that every way to sign in sets, with their types. */
import type { Context } from "fw"

/** Every role, with increasing rights. */
export const roles = ["user", "admin", "super"] as const

export type Role = (typeof roles)[number]

export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value)
}

/** A signed-in user. */
export interface Identity {
  readonly userID: string
  readonly email: string
  readonly role: Role
}

/** Sets `user_id`, `user_email` and `user_role`. */
export function identify(c: Context, { userID, email, role }: Identity): void {
  c.set("user_id", userID)
  c.set("user_email", email)
  c.set("user_role", role)
}

/**
 * Returns the signed-in user. @throws Error if no middleware has set one, because the route is then not
 * protected.
 */
export function identityOf(c: Context): Identity {
  const userID = c.getString("user_id")
  const role = c.get("user_role")
  if (userID === "" || !isRole(role))
    throw new Error(`${c.path} needs a signed-in user, but no middleware requires one`)
  return { userID, email: c.getString("user_email"), role }
}
