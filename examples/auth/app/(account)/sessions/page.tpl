import type { Context } from "fw"
import { flashOf } from "../../../lib/auth/flash.ts"
import { deviceOf, whenOf } from "../../../lib/auth/words.ts"
import { currentSession } from "../../../lib/auth/session-cookie.ts"
import { listSessions } from "../../../lib/auth/sessions.ts"
import { Account, dangerButton, Done, plainButton } from "../../_components/account.tpl.ts"

export const title = "Sessions"

const said = new Map([
  ["ended", "The session has ended."],
  ["others", "All other sessions have ended."],
  ["gone", "That session had ended already."],
])

template Page(c: Context) {
  {const current = currentSession.get(c)}
  {const sessions = await listSessions(current.userID)}
  {Account("/sessions", "Sessions") {
    {Done(said.get(flashOf(c).done ?? ""))}
    <p class="text-muted mb-5 max-w-prose">Where you are signed in. End what you do not know.</p>
    <ul class="card divide-y divide-line">
      {for (const { handle, userAgent, address, createdAt, expiresAt } of sessions) {
        <li class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
          <div class="min-w-0">
            <p class="font-medium [overflow-wrap:anywhere]">{deviceOf(userAgent)}{handle === current.handle ? " (this one)" : ""}</p>
            <p class="text-muted mt-1 text-sm">From {address || "an unknown address"}, since
              <time datetime={createdAt.toISOString()}>{whenOf(createdAt)}</time>, until
              <time datetime={expiresAt.toISOString()}>{whenOf(expiresAt)}</time></p>
          </div>
          {if (handle !== current.handle) {
            <form method="post" action="/sessions">
              <button
                name="end"
                value={handle}
                class={dangerButton}
                aria-label={`End the session of ${deviceOf(userAgent)} since ${whenOf(createdAt)}`}
              >End</button>
            </form>
          }}
        </li>
      }}
    </ul>
    {if (sessions.length > 1) {
      <form
        method="post"
        action="/sessions"
        class="mt-5"
      ><button name="end" value="others" class={plainButton}>End all others</button></form>
    }}
  }}
}
