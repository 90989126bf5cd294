/** Finds or creates the account for a sign-in with a provider. */
import type { InStatement } from "@libsql/client"
import { db } from "./database.ts"
import type { ProviderUser } from "./oidc.ts"
import { type User, userOf } from "./users.ts"

/**
 * Returns the account of a provider's user. Null if there is none and the provider has not verified the email
 * address.
 *
 * An existing account with this address may have been created by a stranger, because signing up does not
 * verify the address. Such an account goes to the owner of the address, and its password, passkeys, sessions,
 * tokens and keys are deleted.
 */
export async function accountOf(provider: string, user: ProviderUser): Promise<User | null> {
  const known = await findIdentity(provider, user.id)
  if (known) return known
  if (!user.emailVerified) return null
  const unproven = "user_id IN (SELECT id FROM users WHERE email = ? AND email_verified = 0)"
  const statements: InStatement[] = [
    ...["sessions", "refresh_tokens", "api_keys", "passkeys"].map((table) => ({
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
