import type { Context } from "fw"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Field, Form } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).forgot

template Page(c: Context) {
  {const texts = textsOf(c)}
  {Entry(c, texts.forgot) {
    {Form({ button: texts.sendLink }) {
      {Field({ name: "email", label: texts.email, type: "email", autocomplete: "username", hint: texts.forgotHint, autofocus: true })}
    }}
    <p class="mt-6 text-muted"><a href="/login" class="link">{texts.backToSignIn}</a></p>
  }}
}
