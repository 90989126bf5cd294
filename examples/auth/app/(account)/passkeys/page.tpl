import type { Context } from "fw"
import { flashOf } from "../../../lib/auth/flash.ts"
import { identityOf } from "../../../lib/auth/identity.ts"
import { accountPages } from "../../../lib/auth/menu.ts"
import { listPasskeys } from "../../../lib/auth/passkeys.ts"
import { whenOf } from "../../../lib/auth/words.ts"
import { Account, dangerButton, Done, mainButton, ScriptProblem } from "../../_components/account.tpl.ts"

export const title = "Passkeys"

accountPages.push({ label: title, path: "/passkeys" })

const said = new Map([
  ["added", "The passkey is added. You can sign in with it."],
  ["removed", "The passkey is gone: nobody can sign in with it any more."],
  ["gone", "That passkey was gone already."],
])

template Page(c: Context) {
  {const passkeys = await listPasskeys(identityOf(c).userID)}
  {Account("/passkeys", title) {
    {Done(said.get(flashOf(c).done ?? ""))}
    <p class="text-muted mb-5 max-w-prose">With a passkey you sign in by fingerprint, face or PIN, without a
      password. It stays on your device or in your password manager.</p>
    <noscript><p class="text-muted mb-5">Adding a passkey needs JavaScript.</p></noscript>
    <div hidden data-passkey="add" data-path="/passkeys" class="mb-5">
      <button type="button" class={mainButton}>Add a passkey</button>
      {ScriptProblem()}
    </div>
    <script type="module" src="/static/auth/passkeys.js"></script>
    {if (passkeys.length > 0) {
      <ul class="card divide-y divide-line">
        {for (const { id, name, isBackedUp, createdAt, usedAt } of passkeys) {
          <li class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
            <div class="min-w-0">
              <p class="font-medium [overflow-wrap:anywhere]">{name}</p>
              <p class="text-muted mt-1 text-sm">{isBackedUp ? "Synchronised" : "On one device"}, made
                <time datetime={createdAt.toISOString()}>{whenOf(createdAt)}</time>,
                {if (usedAt) {
                  used <time datetime={usedAt.toISOString()}>{whenOf(usedAt)}</time>
                } else {
                  not used yet
                }}</p>
            </div>
            <form method="post" action="/passkeys">
              <button
                name="remove"
                value={id}
                class={dangerButton}
                aria-label={`Remove the passkey ${name} of ${whenOf(createdAt)}`}
              >Remove</button>
            </form>
          </li>
        }}
      </ul>
    }}
  }}
}
