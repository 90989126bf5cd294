/** Sessions of signed-in users. They are stored in the database, so they survive a restart. */
import { db } from "./database.ts"
import { digestOf, randomHex } from "./digest.ts"
import { type Identity, isRole } from "./identity.ts"

/** Lifetime of a session in seconds: a day. */
export const sessionLifetime = 86_400

/** A session, as its browser knows it. */
export interface Session extends Identity {
  /** The secret: 32 random bytes in hexadecimal. */
  readonly id: string
  /** Identifies the session in the list of its owner. */
  readonly handle: string
  readonly expiresAt: Date
}

/** The device that a user signed in from. Only shown to the user. */
export interface Device {
  readonly userAgent: string
  readonly address: string
}

/** A session in the list of its owner. */
export interface ListedSession extends Device {
  readonly handle: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Creates a session, and deletes expired ones. */
export async function createSession(user: Identity, { userAgent, address }: Device): Promise<Session> {
  const id = randomHex(32)
  const handle = randomHex(8)
  const now = Date.now()
  const expiresAt = new Date(now + sessionLifetime * 1000)
  await db.batch(
    [
      { sql: "DELETE FROM sessions WHERE expires_at <= ?", args: [now] },
      {
        sql: `INSERT INTO sessions (digest, handle, user_id, user_agent, address, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        args: [digestOf(id), handle, user.userID, userAgent.slice(0, 300), address, now, expiresAt.getTime()],
      },
    ],
    "write",
  )
  const { userID, email, role } = user
  return { id, handle, userID, email, role, expiresAt }
}

/** Returns the session with an ID; null if it is unknown or has expired. The role is the user's current one. */
export async function findSession(id: string): Promise<Session | null> {
  if (!/^[0-9a-f]{64}$/.test(id)) return null
  const { rows } = await db.execute({
    sql: `SELECT handle, expires_at, user_id, email, role FROM sessions JOIN users ON users.id = user_id
      WHERE digest = ? AND expires_at > ?`,
    args: [digestOf(id), Date.now()],
  })
  const [row] = rows
  if (!row || !isRole(row.role)) return null
  return {
    id,
    handle: String(row.handle),
    userID: String(row.user_id),
    email: String(row.email),
    role: row.role,
    expiresAt: new Date(Number(row.expires_at)),
  }
}

/** Deletes a session by its ID. */
export async function removeSession(id: string): Promise<void> {
  await db.execute({ sql: "DELETE FROM sessions WHERE digest = ?", args: [digestOf(id)] })
}

/** Returns a user's sessions, newest first. */
export async function listSessions(userID: string): Promise<ListedSession[]> {
  const { rows } = await db.execute({
    sql: `SELECT handle, user_agent, address, created_at, expires_at FROM sessions
      WHERE user_id = ? AND expires_at > ? ORDER BY created_at DESC, handle`,
    args: [userID, Date.now()],
  })
  return rows.map((row) => ({
    handle: String(row.handle),
    userAgent: String(row.user_agent),
    address: String(row.address),
    createdAt: new Date(Number(row.created_at)),
    expiresAt: new Date(Number(row.expires_at)),
  }))
}

/** Ends one of a user's own sessions. Returns false if the user has no such session. */
export async function revokeSession(userID: string, handle: string): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "DELETE FROM sessions WHERE user_id = ? AND handle = ?",
    args: [userID, handle],
  })
  return rowsAffected > 0
}

/** Ends all sessions of a user except one. */
export async function revokeOtherSessions(userID: string, handle: string): Promise<void> {
  await db.execute({
    sql: "DELETE FROM sessions WHERE user_id = ? AND handle <> ?",
    args: [userID, handle],
  })
}
