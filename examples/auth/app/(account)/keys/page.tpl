import type { Context } from "fw"
import { listKeys } from "../../../lib/auth/api-keys.ts"
import { identityOf } from "../../../lib/auth/identity.ts"
import { accountPages } from "../../../lib/auth/menu.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { formatTime } from "../../../lib/auth/words.ts"
import { Account, Field, Item, Problem } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).keys

accountPages.push({ label: (texts) => texts.keys, path: "/keys" })

template Page(c: Context) {
  {await View(c)}
}

template View(c: Context, problem?: string) {
  {const keys = await listKeys(identityOf(c).userID)}
  {const texts = textsOf(c)}
  {Account(c, texts.keys) {
    <form method="post" class="card mb-5 grid gap-4 p-5">
      {Problem(problem)}
      <div class="grid items-end gap-4 sm:grid-cols-[1fr_auto]">
        {Field({ name: "name", label: texts.keyName, autocomplete: "off", maxlength: 60, wrong: problem !== undefined, focus: problem !== undefined })}
        <button class="button button-main">{texts.makeKey}</button>
      </div>
    </form>
    {if (keys.length === 0) {
      <p class="text-muted">{texts.noKeys} <code>X-API-Key</code>.</p>
    } else {
      <ul class="card divide-y divide-line">
        {for (const { id, serviceName, createdAt } of keys) {
          {Item(serviceName, { name: "revoke", value: id, label: texts.revoke, description: texts.revokeKey(serviceName) }) {
            <span class="font-mono">ak_{id}_…</span>, {texts.madeAt}
            <time datetime={createdAt.toISOString()}>{formatTime(c, createdAt)}</time>
          }}
        }}
      </ul>
    }}
  }}
}
