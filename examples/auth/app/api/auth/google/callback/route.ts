import { badRequest, type Context, forbidden } from "fw"
import { findOrAddAccount } from "../../../../../lib/auth/accounts.ts"
import { getGoogle } from "../../../../../lib/auth/google.ts"
import { createSignInError, isIssuer, redeem, takeFlow } from "../../../../../lib/auth/oidc.ts"
import { loginPath, signIn } from "../../../../../lib/auth/sessions.ts"
import type { User } from "../../../../../lib/auth/users.ts"

/** Receives the redirect from Google: exchanges the code, finds or creates the user, and starts a session. */
export async function Get(c: Context) {
  const google = getGoogle(c)
  // The flow is removed first, so that no other request can use it, whatever the outcome of this one.
  const flow = await takeFlow(c, c.query("state"))
  if (!flow) throw badRequest("invalid state")
  // RFC 9207: if the response is from another provider, this provider must not get its code.
  const issuer = c.query("iss")
  if (issuer !== "" && !isIssuer(google, issuer)) throw badRequest("invalid issuer")
  if (c.query("error") !== "") return c.redirect(302, loginPath)
  if (c.query("code") === "") throw badRequest("missing code")
  let user: User | null
  try {
    user = await findOrAddAccount(google.name, await redeem(google, c.query("code"), flow))
  } catch (cause) {
    throw createSignInError(cause)
  }
  if (!user) throw forbidden("Google does not vouch for this email address")
  return signIn(c, user)
}
