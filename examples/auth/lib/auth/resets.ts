/** Resetting passwords: a mail with a link, which is valid for half an hour and once. Its token is stored only as a digest. */
import { db } from "./database.ts"
import { digestOf, randomHex } from "./digest.ts"
import { sendMail } from "./mail.ts"
import { hashPassword } from "./passwords.ts"
import { normalEmail } from "./users.ts"

/** Seconds in which a link can be used. */
export const resetLifetime = 1800

/**
 * Sends a link to the owner of an account. Does nothing if no account has this address.
 *
 * @param origin the public address of the application.
 */
export async function requestReset(email: string, origin: string): Promise<void> {
  const { rows } = await db.execute({
    sql: "SELECT id, email FROM users WHERE email = ?",
    args: [normalEmail(email)],
  })
  const [user] = rows
  if (!user) return
  const token = randomHex(32)
  const now = Date.now()
  await db.batch(
    [
      { sql: "DELETE FROM password_resets WHERE expires_at <= ?", args: [now] },
      {
        sql: "INSERT INTO password_resets (digest, user_id, expires_at) VALUES (?, ?, ?)",
        args: [digestOf(token), String(user.id), now + resetLifetime * 1000],
      },
    ],
    "write",
  )
  await sendMail({
    to: String(user.email),
    subject: `A new password for ${hostOf(origin)}`,
    text: `Somebody asked to set a new password for your account at ${hostOf(origin)}.

If it was you, open this link within ${resetLifetime / 60} minutes. It works once.

${origin}/reset/link?token=${token}

If it was not you, do nothing. Your password remains as it is.
`,
  })
}

/** Returns true if a token can be used. */
export async function isResetToken(token: string): Promise<boolean> {
  const { rows } = await db.execute({
    sql: "SELECT 1 FROM password_resets WHERE digest = ? AND expires_at > ?",
    args: [digestOf(token), Date.now()],
  })
  return rows.length > 0
}

/**
 * Sets a new password and ends all sessions and tokens of the user. Returns the email address; null if the token
 * cannot be used.
 *
 * The mail proves who owns the address. If it was not verified before, a stranger may have made the account: then its
 * passkeys and API keys are deleted too.
 */
export async function resetPassword(token: string, password: string): Promise<string | null> {
  if (!(await isResetToken(token))) return null
  const hash = await hashPassword(password)
  const owner = "(SELECT user_id FROM password_resets WHERE digest = ? AND expires_at > ?)"
  const valid = [digestOf(token), Date.now()]
  const unproven = `user_id IN (SELECT id FROM users WHERE id = ${owner} AND email_verified = 0)`
  const [changed] = (
    await db.batch(
      [
        ...["passkeys", "api_keys"].map((table) => ({
          sql: `DELETE FROM ${table} WHERE ${unproven}`,
          args: valid,
        })),
        {
          sql: `UPDATE users SET password_hash = ?, email_verified = 1 WHERE id = ${owner} RETURNING email`,
          args: [hash, ...valid],
        },
        ...["sessions", "refresh_tokens"].map((table) => ({
          sql: `DELETE FROM ${table} WHERE user_id = ${owner}`,
          args: valid,
        })),
        // Last, because the others look for the token. One transaction: of two requests, one finds it.
        { sql: `DELETE FROM password_resets WHERE user_id = ${owner}`, args: valid },
      ],
      "write",
    )
  ).slice(2)
  const [user] = changed?.rows ?? []
  return user ? String(user.email) : null
}

/** Sends the owner of an account a mail that its password was changed. */
export async function reportReset(email: string, origin: string): Promise<void> {
  await sendMail({
    to: email,
    subject: `Your password for ${hostOf(origin)} was changed`,
    text: `The password of your account at ${hostOf(origin)} was changed, and all sessions were ended.

If it was not you, set a new password: ${origin}/forgot
`,
  })
}

function hostOf(origin: string): string {
  return new URL(origin).host
}
