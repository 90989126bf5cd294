/** The account of whoever signs in at a provider: found, or made. Used by a provider's callback. */
import type { InStatement } from "@libsql/client"
import { db } from "./database.ts"
import type { ProviderUser } from "./oidc.ts"
import { type User, userOf } from "./users.ts"

/**
 * The user of a provider's user. Null where there is none and the provider does not vouch for the address.
 *
 * An account that somebody made with the address and a password, without proving that it is theirs, becomes that of the
 * address's owner: the password, sessions, tokens and keys that it had are gone, as they may be a stranger's.
 */
export async function accountOf(provider: string, user: ProviderUser): Promise<User | null> {
  const known = await findIdentity(provider, user.id)
  if (known) return known
  if (!user.emailVerified) return null
  const unproven = "user_id IN (SELECT id FROM users WHERE email = ? AND email_verified = 0)"
  const statements: InStatement[] = [
    ...["sessions", "refresh_tokens", "api_keys"].map((table) => ({
      sql: `DELETE FROM ${table} WHERE ${unproven}`,
      args: [user.email],
    })),
    {
      sql: "UPDATE users SET password_hash = NULL, email_verified = 1 WHERE email = ? AND email_verified = 0",
      args: [user.email],
    },
    {
      sql: `INSERT INTO users (id, email, name, picture, role, email_verified, created_at)
        VALUES (?, ?, ?, ?, 'user', 1, ?) ON CONFLICT (email) DO NOTHING`,
      args: [crypto.randomUUID(), user.email, user.name, user.picture, Date.now()],
    },
    {
      sql: `INSERT INTO identities (provider, subject, user_id)
        SELECT ?, ?, id FROM users WHERE email = ? ON CONFLICT (provider, subject) DO NOTHING`,
      args: [provider, user.id, user.email],
    },
  ]
  await db.batch(statements, "write")
  return findIdentity(provider, user.id)
}

async function findIdentity(provider: string, subject: string): Promise<User | null> {
  const { rows } = await db.execute({
    sql: "SELECT users.* FROM users JOIN identities ON user_id = users.id WHERE provider = ? AND subject = ?",
    args: [provider, subject],
  })
  return rows[0] ? userOf(rows[0]) : null
}
