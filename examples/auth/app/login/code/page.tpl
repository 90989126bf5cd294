import type { Context } from "fw"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Entry, Field, Form } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).secondFactor

template Page(c: Context, problem?: string) {
  {const texts = textsOf(c)}
  {Entry(c, texts.secondFactor) {
    {Form({ button: texts.continueSignIn, problem }) {
      {Field({ name: "code", label: texts.code, hint: texts.codeHint, autocomplete: "one-time-code", autofocus: true, isWrong: problem !== undefined })}
    }}
    <p class="mt-6 text-muted"><a href="/login" class="link">{texts.backToSignIn}</a></p>
  }}
}
