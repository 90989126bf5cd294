import type { Context } from "fw"
import { currentSignIn, listSignIns } from "../../../lib/auth/sessions.ts"
import { textsOf } from "../../../lib/auth/texts.ts"
import { describeDevice, formatTime } from "../../../lib/auth/words.ts"
import { Account, Item, Time } from "../../_components/account.tpl.ts"

export const title = (c: Context) => textsOf(c).sessions

template Page(c: Context) {
  {const { id: current, user } = currentSignIn.get(c)}
  {const signIns = await listSignIns(user.id)}
  {const texts = textsOf(c)}
  {Account(c, texts.sessions) {
    <p class="mb-5 max-w-prose text-muted">{texts.sessionsAbout}</p>
    <ul class="card divide-y divide-line">
      {for (const { id, user_agent, address, created_at } of signIns) {
        {const device = describeDevice(c, user_agent)}
        {const button = { name: "end", value: id, label: texts.end, description: texts.endSession(device, formatTime(c, created_at)) }}
        {Item(id === current ? `${device} ${texts.thisSession}` : device, id === current ? null : button) {
          {texts.signedInFrom(address)} {Time(c, created_at)}
        }}
      }}
    </ul>
    {if (signIns.length > 1) {
      <form
        method="post"
        class="mt-5"
      ><button name="end" value="others" class="button button-plain">{texts.endOthers}</button></form>
    }}
  }}
}
