import type { Context } from "fw"
import { getGoogle } from "../../../../lib/auth/google.ts"
import { createSignInError, getAuthorizationURL, startFlow } from "../../../../lib/auth/oidc.ts"

/** Redirects the browser to Google to sign in. */
export async function Get(c: Context) {
  const google = getGoogle(c)
  try {
    return c.redirect(302, await getAuthorizationURL(google, await startFlow(c)))
  } catch (cause) {
    throw createSignInError(cause)
  }
}
