import type { Context } from "fw"
import { flashOf } from "../../lib/auth/flash.ts"
import { passwordLength } from "../../lib/auth/passwords.ts"
import { Entry, Field, mainButton, Problem } from "../_components/account.tpl.ts"

export const title = (c: Context) => (flashOf(c).problem ? "Not signed up" : "Sign up")

const problems = new Map([
  ["taken", "There is an account with this email address already."],
  ["email", "This is not an email address. One looks like ada@example.com."],
  ["password", `A password has ${passwordLength.least} to ${passwordLength.most} characters.`],
])

template Page(c: Context) {
  {const { problem = "", email } = flashOf(c)}
  {const about = problem === "password" ? "password" : "email"}
  {Entry("Sign up") {
    <form method="post" action="/signup" class="mt-6 grid gap-5">
      {Problem(problems.get(problem))}
      {Field({ name: "email", label: "Email", type: "email", value: email, autocomplete: "username", focus: about === "email", wrong: problem !== "" && about === "email" })}
      {Field({ name: "password", label: "Password", type: "password", autocomplete: "new-password", hint: `At least ${passwordLength.least} characters. Several random words make a good one.`, minlength: passwordLength.least, maxlength: passwordLength.most, focus: about === "password", wrong: about === "password" })}
      <button class={mainButton}>Sign up</button>
    </form>
    <p class="text-muted mt-6">You have one? <a href="/login" class="link">Sign in</a></p>
  }}
}
