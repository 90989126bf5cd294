import type { RegistrationResponseJSON } from "@simplewebauthn/server"
import type { Context } from "fw"
import { leaveFlash } from "../../../../lib/auth/flash.ts"
import { readPasskey } from "../../../../lib/auth/passkey-request.ts"
import { listPasskeys, mostPasskeys } from "../../../../lib/auth/passkeys.ts"
import { currentSession } from "../../../../lib/auth/session-cookie.ts"
import { register } from "../../../../lib/auth/webauthn.ts"
import { deviceOf } from "../../../../lib/auth/words.ts"

/** Stores the passkey that the browser has made. It has the name of the device. */
export async function Post(c: Context) {
  const session = currentSession.get(c)
  const response = await readPasskey<RegistrationResponseJSON>(c)
  if (!response) return c.json(400, { error: "invalid request body" })
  if ((await listPasskeys(session.userID)).length >= mostPasskeys) {
    return c.json(409, { error: "too many passkeys" })
  }
  const name = deviceOf(c.header("user-agent")).slice(0, 60)
  const isAdded = await register(c, response, { user: session, owner: `session ${session.handle}`, name })
  if (!isAdded) return c.json(400, { error: "invalid passkey" })
  leaveFlash(c, "/passkeys", { done: "added" })
  return c.json(201, { message: "added" })
}
