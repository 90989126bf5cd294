import type { Context } from "fw"
import { goTo } from "../../lib/auth/flash.ts"
import { endSession, loginPath } from "../../lib/auth/session-cookie.ts"

/**
 * Handles the sign-out button.
 *
 * @security none
 */
export async function Post(c: Context) {
  await endSession(c)
  return goTo(c, loginPath, { done: "signedOut" })
}
