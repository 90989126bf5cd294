/** Lets requests pass that bring a session or a bearer token, and all to the public paths; others sign in first. */
import { type Context, FwError, type ProxyResult, proxy } from "fw"
import { errors, jwtVerify } from "jose"
import { findSession } from "./_lib/sessions.ts"

/** These and what is below them are for everyone. */
const publicPaths = ["/login", "/signup", "/static", "/api/auth", "/api/health"]

const key = readSecret()

export async function Proxy(c: Context): Promise<ProxyResult> {
  if (publicPaths.some((path) => isAtOrBelow(c.path, path))) return proxy.continue()
  const session = findSession(c.cookie("session_id"))
  if (session) {
    c.set("session", session)
    c.set("user_id", session.userID)
    c.set("user_email", session.email)
    c.set("user_role", session.role)
    return proxy.continue()
  }
  if (await hasValidToken(c.header("Authorization"))) return proxy.continue()
  if (isAtOrBelow(c.path, "/api")) return proxy.responseJSON(401, { error: "unauthorized" })
  return proxy.redirect("/login", 302)
}

/** `/api` and `/api/users` are, `/apiary` is not. */
function isAtOrBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

async function hasValidToken(header: string): Promise<boolean> {
  const [scheme, token, ...more] = header.split(" ")
  if (scheme !== "Bearer" || !token || more.length > 0) return false
  try {
    // The list is what keeps "none" and other algorithms out (RFC 8725 §3.1).
    await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["exp"] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

/** @throws FwError for a secret that is missing or could be guessed (RFC 7518 §3.2). */
function readSecret(): Uint8Array {
  const secret = new TextEncoder().encode(process.env.AUTH_JWT_SECRET)
  if (secret.length >= 32) return secret
  throw new FwError(
    "secret",
    secret.length === 0 ? "AUTH_JWT_SECRET is not set" : `AUTH_JWT_SECRET has ${secret.length} bytes, not 32`,
    'Set it to something random, the same for whoever signs: AUTH_JWT_SECRET="$(openssl rand -base64 48)"',
  )
}
