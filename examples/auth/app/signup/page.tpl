import type { Context } from "fw"
import { passwordLength } from "../../lib/auth/passwords.ts"
import { rules } from "../../lib/auth/rules.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Field, Problem } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).signUp

template Page(c: Context) {
  {await View(c)}
}

template View(c: Context, email?: string, problem?: string, about?: "email" | "password") {
  {const texts = textsOf(c)}
  {const invited = await rules.findInvited(c)}
  {Entry(c, texts.signUp) {
    {if (rules.needsInvitation && invited === undefined) {
      <p class="mt-6">{texts.onlyInvited}</p>
    } else {
      {if (invited !== undefined) {
        <p class="mt-6">{texts.invitedAs(invited)}</p>
      }}
      <form method="post" action="/signup" class="mt-6 grid gap-5">
        {Problem(problem)}
        {Field({ name: "email", label: texts.email, type: "email", value: invited ?? email, readonly: invited !== undefined, autocomplete: "username", focus: about !== "password", wrong: about === "email" })}
        {Field({ name: "password", label: texts.password, type: "password", autocomplete: "new-password", hint: texts.passwordHint, minlength: passwordLength.min, maxlength: passwordLength.max, focus: about === "password", wrong: about === "password" })}
        <button class="button button-main">{texts.signUp}</button>
      </form>
    }}
    <p class="mt-6 text-muted">{texts.hasAccount} <a href="/login" class="link">{texts.signIn}</a></p>
  }}
}
