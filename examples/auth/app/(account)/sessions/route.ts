import type { Context } from "fw"
import { goTo } from "../../../lib/auth/flash.ts"
import { currentSession } from "../../../lib/auth/session-cookie.ts"
import { revokeOtherSessions, revokeSession } from "../../../lib/auth/sessions.ts"

/** Ends one of the user's sessions, by its handle, or all `others`. */
export async function Post(c: Context) {
  const { userID, handle } = currentSession.get(c)
  const end = await c.formValue("end")
  if (end === "others") {
    await revokeOtherSessions(userID, handle)
    return goTo(c, "/sessions", { done: "others" })
  }
  const ended = await revokeSession(userID, end)
  return goTo(c, "/sessions", { done: ended ? "ended" : "gone" })
}
