/** Who is signed in, in the memory of this process: a restart signs everyone out. Asked by the proxy, filled by the login. */

/** Seconds that a session lasts: the Max-Age of its cookie, too. */
export const sessionLifetime = 86_400

/** Sessions that are remembered; past that, the oldest ends. */
const most = 100_000

/** A session, as the cookie `session_id` names it. */
export interface Session {
  /** 32 random bytes in hexadecimal. */
  readonly id: string
  readonly userID: string
  readonly email: string
  readonly role: string
  readonly expiresAt: Date
}

/** In the order they were made, which is that in which they end. */
const sessions = new Map<string, Session>()

/** Signs somebody in. Send the id as a cookie with Path=/, HttpOnly, Secure and SameSite=Lax. */
export function createSession(user: Pick<Session, "userID" | "email" | "role">): Session {
  const id = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
  const session = { ...user, id, expiresAt: new Date(Date.now() + sessionLifetime * 1000) }
  for (const [old, { expiresAt }] of sessions) {
    if (expiresAt.getTime() > Date.now() && sessions.size < most) break
    sessions.delete(old)
  }
  sessions.set(id, session)
  return session
}

/** The session of an id; null for one that is unknown or has expired. */
export function findSession(id: string): Session | null {
  const session = sessions.get(id)
  return session && session.expiresAt.getTime() > Date.now() ? session : null
}

/** Signs somebody out. */
export function removeSession(id: string): void {
  sessions.delete(id)
}
