/** The cookie of a session: set at login, read by the guard and the proxy, cleared when it opens nothing. */
import { type Context, csrf, type MiddlewareFunc } from "fw"
import { type Identity, identify } from "./identity.ts"
import { createSession, findSession, removeSession, type Session, sessionLifetime } from "./sessions.ts"
import type { User } from "./users.ts"

const name = "session_id"
/** Where one signs in, and where one is then. */
export const [loginPath, dashboardPath] = ["/login", "/dashboard"]

// No script reads it, it goes over HTTPS alone (and to localhost), and forms of other sites do not send it.
const attributes = { name, path: "/", httpOnly: true, secure: true, sameSite: "Lax" } as const

/** Starts a session and sets its cookie. The one that the browser had before ends: nobody else can have planted it. */
export async function startSession(c: Context, { id, email, role }: User): Promise<Session> {
  const before = c.cookie(name)
  if (before !== "") await removeSession(before)
  const device = { userAgent: c.header("user-agent"), address: c.clientIP }
  const session = await createSession({ userID: id, email, role }, device)
  c.setCookie({ ...attributes, value: session.id, maxAge: sessionLifetime })
  return session
}

/** Ends the session of a request's cookie, and clears it. */
export async function endSession(c: Context): Promise<void> {
  const id = c.cookie(name)
  if (id !== "") await removeSession(id)
  clearCookie(c)
}

/** The session of a request. Without a valid one, a cookie that says otherwise is cleared. */
export async function sessionOf(c: Context): Promise<Session | null> {
  const id = c.cookie(name)
  if (id === "") return null
  const session = await findSession(id)
  if (!session) clearCookie(c)
  return session
}

function clearCookie(c: Context): void {
  c.setCookie({ ...attributes, value: "", maxAge: -1 })
}

/** Sets `user_id`, `user_email`, `user_role` and `session`. */
export function enter(c: Context, session: Session): void {
  identify(c, session satisfies Identity)
  c.set("session", session)
}

/**
 * Lets requests pass that have a session; others are led to the login.
 *
 * @security session
 */
export function requireSession(): MiddlewareFunc {
  return (next) => async (c) => {
    // What is behind a login is nobody else's, and not for the browser's "back" after logging out.
    c.setHeader("Cache-Control", "no-store")
    const session = await sessionOf(c)
    if (!session) return c.redirect(302, loginPath)
    enter(c, session)
    return next(c)
  }
}

/** Asks for this origin's pages where a request brings a session. One with a token alone may come from anywhere. */
export function guardCookie(): MiddlewareFunc {
  const guard = csrf()
  return (next) => {
    const guarded = guard(next)
    return (c) => (c.cookie(name) === "" ? next(c) : guarded(c))
  }
}
