import type { Context } from "fw"
import { currentSignIn } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Account } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).dashboard

template Page(c: Context) {
  {const { id, email, role, isVerified } = currentSignIn.get(c).user}
  {const texts = textsOf(c)}
  {Account(c, texts.dashboard) {
    {if (!isVerified) {
      <form method="post" action="/verify" class="mb-5 flex flex-wrap items-center gap-4">
        <p>{texts.unverified}</p>
        <button class="button button-plain">{texts.verifyAgain}</button>
      </form>
    }}
    <dl class="card grid gap-x-8 gap-y-1 p-6 sm:gap-y-4 sm:grid-cols-[auto_1fr]">
      {Fact(texts.signedInAs, email)}
      {Fact(texts.role, role)}
      {Fact(texts.userID, id)}
    </dl>
  }}
}

template Fact(name: string, value: string) {
  <dt class="text-muted">{name}</dt><dd class="mb-3 font-medium sm:mb-0 [overflow-wrap:anywhere]">{value}</dd>
}
