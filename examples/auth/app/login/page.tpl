import type { Context } from "fw"
import { flashOf } from "../../lib/auth/flash.ts"
import { signInWays } from "../../lib/auth/menu.ts"
import { Done, Entry, Field, mainButton, plainButton, Problem } from "../_components/account.tpl.ts"

export const title = (c: Context) => (flashOf(c).problem ? "Not signed in" : "Sign in")

const problems = new Map([["credentials", "The email address or the password is not right."]])
const said = new Map([["signedOut", "You are signed out."]])

template Page(c: Context) {
  {const { problem = "", done = "", email } = flashOf(c)}
  {const wrong = problem !== ""}
  {Entry("Sign in") {
    <form method="post" action="/login" class="mt-6 grid gap-5">
      {Done(said.get(done))}
      {Problem(problems.get(problem))}
      {Field({ name: "email", label: "Email", type: "email", value: email, autocomplete: "username", focus: !wrong, wrong })}
      {Field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", focus: wrong, wrong })}
      <button class={mainButton}>Sign in</button>
    </form>
    {for (const { label, path } of signInWays) {
      <p class="mt-5 grid"><a href={path} class={plainButton}>{label}</a></p>
    }}
    <p class="text-muted mt-6">No account yet? <a href="/signup" class="link">Sign up</a></p>
  }}
}
