/**
 * The cookie of a session: set at login, read by the middleware and the proxy, deleted when the session is
 * invalid.
 */
import { type Context, contextKey, csrf, type MiddlewareFunc } from "fw"
import { dropCookie, keepCookie } from "./cookies.ts"
import { type Identity, identify } from "./identity.ts"
import { createSession, findSession, removeSession, type Session, sessionLifetime } from "./sessions.ts"
import type { User } from "./users.ts"

const cookie = { name: "session_id", path: "/" } as const
/** The login page, and the page after it. */
export const [loginPath, dashboardPath] = ["/login", "/dashboard"]

/**
 * Starts a session and sets its cookie. The session that the browser had before ends, so a planted one is
 * useless.
 */
export async function startSession(c: Context, { id, email, role }: User): Promise<Session> {
  const before = c.cookie(cookie.name)
  if (before !== "") await removeSession(before)
  const device = { userAgent: c.header("user-agent"), address: c.clientIP }
  const session = await createSession({ userID: id, email, role }, device)
  keepCookie(c, cookie, session.id, sessionLifetime)
  return session
}

/** Ends the session of a request, and deletes its cookie. */
export async function endSession(c: Context): Promise<void> {
  const id = c.cookie(cookie.name)
  if (id !== "") await removeSession(id)
  dropCookie(c, cookie)
}

/** Returns the session of a request. Deletes the cookie of an invalid one. */
export async function sessionOf(c: Context): Promise<Session | null> {
  const id = c.cookie(cookie.name)
  if (id === "") return null
  const session = await findSession(id)
  if (!session) dropCookie(c, cookie)
  return session
}

/** The session of a request: `currentSession.get(c)` behind `requireSession()`. */
export const currentSession = contextKey<Session>("session")

/** Sets `user_id`, `user_email`, `user_role` and `session`. */
export function enter(c: Context, session: Session): void {
  identify(c, session satisfies Identity)
  currentSession.set(c, session)
}

/**
 * Leads to the login page. htmx gets a header for it: it would follow a redirect, and put the login page into the part of the
 * page that it asked for.
 */
function leadToLogin(c: Context): Response {
  if (!c.isHTMX) return c.redirect(302, loginPath)
  const refusal = c.json(401, { error: "unauthorized" })
  // Not c.setHeader(): of combine.some(), the next guard may let the request pass.
  refusal.headers.set("HX-Redirect", loginPath)
  refusal.headers.set("WWW-Authenticate", "Cookie")
  return refusal
}

/**
 * Requires a session; leads other requests to the login page.
 *
 * @security session
 */
export function requireSession(): MiddlewareFunc {
  return (next) => async (c) => {
    // Caches must not keep private pages, nor may the browser's back button show them after signing out.
    c.setHeader("Cache-Control", "no-store")
    const session = await sessionOf(c)
    if (!session) return leadToLogin(c)
    enter(c, session)
    return next(c)
  }
}

/**
 * Requires requests with a session to come from pages of this origin. A request with only a token may come
 * from anywhere.
 */
export function guardCookie(): MiddlewareFunc {
  const guard = csrf()
  return (next) => {
    const guarded = guard(next)
    return (c) => (c.cookie(cookie.name) === "" ? next(c) : guarded(c))
  }
}
