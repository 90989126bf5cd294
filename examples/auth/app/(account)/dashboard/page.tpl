import type { Context } from "fw"
import { identityOf } from "../../../lib/auth/identity.ts"
import { Account } from "../../_components/account.tpl.ts"

export const title = "Dashboard"

template Page(c: Context) {
  {const { userID, email, role } = identityOf(c)}
  {Account("/dashboard", "Dashboard") {
    <dl class="card grid gap-x-8 gap-y-1 p-6 sm:gap-y-4 sm:grid-cols-[auto_1fr]">
      <dt class="text-muted">Signed in as</dt><dd class="mb-3 font-medium sm:mb-0 [overflow-wrap:anywhere]">{email}</dd>
      <dt class="text-muted">Role</dt><dd class="mb-3 font-medium sm:mb-0">{role}</dd>
      <dt class="text-muted">User ID</dt><dd class="font-mono text-sm [overflow-wrap:anywhere]">{userID}</dd>
    </dl>
  }}
}
