import type { Context } from "fw"
import { securityContact } from "../../../lib/env.ts"

const month = 30 * 24 * 60 * 60 * 1000

/** Where to report a hole (RFC 9116). It is said to be fresh for a month, as it is made when asked for. */
export function Get(c: Context) {
  const expires = new Date(Date.now() + month).toISOString()
  return c.string(200, `Contact: ${securityContact}\nExpires: ${expires}\n`)
}
