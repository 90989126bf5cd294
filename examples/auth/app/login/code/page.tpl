import type { Context } from "fw"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Entry, Field, Problem } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).secondFactor

template Page(c: Context) {
  {View(c)}
}

template View(c: Context, problem?: string) {
  {const texts = textsOf(c)}
  {Entry(c, texts.secondFactor) {
    <form method="post" action="/login/code" class="mt-6 grid gap-5">
      {Problem(problem)}
      {Field({ name: "code", label: texts.code, hint: texts.codeHint, autocomplete: "one-time-code", focus: true, wrong: problem !== undefined })}
      <button class="button button-main">{texts.continueSignIn}</button>
    </form>
    <p class="mt-6 text-muted"><a href="/login" class="link">{texts.backToSignIn}</a></p>
  }}
}
