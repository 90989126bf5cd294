import type { Context } from "fw"
import { identityOf } from "../../../../lib/auth/identity.ts"
import { createRegistrationOptions } from "../../../../lib/auth/webauthn.ts"

/** Returns what the browser asks an authenticator for, to make a passkey. */
export async function Post(c: Context) {
  return c.json(200, await createRegistrationOptions(c, identityOf(c)))
}
