import type { Context } from "fw"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Account, Field, Form } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).invitations

template Page(c: Context, value?: string, problem?: string) {
  {const texts = textsOf(c)}
  {const isWrong = problem !== undefined}
  {Account(c, texts.invitations) {
    <p class="max-w-prose text-muted">{texts.invitationsAbout}</p>
    {Form({ button: texts.invite, problem, isCard: true }) {
      {Field({ name: "email", label: texts.email, type: "email", value, autocomplete: "off", isWrong, autofocus: isWrong })}
    }}
  }}
}
