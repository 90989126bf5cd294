/** The pages of an account are for those who are signed in, and their forms come from these pages alone. */
import { csrf, type MiddlewareFunc } from "fw"
import { requireSession } from "../../lib/auth/session-cookie.ts"

/** @security session */
export function Middleware(): MiddlewareFunc[] {
  return [csrf(), requireSession()]
}
