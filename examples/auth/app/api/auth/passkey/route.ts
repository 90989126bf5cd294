import type { Context } from "fw"
import { signIn } from "../../../../lib/auth/sessions.ts"
import { findUser } from "../../../../lib/auth/users.ts"
import { authenticate, type PasskeyAnswer } from "../../../../lib/auth/webauthn.ts"

/**
 * Creates a session for the user of a passkey. The answer has the page to go to.
 *
 * @security none
 */
export async function Post(c: Context) {
  const userID = await authenticate(c, await c.bind<PasskeyAnswer>())
  const user = userID === null ? null : await findUser(userID)
  if (!user) return c.json(401, { error: "invalid passkey" })
  return c.json(200, { next: (await signIn(c, user)).headers.get("location") })
}
