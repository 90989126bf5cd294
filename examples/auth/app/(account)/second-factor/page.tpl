import type { Context } from "fw"
import { raw } from "fw/html"
import { renderSVG } from "uqr"
import { currentSignIn } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { countRecoveryCodes, prepareSecondFactor } from "../../../lib/auth/totp.ts"
import { Account, Field, Form } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).secondFactor

template Page(c: Context, problem?: string) {
  {const { user } = currentSignIn.get(c)}
  {const left = await countRecoveryCodes(user.id)}
  {const texts = textsOf(c)}
  {const isWrong = problem !== undefined}
  {Account(c, texts.secondFactor) {
    <p class="max-w-prose text-muted">{texts.secondFactorAbout}</p>
    {if (left === null) {
      {const { secret, url } = prepareSecondFactor(c, user)}
      <div class="card mt-5 grid gap-4 p-5">
        <p>{texts.scanCode}</p>
        <div class="w-48 bg-white">{raw(renderSVG(url))}</div>
        <p><code class="select-all [overflow-wrap:anywhere]">{secret}</code></p>
      </div>
    } else {
      <p class="mt-5">{texts.secondFactorOn} {texts.recoveryLeft(left)}</p>
    }}
    {Form({ button: left === null ? texts.turnOn : texts.turnOff, problem, isCard: true }) {
      {Field({ name: "code", label: texts.code, hint: left === null ? "" : texts.codeHint, autocomplete: "one-time-code", isWrong, autofocus: isWrong })}
    }}
  }}
}
