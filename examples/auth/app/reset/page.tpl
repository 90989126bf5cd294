import type { Context } from "fw"
import { canReset } from "../../lib/auth/links.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Form, NewPassword } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).newPassword

template Page(c: Context, problem?: string) {
  {const texts = textsOf(c)}
  {Entry(c, texts.newPassword) {
    {if (await canReset(c)) {
      {Form({ button: texts.setPassword, problem }) {
        {NewPassword(c, texts.newPassword, { isWrong: problem !== undefined, autofocus: true })}
      }}
      <p class="mt-6 text-muted">{texts.allSignedOut}</p>
    } else {
      <p class="mt-6">{texts.oldLink}</p>
      <p class="mt-6 text-muted"><a href="/forgot" class="link">{texts.newLink}</a></p>
    }}
  }}
}
