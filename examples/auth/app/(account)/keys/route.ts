import type { Context } from "fw"
import { createKey, revokeKey } from "../../../lib/auth/api-keys.ts"
import { identityOf } from "../../../lib/auth/identity.ts"
import { goTo } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Page } from "./page.tpl.ts"

/** Creates a key for the service in `name`, or revokes the key in `revoke`. */
export async function Post(c: Context) {
  const { userID } = identityOf(c)
  const texts = textsOf(c)
  const id = await c.formValue("revoke")
  const name = (await c.formValue("name")).trim()
  if (id !== "") {
    await revokeKey(userID, id)
    c.flash(texts.keyRevoked)
  } else if (!/^\P{Cc}{1,60}$/u.test(name)) {
    return c.page(422, texts.keys, Page(c, texts.wrongKeyName))
  } else c.flash(texts.newKey(await createKey(name, userID)))
  return goTo(c, "/keys")
}
