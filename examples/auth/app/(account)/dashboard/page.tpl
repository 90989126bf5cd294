import type { Context } from "fw"
import { identityOf } from "../../../lib/auth/identity.ts"
import { Account, card, muted } from "../../_components/account.tpl.ts"

export const title = "Dashboard"

template Page(c: Context) {
  {const { userID, email, role } = identityOf(c)}
  {Account("/dashboard", "Dashboard") {
    <dl class={["grid gap-x-8 gap-y-4 p-6 sm:grid-cols-[auto_1fr]", card]}>
      <dt class={muted}>Signed in as</dt><dd class="font-medium [overflow-wrap:anywhere]">{email}</dd>
      <dt class={muted}>Role</dt><dd class="font-medium">{role}</dd>
      <dt class={muted}>User ID</dt><dd class="font-mono text-sm [overflow-wrap:anywhere]">{userID}</dd>
    </dl>
  }}
}
