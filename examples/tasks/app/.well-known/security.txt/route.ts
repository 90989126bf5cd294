import type { Context } from "fw"
import { securityContact } from "../../../lib/env.ts"

const month = 30 * 24 * 60 * 60 * 1000

/**
 * Returns the contact for security reports (RFC 9116). It expires in a month from now, because it is
 * generated on request.
 */
export function Get(c: Context) {
  const expires = new Date(Date.now() + month).toISOString()
  return c.string(200, `Contact: ${securityContact}\nExpires: ${expires}\n`)
}
