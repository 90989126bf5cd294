import type { Context } from "fw"
import { google } from "../../../../lib/auth/google.ts"
import { keepState, refuse } from "../../../../lib/auth/oauth-answers.ts"
import { startFlow } from "../../../../lib/auth/oauth-flows.ts"
import { authorizationURL } from "../../../../lib/auth/oidc.ts"

/** Redirects the browser to Google to sign in. */
export async function Get(c: Context) {
  if (!google) return refuse(c, 404, "signing in with Google is not set up")
  try {
    const flow = await startFlow()
    const url = await authorizationURL(google, flow)
    keepState(c, flow.state)
    return c.redirect(302, url)
  } catch (error) {
    return refuse(c, 500, "signing in with Google failed", error)
  }
}
