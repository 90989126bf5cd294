import type { Context } from "fw"
import { signInWays } from "../../lib/auth/menu.ts"
import { textsOf } from "../../lib/auth/texts.ts"
import { Entry, Field, Form, PasskeyButton } from "../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).signIn

template Page(c: Context, email?: string) {
  {const texts = textsOf(c)}
  {const isWrong = email !== undefined}
  {/* The browser then lists passkeys for the field. */}
  {const autocomplete = signInWays.some(({ script }) => script) ? "username webauthn" : "username"}
  {Entry(c, texts.signIn) {
    {Form({ button: texts.signIn, problem: isWrong ? texts.wrongCredentials : undefined }) {
      {Field({ name: "email", label: texts.email, type: "email", value: email, autocomplete, autofocus: !isWrong, isWrong })}
      {Field({ name: "password", label: texts.password, type: "password", autocomplete: "current-password", autofocus: isWrong, isWrong })}
    }}
    {for (const { label, path, script } of signInWays) {
      {if (script) {
        {PasskeyButton(c, "sign-in", label(texts))}
        <script type="module" src={script}></script>
      } else {
        <p class="mt-5 grid"><a href={path} class="button button-plain">{label(texts)}</a></p>
      }}
    }}
    <p class="mt-6 text-muted"><a href="/forgot" class="link">{texts.forgotQuestion}</a></p>
    <p class="mt-6 text-muted">{texts.noAccountYet} <a href="/signup" class="link">{texts.signUp}</a></p>
  }}
}
