/** A mail about each sign-in in a new browser: one without the cookie of an earlier sign-in of the same user. */
import type { Context } from "fw"
import { db } from "../../db/index.ts"
import { mailLater } from "./mail.ts"
import { keepFacts, readFacts } from "./once.ts"
import { digestOf, randomHex } from "./secrets.ts"
import type { User } from "./users.ts"
import { deviceOf } from "./words.ts"

const cookieName = "device"
/** Seconds for which a browser is known: a year. */
const lifetime = 365 * 86_400
/** Milliseconds in which the first sign-in follows the making of an account. */
const newAccountTime = 300_000

/** Makes the browser known, and sends the user a mail if it was not. */
export async function noteDevice(c: Context, { id, email }: User): Promise<void> {
  const known = await readFacts("device", digestOf(c.cookie(cookieName)))
  if (known?.userID === id) return
  const token = randomHex(32)
  await keepFacts("device", digestOf(token), { userID: id }, lifetime)
  const secure = c.origin.startsWith("https:")
  c.setCookie({ name: cookieName, value: token, maxAge: lifetime, httpOnly: true, secure, sameSite: "Lax" })
  const [user] = await db.sql`SELECT created_at FROM users WHERE id = ${id}`
  if (Date.now() - Number(user?.created_at) < newAccountTime) return
  const device = deviceOf(c, c.header("user-agent"))
  mailLater(c, email, (mails, host, origin) => mails.newDevice(host, origin, device, c.clientIP))
}
