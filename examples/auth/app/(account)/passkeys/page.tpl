import type { Context } from "fw"
import { identityOf } from "../../../lib/auth/identity.ts"
import { accountPages } from "../../../lib/auth/menu.ts"
import { listPasskeys } from "../../../lib/auth/passkeys.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { formatTime } from "../../../lib/auth/words.ts"
import { Account, Item, PasskeyButton, Time } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).passkeys

accountPages.push({ label: (texts) => texts.passkeys, path: "/passkeys" })

template Page(c: Context) {
  {const passkeys = await listPasskeys(identityOf(c).userID)}
  {const texts = textsOf(c)}
  {Account(c, texts.passkeys) {
    <p class="max-w-prose text-muted">{texts.passkeysAbout}</p>
    {PasskeyButton(c, "add", texts.addPasskey)}
    <script type="module" src="/static/auth/passkeys.js"></script>
    {if (passkeys.length > 0) {
      <ul class="card mt-5 divide-y divide-line">
        {for (const { id, name, backed_up, created_at, used_at } of passkeys) {
          {Item(name, { name: "remove", value: id, label: texts.remove, description: texts.removePasskey(name, formatTime(c, created_at)) }) {
            {backed_up === 1 ? texts.synchronised : texts.onOneDevice}, {texts.madeAt} {Time(c, created_at)},
            {if (used_at) {
              {texts.usedAt} {Time(c, used_at)}
            } else {
              {texts.notUsedYet}
            }}
          }}
        }}
      </ul>
    }}
  }}
}
