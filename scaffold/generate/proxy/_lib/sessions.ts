/**
 * Keeps the sessions of signed-in users in the memory of this process, so a restart signs everyone out. An application with
 * several processes needs a shared store: use session() of fw.
 */

/** How many seconds a session lasts. It is also the Max-Age of the cookie. */
export const sessionLifetime = 86_400

/** Limits the number of sessions. When there are more, the oldest one is removed. */
const maxSessions = 100_000

/** The session of a user. Its id is in the cookie `session_id`. */
export interface Session {
  /** 32 random bytes in hexadecimal. */
  readonly id: string
  readonly userID: string
  readonly email: string
  readonly role: string
  readonly expiresAt: Date
}

/** The sessions by id. The oldest one, which expires first, comes first. */
const sessions = new Map<string, Session>()

/** Creates a session. Send its id in a cookie with Path=/, HttpOnly, Secure and SameSite=Lax. */
export function createSession(user: Pick<Session, "userID" | "email" | "role">): Session {
  const id = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
  const session = { ...user, id, expiresAt: new Date(Date.now() + sessionLifetime * 1000) }
  for (const [old, { expiresAt }] of sessions) {
    if (expiresAt.getTime() > Date.now() && sessions.size < maxSessions) break
    sessions.delete(old)
  }
  sessions.set(id, session)
  return session
}

/** Returns the session with an id; null if it is unknown or has expired. */
export function findSession(id: string): Session | null {
  const session = sessions.get(id)
  return session && session.expiresAt.getTime() > Date.now() ? session : null
}

/** Ends a session. */
export function removeSession(id: string): void {
  sessions.delete(id)
}
