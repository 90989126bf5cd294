import type { Context } from "fw"
import { canReset } from "../../lib/auth/links.ts"
import { passwordLength } from "../../lib/auth/passwords.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Field, Problem } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).newPassword

template Page(c: Context) {
  {await View(c)}
}

template View(c: Context, problem?: string) {
  {const texts = textsOf(c)}
  {Entry(c, texts.newPassword) {
    {if (await canReset(c)) {
      <form method="post" action="/reset" class="mt-6 grid gap-5">
        {Problem(problem)}
        {Field({ name: "password", label: texts.newPassword, type: "password", autocomplete: "new-password", hint: texts.passwordHint, minlength: passwordLength.min, maxlength: passwordLength.max, focus: true, wrong: problem !== undefined })}
        <button class="button button-main">{texts.setPassword}</button>
      </form>
      <p class="mt-6 text-muted">{texts.allSignedOut}</p>
    } else {
      <p class="mt-6">{texts.oldLink}</p>
      <p class="mt-6 text-muted"><a href="/forgot" class="link">{texts.newLink}</a></p>
    }}
  }}
}
