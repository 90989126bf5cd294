import type { Context } from "fw"
import type { Session } from "../../../../lib/auth/sessions.ts"
import { creationOptions } from "../../../../lib/auth/webauthn.ts"

/** Returns what the browser asks an authenticator for, to make a passkey. */
export async function Post(c: Context) {
  const session = c.get<Session>("session") as Session
  return c.json(200, await creationOptions(c, session, `session ${session.handle}`))
}
