import type { Context } from "fw"
import { identityOf } from "../../../../lib/auth/identity.ts"
import { listPasskeys, maxPasskeys } from "../../../../lib/auth/passkeys.ts"
import { textsOf } from "../../../../lib/auth/texts.ts"
import { type NewPasskeyAnswer, register } from "../../../../lib/auth/webauthn.ts"
import { describeDevice } from "../../../../lib/auth/words.ts"

/** Stores the passkey that the browser has made. It has the name of the device. */
export async function Post(c: Context) {
  const user = identityOf(c)
  const answer = await c.bind<NewPasskeyAnswer>()
  if ((await listPasskeys(user.userID)).length >= maxPasskeys) {
    return c.json(409, { error: "too many passkeys" })
  }
  const isAdded = await register(c, answer, user, describeDevice(c, c.header("user-agent")).slice(0, 60))
  if (!isAdded) return c.json(400, { error: "invalid passkey" })
  c.flash(textsOf(c).passkeyAdded)
  return c.json(201, { message: "added" })
}
