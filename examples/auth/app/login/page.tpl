import type { Context } from "fw"
import { flashOf } from "../../lib/auth/flash.ts"
import { hasMail } from "../../lib/auth/mail.ts"
import { signInWays } from "../../lib/auth/menu.ts"
import { dashboardPath } from "../../lib/auth/session-cookie.ts"
import {
  Done,
  Entry,
  Field,
  mainButton,
  plainButton,
  Problem,
  ScriptProblem,
} from "../_components/account.tpl.ts"

export const title = (c: Context) => (flashOf(c).problem ? "Not signed in" : "Sign in")

const problems = new Map([["credentials", "The email address or the password is not right."]])
const said = new Map([
  ["signedOut", "You are signed out."],
  ["reset", "The new password is set. Sign in with it."],
])

template Page(c: Context) {
  {const { problem = "", done = "", email } = flashOf(c)}
  {const wrong = problem !== ""}
  {/* The browser then lists passkeys for the field. */}
  {const autocomplete = signInWays.some(({ script }) => script) ? "username webauthn" : "username"}
  {Entry("Sign in") {
    <form method="post" action="/login" class="mt-6 grid gap-5">
      {Done(said.get(done))}
      {Problem(problems.get(problem))}
      {Field({ name: "email", label: "Email", type: "email", value: email, autocomplete, focus: !wrong, wrong })}
      {Field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", focus: wrong, wrong })}
      <button class={mainButton}>Sign in</button>
    </form>
    {for (const { label, path, script } of signInWays) {
      {if (script) {
        <div hidden data-passkey="sign-in" data-path={path} data-next={dashboardPath} class="mt-5 grid">
          <button type="button" class={plainButton}>{label}</button>
          {ScriptProblem()}
        </div>
        <script type="module" src={script}></script>
      } else {
        <p class="mt-5 grid"><a href={path} class={plainButton}>{label}</a></p>
      }}
    }}
    {if (hasMail) {
      <p class="text-muted mt-6"><a href="/forgot" class="link">Forgot your password?</a></p>
    }}
    <p class="text-muted mt-6">No account yet? <a href="/signup" class="link">Sign up</a></p>
  }}
}
