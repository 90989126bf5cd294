import type { Context } from "fw"
import { currentSession } from "../../../../lib/auth/session-cookie.ts"
import { creationOptions } from "../../../../lib/auth/webauthn.ts"

/** Returns what the browser asks an authenticator for, to make a passkey. */
export async function Post(c: Context) {
  const session = currentSession.get(c)
  return c.json(200, await creationOptions(c, session, `session ${session.handle}`))
}
