import type { Context } from "fw"
import { goTo } from "../../../lib/auth/flash.ts"
import { identityOf } from "../../../lib/auth/identity.ts"
import { removePasskey } from "../../../lib/auth/passkeys.ts"

/** Removes one of the user's passkeys. */
export async function Post(c: Context) {
  const isRemoved = await removePasskey(identityOf(c).userID, await c.formValue("remove"))
  return goTo(c, "/passkeys", { done: isRemoved ? "removed" : "gone" })
}
