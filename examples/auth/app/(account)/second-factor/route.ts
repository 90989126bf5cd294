import type { Context } from "fw"
import { currentSignIn, goTo } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { countRecoveryCodes, turnOff, turnOn, useCode } from "../../../lib/auth/totp.ts"
import { Page } from "./page.tpl.ts"

/** Turns the second factor on or off. Both need a code. */
export async function Post(c: Context) {
  const { id } = currentSignIn.get(c).user
  const texts = textsOf(c)
  const code = await c.formValue("code")
  const refuse = () => c.page(422, texts.secondFactor, Page(c, texts.wrongCode))
  if ((await countRecoveryCodes(id)) === null) {
    const codes = await turnOn(c, id, code)
    if (codes === null) return refuse()
    c.flash(texts.recoveryCodes(codes.join(" ")))
  } else {
    if (!(await useCode(id, code))) return refuse()
    await turnOff(id)
    c.flash(texts.secondFactorOff)
  }
  return goTo(c, "/second-factor")
}
