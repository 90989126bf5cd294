import type { Context } from "fw"
import { listKeys } from "../../../lib/auth/api-keys.ts"
import { identityOf } from "../../../lib/auth/identity.ts"
import { accountPages } from "../../../lib/auth/menu.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { Account, Field, Form, Item, Time } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).keys

accountPages.push({ label: (texts) => texts.keys, path: "/keys" })

template Page(c: Context, problem?: string) {
  {const keys = await listKeys(identityOf(c).userID)}
  {const texts = textsOf(c)}
  {const isWrong = problem !== undefined}
  {Account(c, texts.keys) {
    {Form({ button: texts.makeKey, problem, isCard: true }) {
      {Field({ name: "name", label: texts.keyName, autocomplete: "off", maxlength: 60, isWrong, autofocus: isWrong })}
    }}
    {if (keys.length === 0) {
      <p class="text-muted">{texts.noKeys} <code>X-API-Key</code>.</p>
    } else {
      <ul class="card divide-y divide-line">
        {for (const { id, service_name, created_at } of keys) {
          {Item(service_name, { name: "revoke", value: id, label: texts.revoke, description: texts.revokeKey(service_name) }) {
            <span class="font-mono">ak_{id}_…</span>, {texts.madeAt} {Time(c, created_at)}
          }}
        }}
      </ul>
    }}
  }}
}
