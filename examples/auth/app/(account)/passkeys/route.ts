import type { Context } from "fw"
import { identityOf } from "../../../lib/auth/identity.ts"
import { removePasskey } from "../../../lib/auth/passkeys.ts"
import { goTo } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"

/** Removes one of the user's passkeys. */
export async function Post(c: Context) {
  const isRemoved = await removePasskey(identityOf(c).userID, await c.formValue("remove"))
  c.flash(isRemoved ? textsOf(c).passkeyRemoved : textsOf(c).passkeyGone)
  return goTo(c, "/passkeys")
}
