import type { Context } from "fw"
import { createAuthenticationOptions } from "../../../../../lib/auth/webauthn.ts"

/**
 * Returns what the browser asks an authenticator for, to sign in.
 *
 * @security none
 */
export async function Post(c: Context) {
  c.setHeader("Cache-Control", "no-store")
  return c.json(200, await createAuthenticationOptions(c))
}
