import type { Context } from "fw"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Field } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).forgot

template Page(c: Context) {
  {const texts = textsOf(c)}
  {Entry(c, texts.forgot) {
    <form method="post" action="/forgot" class="mt-6 grid gap-5">
      {Field({ name: "email", label: texts.email, type: "email", autocomplete: "username", hint: texts.forgotHint, focus: true })}
      <button class="button button-main">{texts.sendLink}</button>
    </form>
    <p class="mt-6 text-muted"><a href="/login" class="link">{texts.backToSignIn}</a></p>
  }}
}
