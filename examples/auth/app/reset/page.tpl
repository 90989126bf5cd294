import type { Context } from "fw"
import { flashOf } from "../../lib/auth/flash.ts"
import { passwordLength } from "../../lib/auth/passwords.ts"
import { resetTokenOf } from "../../lib/auth/reset-page.ts"
import { isResetToken } from "../../lib/auth/resets.ts"
import { Entry, Field, mainButton, Problem } from "../_components/account.tpl.ts"

export const title = "New password"

const problems = new Map([
  ["password", `A password has ${passwordLength.least} to ${passwordLength.most} characters.`],
])

template Page(c: Context) {
  {const { problem = "" } = flashOf(c)}
  {Entry("New password") {
    {if (await isResetToken(resetTokenOf(c))) {
      <form method="post" action="/reset" class="mt-6 grid gap-5">
        {Problem(problems.get(problem))}
        {Field({ name: "password", label: "New password", type: "password", autocomplete: "new-password", hint: `At least ${passwordLength.least} characters. Several random words make a good one.`, minlength: passwordLength.least, maxlength: passwordLength.most, focus: true, wrong: problem !== "" })}
        <button class={mainButton}>Set the password</button>
      </form>
      <p class="text-muted mt-6">All devices are signed out then.</p>
    } else {
      <p class="mt-6">This link is too old, or it was used already.</p>
      <p class="text-muted mt-6"><a href="/forgot" class="link">Get a new one</a></p>
    }}
  }}
}
