import type { Context } from "fw"
import { currentSignIn, goTo, revokeOtherSignIns, revokeSignIn } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"

/** Ends one of the user's sessions, by its id, or all `others`. */
export async function Post(c: Context) {
  const { id, user } = currentSignIn.get(c)
  const texts = textsOf(c)
  const end = await c.formValue("end")
  if (end === "others") {
    await revokeOtherSignIns(user.id, id)
    c.flash(texts.othersEnded)
  } else c.flash((await revokeSignIn(user.id, end)) ? texts.sessionEnded : texts.sessionGone)
  return goTo(c, "/sessions")
}
