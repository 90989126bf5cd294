import type { AuthenticationResponseJSON } from "@simplewebauthn/server"
import type { Context } from "fw"
import { readPasskey } from "../../../../lib/auth/passkey-request.ts"
import { signIn } from "../../../../lib/auth/sessions.ts"
import { findUser } from "../../../../lib/auth/users.ts"
import { authenticate } from "../../../../lib/auth/webauthn.ts"

/**
 * Creates a session for the user of a passkey. The answer has the page to go to.
 *
 * @security none
 */
export async function Post(c: Context) {
  const response = await readPasskey<AuthenticationResponseJSON>(c)
  if (!response) return c.json(400, { error: "invalid request body" })
  const userID = await authenticate(c, response)
  const user = userID === null ? null : await findUser(userID)
  if (!user) return c.json(401, { error: "invalid passkey" })
  return c.json(200, { next: (await signIn(c, user)).headers.get("location") })
}
