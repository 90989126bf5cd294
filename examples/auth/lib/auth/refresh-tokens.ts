/**
 * Refresh tokens. Each can be used once and returns the next. A token that is used twice was stolen, so all
 * tokens of its login end.
 */
import { db } from "./database.ts"
import { digestOf, randomHex } from "./digest.ts"
import { count } from "./env.ts"

/** Seconds after which a user must sign in again, however often the token was refreshed. Default: two weeks. */
export const refreshLifetime = count("AUTH_REFRESH_SECONDS", 14 * 86_400, [3600, 90 * 86_400])

/** A refresh token, as its owner gets it. */
export interface RefreshToken {
  readonly token: string
  readonly userID: string
  readonly expiresAt: Date
}

/** Creates the first token of a family, at login. */
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

/** Exchanges a token for the next one. Null for a token that is unknown, expired, revoked or already used. */
export async function rotate(used: string): Promise<RefreshToken | null> {
  const token = randomHex(32)
  const [old, next] = [digestOf(used), digestOf(token)]
  // In one transaction: if two requests use the same token, the second finds it already replaced.
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

/** Revokes the family of a token, as when signing out. Does nothing for an unknown token. */
export async function revokeRefresh(token: string): Promise<void> {
  await db.execute({
    sql: "UPDATE refresh_tokens SET revoked = 1 WHERE family = (SELECT family FROM refresh_tokens WHERE digest = ?)",
    args: [digestOf(token)],
  })
}
