/** Only `super` may change roles. */
import type { MiddlewareFunc } from "fw"
import { requireRole } from "../../../../../../../lib/auth/roles.ts"

export function Middleware(): MiddlewareFunc {
  return requireRole("super")
}
