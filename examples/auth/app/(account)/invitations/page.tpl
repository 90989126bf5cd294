import type { Context } from "fw"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Account, Field, Problem } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).invitations

template Page(c: Context) {
  {View(c)}
}

template View(c: Context, email?: string) {
  {const texts = textsOf(c)}
  {Account(c, texts.invitations) {
    <p class="max-w-prose text-muted">{texts.invitationsAbout}</p>
    <form method="post" class="card mt-5 grid gap-4 p-5">
      {Problem(email === undefined ? undefined : texts.wrongEmail)}
      {Field({ name: "email", label: texts.email, type: "email", value: email, autocomplete: "off", wrong: email !== undefined, focus: email !== undefined })}
      <button class="button button-main justify-self-start">{texts.invite}</button>
    </form>
  }}
}
