import type { Context } from "fw"
import { flashOf } from "../../lib/auth/flash.ts"
import { keepsMail } from "../../lib/auth/mail.ts"
import { resetLifetime } from "../../lib/auth/resets.ts"
import { Done, Entry, Field, mainButton, Problem } from "../_components/account.tpl.ts"

export const title = "Forgotten password"

const problems = new Map([["expired", "This link is too old, or it was used already. Get a new one here."]])
const said = new Map([
  [
    "sent",
    `If there is an account with this address, a mail is on its way. Its link works for ${resetLifetime / 60} minutes.`,
  ],
])

template Page(c: Context) {
  {const { problem = "", done = "" } = flashOf(c)}
  {Entry("Forgotten password") {
    <form method="post" action="/forgot" class="mt-6 grid gap-5">
      {Done(said.get(done))}
      {Problem(problems.get(problem))}
      {Field({ name: "email", label: "Email", type: "email", autocomplete: "username", hint: "We send you a link to set a new password.", focus: done === "" })}
      <button class={mainButton}>Send the link</button>
    </form>
    {if (keepsMail) {
      <p class="text-muted mt-6">In development, mails are at
        <a href="/__fw/mail" class="link">/__fw/mail</a>.</p>
    }}
    <p class="text-muted mt-6"><a href="/login" class="link">Back to the sign-in</a></p>
  }}
}
