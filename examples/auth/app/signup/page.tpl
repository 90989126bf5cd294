import type { Context } from "fw"
import { rules } from "../../lib/auth/rules.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Field, Form, NewPassword } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).signUp

template Page(c: Context, email?: string, problem?: string, about?: "email" | "password") {
  {const texts = textsOf(c)}
  {const invited = await rules.findInvited(c)}
  {Entry(c, texts.signUp) {
    {if (rules.needsInvitation && invited === undefined) {
      <p class="mt-6">{texts.onlyInvited}</p>
    } else {
      {if (invited !== undefined) {
        <p class="mt-6">{texts.invitedAs(invited)}</p>
      }}
      {Form({ button: texts.signUp, problem }) {
        {Field({ name: "email", label: texts.email, type: "email", value: invited ?? email, readonly: invited !== undefined, autocomplete: "username", autofocus: about !== "password", isWrong: about === "email" })}
        {NewPassword(c, texts.password, { isWrong: about === "password", autofocus: about === "password" })}
      }}
    }}
    <p class="mt-6 text-muted">{texts.hasAccount} <a href="/login" class="link">{texts.signIn}</a></p>
  }}
}
