import type { Context } from "fw"
import { listKeys } from "../../../lib/auth/api-keys.ts"
import { flashOf } from "../../../lib/auth/flash.ts"
import { identityOf } from "../../../lib/auth/identity.ts"
import { accountPages } from "../../../lib/auth/menu.ts"
import { whenOf } from "../../../lib/auth/words.ts"
import { Account, dangerButton, Done, Field, mainButton, Problem } from "../../_components/account.tpl.ts"

export const title = "API keys"

accountPages.push({ label: title, path: "/keys" })

const problems = new Map([["name", "A name has 1 to 60 characters."]])
const said = new Map([["revoked", "The key is gone: nobody can use it any more."]])

template Page(c: Context) {
  {const { problem = "", done = "", key } = flashOf(c)}
  {const keys = await listKeys(identityOf(c).userID)}
  {Account("/keys", "API keys") {
    {Done(said.get(done))}
    {if (key) {
      <section
        role="status"
        aria-label="New API key"
        class="mb-5 rounded-2xl bg-[light-dark(#e4f3eb,#16352a)] p-5"
      >
        <p class="font-medium">This is the key. Copy it now: it is not shown again.</p>
        <p class="mt-3 rounded-lg bg-surface px-4 py-3 font-mono text-sm select-all [overflow-wrap:anywhere]">{key}</p>
      </section>
    }}
    <form method="post" action="/keys" class="card mb-5 grid gap-4 p-5">
      {Problem(problems.get(problem))}
      <div class="grid items-end gap-4 sm:grid-cols-[1fr_auto]">
        {Field({ name: "name", label: "Name of the service", autocomplete: "off", maxlength: 60, wrong: problem !== "", focus: problem !== "" })}
        <button class={mainButton}>Make a key</button>
      </div>
    </form>
    {if (keys.length === 0) {
      <p class="text-muted">No service has a key yet. It sends one in the header
        <code class="font-mono text-sm">X-API-Key</code>.</p>
    } else {
      <ul class="card divide-y divide-line">
        {for (const { id, serviceName, createdAt } of keys) {
          <li class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
            <div class="min-w-0">
              <p class="font-medium [overflow-wrap:anywhere]">{serviceName}</p>
              <p class="text-muted mt-1 text-sm"><span class="font-mono">ak_{id}_…</span>, made
                <time datetime={createdAt.toISOString()}>{whenOf(createdAt)}</time></p>
            </div>
            <form method="post" action="/keys">
              <button
                name="revoke"
                value={id}
                class={dangerButton}
                aria-label={`Revoke the key of ${serviceName}`}
              >Revoke</button>
            </form>
          </li>
        }}
      </ul>
    }}
  }}
}
