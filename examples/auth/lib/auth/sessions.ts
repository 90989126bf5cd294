/** Sessions: who is signed in where. They are in the database, so they outlive a restart and end when they are removed. */
import { db } from "./database.ts"
import { digestOf, randomHex } from "./digest.ts"
import { type Identity, isRole } from "./identity.ts"

/** Seconds that a session lasts: a day. */
export const sessionLifetime = 86_400

/** A session, as the browser that it belongs to has it. */
export interface Session extends Identity {
  /** The secret: 32 random bytes in hexadecimal. */
  readonly id: string
  /** Names the session where its owner sees a list. */
  readonly handle: string
  readonly expiresAt: Date
}

/** Where somebody signs in from. Shown to them, and used for nothing else. */
export interface Device {
  readonly userAgent: string
  readonly address: string
}

/** A session in its owner's list. */
export interface ListedSession extends Device {
  readonly handle: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Makes a session; those that have expired go. */
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

/** The session of an ID; null if it is unknown or has expired. The role is the user's of now. */
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

/** Removes a session by its ID. */
export async function removeSession(id: string): Promise<void> {
  await db.execute({ sql: "DELETE FROM sessions WHERE digest = ?", args: [digestOf(id)] })
}

/** Somebody's sessions, the newest first. */
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

/** Ends one of somebody's own sessions. False where they have none of that name. */
export async function revokeSession(userID: string, handle: string): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "DELETE FROM sessions WHERE user_id = ? AND handle = ?",
    args: [userID, handle],
  })
  return rowsAffected > 0
}

/** Ends all of somebody's sessions but one. */
export async function revokeOtherSessions(userID: string, handle: string): Promise<void> {
  await db.execute({
    sql: "DELETE FROM sessions WHERE user_id = ? AND handle <> ?",
    args: [userID, handle],
  })
}
