/** The account pages require a session, and accept forms only from this application's own pages. */
import { csrf, type MiddlewareFunc } from "fw"
import { requireSession } from "../../lib/auth/sessions.ts"

/** @security session __Host-session */
export function Middleware(): MiddlewareFunc[] {
  return [csrf(), requireSession()]
}
