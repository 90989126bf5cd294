/**
 * Links in mails with which a user sets a new password or verifies an address. Each works once, for a limited time.
 */
import { type Context, combine, type MiddlewareFunc } from "fw"
import { db } from "../../db/index.ts"
import { mailLater, sendMail } from "./mail.ts"
import { keepFacts, readFacts, takeFacts } from "./once.ts"
import { hashPassword } from "./passwords.ts"
import { computeDigest, randomHex } from "./secrets.ts"
import { sessions } from "./sessions.ts"
import { endAccess, giveToOwner, normalizeEmail, type User, type UserRow } from "./users.ts"

/** Seconds in which a link can be used. */
export const resetLifetime = 1800
const verifyLifetime = 86_400

/** Returns a text that changes with the password, so that using one link ends all others. */
const computeSeal = (hash: string | null) => computeDigest(hash ?? "")

/** Sends a link to the owner of an account, after the answer. Does nothing if no account has this address. */
export function sendReset(c: Context, email: string): void {
  const send = async () => {
    const [user] = await db.sql<UserRow>`SELECT * FROM users WHERE email = ${normalizeEmail(email)}`
    if (!user) return
    const token = randomHex(32)
    const facts = { userID: String(user.id), seal: computeSeal(user.password_hash) }
    await keepFacts("reset", computeDigest(token), facts, resetLifetime)
    await sendMail(c, String(user.email), (mails, host, origin) =>
      mails.reset(host, `${origin}/reset/link?token=${token}`, resetLifetime / 60),
    )
  }
  c.waitUntil(send())
}

/** Returns true if the browser has opened a link that can be used. */
export async function canReset(c: Context): Promise<boolean> {
  return (await readFacts("reset", c.session.get("reset") ?? "")) !== undefined
}

/**
 * Sets a new password, and ends all sessions and tokens of the user. Opening the link proves who owns the address.
 * Returns the email address, or null if the link cannot be used any more.
 */
export async function resetPassword(c: Context, password: string): Promise<string | null> {
  const facts = await takeFacts("reset", c.session.get("reset") ?? "")
  c.session.delete("reset")
  if (!facts) return null
  const hash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const [user] = await tx.sql<UserRow>`SELECT * FROM users WHERE id = ${facts.userID}`
    if (!user || computeSeal(user.password_hash) !== facts.seal) return null
    const id = String(user.id)
    await giveToOwner(tx, id)
    await endAccess(tx, id)
    await tx.sql`UPDATE users SET password_hash = ${hash} WHERE id = ${id}`
    return String(user.email)
  })
}

/** Sends a user a link to verify the address. */
export async function sendVerification(c: Context, { id, email }: User): Promise<void> {
  const token = randomHex(32)
  await keepFacts("verify", computeDigest(token), { userID: id, email }, verifyLifetime)
  mailLater(c, email, (mails, host, origin) => mails.verify(host, `${origin}/verify?token=${token}`))
}

/**
 * Verifies the address of the user who is signed in. Opening the link is not enough, because somebody else may have
 * created an account with the address of another person.
 */
export async function verify(token: string, user: User): Promise<boolean> {
  const facts = await readFacts("verify", computeDigest(token))
  if (facts?.userID !== user.id || facts.email !== user.email) return false
  await takeFacts("verify", computeDigest(token))
  await db.sql`UPDATE users SET email_verified = 1 WHERE id = ${user.id}`
  return true
}

/** Loads the session, and keeps the token in a page's address out of caches and of the `Referer` header. */
export function protectLinks(): MiddlewareFunc {
  return combine.every(sessions, (next) => (c) => {
    c.setHeader("Cache-Control", "no-store")
    c.setHeader("Referrer-Policy", "no-referrer")
    return next(c)
  })
}
