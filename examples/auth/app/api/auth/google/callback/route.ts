import type { Context } from "fw"
import { accountOf } from "../../../../../lib/auth/accounts.ts"
import { google } from "../../../../../lib/auth/google.ts"
import { forgetState, hasState, refuse } from "../../../../../lib/auth/oauth-answers.ts"
import { takeFlow } from "../../../../../lib/auth/oauth-flows.ts"
import { isIssuer, redeem } from "../../../../../lib/auth/oidc.ts"
import { dashboardPath, loginPath, startSession } from "../../../../../lib/auth/session-cookie.ts"
import type { User } from "../../../../../lib/auth/users.ts"

/** Receives the redirect from Google: exchanges the code, finds or creates the user, and starts a session. */
export async function Get(c: Context) {
  if (!google) return refuse(c, 404, "signing in with Google is not set up")
  const state = c.query("state")
  if (!hasState(c, state)) return refuse(c, 400, "invalid state")
  forgetState(c, state)
  // First of all, so that no other request can use the flow, whatever the outcome of this one.
  const flow = await takeFlow(state)
  if (!flow) return refuse(c, 400, "invalid state")
  // RFC 9207: the response is from another provider, and this one must not get its code.
  const issuer = c.query("iss")
  if (issuer !== "" && !isIssuer(google, issuer)) return refuse(c, 400, "invalid issuer")
  if (c.query("error") !== "") return c.redirect(302, loginPath)
  if (c.query("code") === "") return refuse(c, 400, "missing code")
  let user: User | null
  try {
    user = await accountOf(google.name, await redeem(google, c.query("code"), flow))
    if (user) await startSession(c, user)
  } catch (error) {
    return refuse(c, 500, "signing in with Google failed", error)
  }
  if (!user) return refuse(c, 403, "Google does not vouch for this email address")
  return c.redirect(302, dashboardPath)
}
