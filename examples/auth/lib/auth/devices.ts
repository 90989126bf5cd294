/** A mail about each sign-in in a new browser: one without the cookie of an earlier sign-in of the same user. */
import type { Context } from "fw"
import { db } from "../../db/index.ts"
import { mailLater } from "./mail.ts"
import { keepFacts, readFacts } from "./once.ts"
import { computeDigest, randomHex } from "./secrets.ts"
import type { User } from "./users.ts"
import { describeDevice } from "./words.ts"

const cookieName = "device"
/** Seconds for which a browser is remembered: a year. */
const lifetime = 365 * 86_400
/** Milliseconds after the creation of an account in which a sign-in sends no mail. */
const newAccountMs = 300_000

/** Remembers the browser, and sends the user a mail if it is new and the account is not. */
export async function noteDevice(c: Context, { id, email }: User): Promise<void> {
  const facts = await readFacts("device", computeDigest(c.cookie(cookieName)))
  if (facts?.userID === id) return
  const token = randomHex(32)
  await keepFacts("device", computeDigest(token), { userID: id }, lifetime)
  const secure = c.origin.startsWith("https:")
  c.setCookie({ name: cookieName, value: token, maxAge: lifetime, httpOnly: true, secure, sameSite: "Lax" })
  const [user] = await db.sql`SELECT created_at FROM users WHERE id = ${id}`
  if (Date.now() - Number(user?.created_at) < newAccountMs) return
  const device = describeDevice(c, c.header("user-agent"))
  mailLater(c, email, (mails, host, origin) => mails.newDevice(host, origin, device, c.clientIP))
}
