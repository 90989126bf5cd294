import type { AuthenticationResponseJSON } from "@simplewebauthn/server"
import type { Context } from "fw"
import { markedBrowser, readPasskey } from "../../../../lib/auth/passkey-request.ts"
import { startSession } from "../../../../lib/auth/session-cookie.ts"
import { findUser } from "../../../../lib/auth/users.ts"
import { authenticate } from "../../../../lib/auth/webauthn.ts"

/**
 * Creates a session for the user of a passkey.
 *
 * @security none
 */
export async function Post(c: Context) {
  const response = await readPasskey<AuthenticationResponseJSON>(c)
  if (!response) return c.json(400, { error: "invalid request body" })
  const userID = await authenticate(c, response, markedBrowser(c))
  const user = userID === null ? null : await findUser(userID)
  if (!user) return c.json(401, { error: "invalid passkey" })
  await startSession(c, user)
  return c.json(200, { message: "signed in" })
}
