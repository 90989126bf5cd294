import type { Context } from "fw"
import { createKey, revokeKey } from "../../../lib/auth/api-keys.ts"
import { goTo } from "../../../lib/auth/flash.ts"
import { identityOf } from "../../../lib/auth/identity.ts"

/** Creates a key for the service in `name`, or revokes the key in `revoke`. */
export async function Post(c: Context) {
  const { userID } = identityOf(c)
  const id = await c.formValue("revoke")
  if (id !== "") {
    await revokeKey(userID, id)
    return goTo(c, "/keys", { done: "revoked" })
  }
  const name = (await c.formValue("name")).trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (name === "" || [...name].length > 60 || /[\x00-\x1f\x7f]/.test(name)) {
    return goTo(c, "/keys", { problem: "name" })
  }
  return goTo(c, "/keys", { key: await createKey(name, userID) })
}
