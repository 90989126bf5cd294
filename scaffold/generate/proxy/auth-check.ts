/**
 * Requires a session or a bearer token for all paths except the public ones. Other visitors are redirected to the login page,
 * and requests to /api are answered with 401.
 */
import { type Context, FwError, type ProxyResult, proxy } from "fw"
import { errors, jwtVerify } from "jose"
import { findSession } from "./_lib/sessions.ts"

/**
 * Everyone may request these paths and those below them. The last ones belong to app.health() and to fw's own scripts.
 */
const publicPaths = [
  ...["/login", "/signup", "/static", "/api/auth", "/api/health"],
  ...["/health/live", "/health/ready", "/_fw"],
]

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
  // After a redirect, htmx would put the login page into the part of the page that it wanted to replace.
  if (c.isHTMX) c.setHeader("HX-Redirect", "/login")
  else if (!isAtOrBelow(c.path, "/api")) return proxy.redirect("/login", 302)
  c.setHeader("WWW-Authenticate", "Bearer, Cookie")
  return proxy.responseJSON(401, { error: "unauthorized" })
}

/** Returns true for `/api/users` below `/api`, but not for `/apiary`. */
function isAtOrBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

async function hasValidToken(header: string): Promise<boolean> {
  const [scheme, token, ...more] = header.split(" ")
  if (scheme !== "Bearer" || !token || more.length > 0) return false
  try {
    // Other algorithms are refused, and so are tokens without a signature ("none", RFC 8725 §3.1).
    await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["exp"] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

/** Reads the secret. @throws FwError if it is missing, or so short that it could be guessed (RFC 7518 §3.2). */
function readSecret(): Uint8Array {
  const secret = new TextEncoder().encode(process.env.AUTH_JWT_SECRET)
  if (secret.length >= 32) return secret
  throw new FwError(
    "secret",
    secret.length === 0
      ? "AUTH_JWT_SECRET is not set"
      : `AUTH_JWT_SECRET has ${secret.length} bytes: it needs at least 32`,
    'Set it to a random value, the same as in the program that signs tokens: AUTH_JWT_SECRET="$(openssl rand -base64 48)"',
  )
}
