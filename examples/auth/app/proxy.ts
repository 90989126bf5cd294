/**
 * Runs before routing, and after `app.use(sessions)` in main.ts. Requests below /api and to the dashboard need a
 * session or a token, except for the paths listed here.
 */
import { type Context, type ProxyResult, proxy } from "fw"
import { bearer } from "../lib/auth/jwt.ts"
import { enter, loginPath, rememberPage } from "../lib/auth/sessions.ts"

export const ProxyConfig = { matcher: ["/api/:path*", "/dashboard/:path*"] }

/**
 * Paths that need no session or token: signing in and up, health, and routes whose middleware protects them. A new
 * route is protected unless it is listed here.
 */
const openPaths = ["/api/auth", "/api/health", "/api/protected", "/api/service"]

/** Returns true for a request with a valid token: the guard calls the handler behind it. */
async function hasToken(c: Context): Promise<boolean> {
  let isValid = false
  const guard = bearer()(() => {
    isValid = true
    return c.noContent()
  })
  await guard(c)
  return isValid
}

// biome-ignore lint/suspicious/noShadowRestrictedNames: fw finds the function by this name.
export async function Proxy(c: Context): Promise<ProxyResult> {
  if (openPaths.some((prefix) => c.path === prefix || c.path.startsWith(`${prefix}/`)))
    return proxy.continue()
  if ((await enter(c)) || (await hasToken(c))) return proxy.continue()
  // After a redirect, htmx would put the whole login page into a part of this page.
  if (c.isHTMX) c.setHeader("HX-Redirect", loginPath)
  else if (!/^\/api(?:\/|$)/.test(c.path)) {
    rememberPage(c)
    return proxy.redirect(loginPath, 303)
  }
  c.setHeader("WWW-Authenticate", "Bearer, Cookie")
  return proxy.responseJSON(401, { error: "unauthorized", message: "sign in, or send a token" })
}
