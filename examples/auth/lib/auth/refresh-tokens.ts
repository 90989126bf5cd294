/** Refresh tokens: each is used once and gives the next; one that comes twice was stolen, and ends all that came of its login. */
import { db } from "./database.ts"
import { digestOf, randomHex } from "./digest.ts"
import { count } from "./env.ts"

/** Seconds from a login until it has to be repeated, however often it was refreshed: two weeks. */
export const refreshLifetime = count("AUTH_REFRESH_SECONDS", 14 * 86_400, [3600, 90 * 86_400])

/** A refresh token as its owner gets it. */
export interface RefreshToken {
  readonly token: string
  readonly userID: string
  readonly expiresAt: Date
}

/** The first of a family, made at login. */
export async function startRefresh(userID: string): Promise<RefreshToken> {
  const token = randomHex(32)
  const expiresAt = new Date(Date.now() + refreshLifetime * 1000)
  await db.batch(
    [
      { sql: "DELETE FROM refresh_tokens WHERE expires_at <= ?", args: [Date.now()] },
      {
        sql: "INSERT INTO refresh_tokens (digest, family, user_id, expires_at) VALUES (?, ?, ?, ?)",
        args: [digestOf(token), randomHex(16), userID, expiresAt.getTime()],
      },
    ],
    "write",
  )
  return { token, userID, expiresAt }
}

/** Takes a token for the next one. Null for a token that is unknown, expired, revoked or used before. */
export async function rotate(used: string): Promise<RefreshToken | null> {
  const token = randomHex(32)
  const [old, next] = [digestOf(used), digestOf(token)]
  // One transaction: of two requests with one token, one is first, and the other finds it replaced.
  const [, , made] = await db.batch(
    [
      {
        sql: `UPDATE refresh_tokens SET revoked = 1
          WHERE family = (SELECT family FROM refresh_tokens WHERE digest = ? AND replaced_by IS NOT NULL)`,
        args: [old],
      },
      {
        sql: `UPDATE refresh_tokens SET replaced_by = ?
          WHERE digest = ? AND replaced_by IS NULL AND revoked = 0 AND expires_at > ?`,
        args: [next, old, Date.now()],
      },
      {
        sql: `INSERT INTO refresh_tokens (digest, family, user_id, expires_at)
          SELECT replaced_by, family, user_id, expires_at FROM refresh_tokens WHERE digest = ? AND replaced_by = ?
          RETURNING user_id, expires_at`,
        args: [old, next],
      },
    ],
    "write",
  )
  const row = made?.rows[0]
  return row ? { token, userID: String(row.user_id), expiresAt: new Date(Number(row.expires_at)) } : null
}

/** Ends the family of a token, as logging out does. Nothing happens for an unknown one. */
export async function revokeRefresh(token: string): Promise<void> {
  await db.execute({
    sql: "UPDATE refresh_tokens SET revoked = 1 WHERE family = (SELECT family FROM refresh_tokens WHERE digest = ?)",
    args: [digestOf(token)],
  })
}
