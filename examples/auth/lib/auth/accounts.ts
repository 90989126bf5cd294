/** Finds or creates the account for a sign-in with a provider. */
import { db } from "../../db/index.ts"
import type { ProviderUser } from "./oidc.ts"
import { giveToOwner, toUser, type User, type UserRow } from "./users.ts"

/**
 * Returns the account of a provider's user. Null if there is none and the provider has not verified the email
 * address. An account with this address that was not verified goes to the owner of the address.
 */
export async function findOrAddAccount(
  provider: string,
  { id, email, ...user }: ProviderUser,
): Promise<User | null> {
  const account = await findIdentity(provider, id)
  if (account || !user.emailVerified) return account
  await db.transaction(
    async (tx) => {
      await tx.sql`INSERT INTO users (id, email, email_verified, name, picture, role, created_at)
        VALUES (${crypto.randomUUID()}, ${email}, 1, ${user.name}, ${user.picture}, 'user', ${Date.now()})
        ON CONFLICT (email) DO NOTHING`
      const [owner] = await tx.sql<UserRow>`SELECT * FROM users WHERE email = ${email}`
      if (!owner) return
      await giveToOwner(tx, String(owner.id))
      await tx.sql`INSERT INTO identities (provider, subject, user_id) VALUES (${provider}, ${id}, ${owner.id})
        ON CONFLICT (provider, subject) DO NOTHING`
    },
    { retries: 3 },
  )
  return findIdentity(provider, id)
}

async function findIdentity(provider: string, subject: string): Promise<User | null> {
  const [row] = await db.sql<UserRow>`SELECT users.* FROM users JOIN identities ON user_id = users.id
    WHERE provider = ${provider} AND subject = ${subject}`
  return row ? toUser(row) : null
}
