/**
 * Refresh tokens. Each can be used once and returns the next. A token that is used twice was stolen, so all
 * tokens of its login end.
 */
import { db } from "../../db/index.ts"
import { readCount } from "./env.ts"
import { computeDigest, randomHex } from "./secrets.ts"

/** Seconds after which a user must sign in again, however often the token was refreshed. Default: two weeks. */
export const refreshLifetime = readCount("AUTH_REFRESH_SECONDS", 14 * 86_400, [3600, 90 * 86_400])

/** A refresh token, as its owner gets it. */
export interface RefreshToken {
  readonly token: string
  readonly userID: string
  readonly expiresAt: Date
}

/** The body of a request with a refresh token. */
export interface RefreshRequest {
  refresh_token: string
}

/** Creates the first token of a family, at login. */
export async function startRefresh(userID: string): Promise<RefreshToken> {
  const token = randomHex(32)
  const expiresAt = new Date(Date.now() + refreshLifetime * 1000)
  await db.sql`DELETE FROM refresh_tokens WHERE expires_at <= ${Date.now()}`
  await db.sql`INSERT INTO refresh_tokens (digest, family, user_id, expires_at)
    VALUES (${computeDigest(token)}, ${randomHex(16)}, ${userID}, ${expiresAt.getTime()})`
  return { token, userID, expiresAt }
}

interface Row {
  readonly family: string
  readonly user_id: string
  readonly expires_at: unknown
}

/** Exchanges a token for the next one. Null for a token that is unknown, expired, revoked or already used. */
export async function rotate(oldToken: string): Promise<RefreshToken | null> {
  const token = randomHex(32)
  const next = computeDigest(token)
  return db.transaction(async (tx) => {
    // The UPDATE locks the row: if two requests use the same token, the second finds it already replaced.
    const [row] = await tx.sql<Row>`UPDATE refresh_tokens SET replaced_by = ${next}
      WHERE digest = ${computeDigest(oldToken)} AND replaced_by IS NULL AND revoked = 0 AND expires_at > ${Date.now()}
      RETURNING family, user_id, expires_at`
    if (!row) {
      await tx.sql`UPDATE refresh_tokens SET revoked = 1 WHERE family = (
        SELECT family FROM refresh_tokens WHERE digest = ${computeDigest(oldToken)} AND replaced_by IS NOT NULL)`
      return null
    }
    const { family, user_id: userID, expires_at } = row
    await tx.sql`INSERT INTO refresh_tokens (digest, family, user_id, expires_at)
      VALUES (${next}, ${family}, ${userID}, ${expires_at})`
    return { token, userID, expiresAt: new Date(Number(expires_at)) }
  })
}

/** Revokes the family of a token, as when signing out. Does nothing for an unknown token. */
export async function revokeRefresh(token: string): Promise<void> {
  await db.sql`UPDATE refresh_tokens SET revoked = 1
    WHERE family = (SELECT family FROM refresh_tokens WHERE digest = ${computeDigest(token)})`
}
