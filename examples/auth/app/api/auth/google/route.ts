import { type Context, notFound } from "fw"
import { google } from "../../../../lib/auth/google.ts"
import { createSignInError, getAuthorizationURL, startFlow } from "../../../../lib/auth/oidc.ts"

/** Redirects the browser to Google to sign in. */
export async function Get(c: Context) {
  if (!google) throw notFound("signing in with Google is not set up")
  try {
    return c.redirect(302, await getAuthorizationURL(google, await startFlow(c)))
  } catch (cause) {
    throw createSignInError(cause)
  }
}
