import type { Context } from "fw"
import { openInvitation } from "../../lib/auth/invitations.ts"

/** Opens the link of an invitation. */
export function Get(c: Context) {
  return openInvitation(c)
}
