import type { Context } from "fw"
import { goTo } from "../../../lib/auth/flash.ts"
import { originOf } from "../../../lib/auth/origin.ts"
import { resetting } from "../../../lib/auth/reset-page.ts"
import { requestReset } from "../../../lib/auth/resets.ts"

/**
 * Handles the form for a forgotten password. The answer is the same for every address, and so is its time.
 *
 * @security none
 */
export async function Post(c: Context) {
  const email = (await c.formValue("email")).slice(0, 254)
  // After the answer, which therefore does not wait for the database and the mail server.
  c.waitUntil(requestReset(email, originOf(c, resetting)))
  return goTo(c, "/forgot", { done: "sent" })
}
