/** Challenges that authenticators sign. Each is stored here, and used once. */
import { db } from "./database.ts"
import { digestOf } from "./digest.ts"

/** Seconds in which a challenge has to be signed. */
export const challengeLifetime = 300

/**
 * Stores a challenge, and deletes expired ones.
 *
 * @param owner the session or the browser that asked for it. No other can use it.
 */
export async function keepChallenge(owner: string, challenge: string): Promise<void> {
  const now = Date.now()
  await db.batch(
    [
      { sql: "DELETE FROM passkey_challenges WHERE expires_at <= ?", args: [now] },
      {
        sql: "INSERT INTO passkey_challenges (digest, owner, expires_at) VALUES (?, ?, ?)",
        args: [digestOf(challenge), owner, now + challengeLifetime * 1000],
      },
    ],
    "write",
  )
}

/** Removes a challenge. Returns false if it is unknown, was used, has expired, or belongs to another owner. */
export async function takeChallenge(owner: string, challenge: string): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "DELETE FROM passkey_challenges WHERE digest = ? AND owner = ? AND expires_at > ?",
    args: [digestOf(challenge), owner, Date.now()],
  })
  return rowsAffected > 0
}
