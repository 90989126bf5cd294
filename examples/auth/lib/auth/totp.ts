/** A second factor: codes of an app on the user's phone (RFC 6238), and recovery codes. */
import { type Context, HttpError } from "fw"
import { Secret, TOTP } from "otpauth"
import { db } from "../../db/index.ts"
import { accountPages } from "./menu.ts"
import { rules } from "./rules.ts"
import { computeDigest, randomHex } from "./secrets.ts"
import { goTo } from "./sessions.ts"
import { store } from "./store.ts"
import { findUser, type User } from "./users.ts"

declare module "fw/session" {
  interface SessionData {
    /** The user who has sent the right password and has to send a code, and the time until when. */
    halfSignedIn: { readonly userID: string; readonly until: number }
    /** The secret of a second factor that is not turned on yet. */
    newSecret: string
  }
}

const recoveryCodeCount = 8
/** Milliseconds in which the code has to be sent. */
const codeTimeMs = 600_000
/**
 * The number of wrong codes in ten minutes after which even the right one is refused, because there are only a
 * million codes.
 */
const maxAttempts = 10

accountPages.push({ label: (texts) => texts.secondFactor, path: "/second-factor" })
rules.askForCode = async (c, user) => {
  if (!(await findFactor(user.id))) return null
  c.session.set("halfSignedIn", { userID: user.id, until: Date.now() + codeTimeMs })
  return goTo(c, "/login/code")
}
rules.isCode = async (user, code) => !(await findFactor(user.id)) || useCode(user.id, code)

/** Returns the user whose password was right in this browser; null if there is none. */
export async function findHalfSignedIn(c: Context): Promise<User | null> {
  const { userID, until = 0 } = c.session.get("halfSignedIn") ?? {}
  return userID === undefined || until < Date.now() ? null : findUser(userID)
}

/** Returns the number of recovery codes that are left; null without a second factor. */
export async function countRecoveryCodes(userID: string): Promise<number | null> {
  const factor = await findFactor(userID)
  return factor ? factor.recovery_codes.split(" ").filter(Boolean).length : null
}

async function findFactor(userID: string): Promise<{ secret: string; recovery_codes: string } | undefined> {
  const [row] = await db.sql<{ secret: string; recovery_codes: string }>`
    SELECT secret, recovery_codes FROM second_factors WHERE user_id = ${userID}`
  return row
}

const createTOTP = (secret: string, label = "", issuer = "") => new TOTP({ secret, label, issuer })

/** Returns the secret that a user may turn on, and its URL for the QR code that an app reads. */
export function prepareSecondFactor(
  c: Context,
  { email }: User,
): { readonly secret: string; readonly url: string } {
  const secret = c.session.get("newSecret") ?? new Secret({ size: 20 }).base32
  c.session.set("newSecret", secret)
  return { secret, url: createTOTP(secret, email, new URL(c.origin).host).toString() }
}

/** Turns the second factor on if the code shows that the app has the secret. Returns the recovery codes. */
export async function turnOn(c: Context, userID: string, code: string): Promise<readonly string[] | null> {
  const secret = c.session.get("newSecret")
  const step = secret === undefined ? null : findStep(secret, code)
  if (secret === undefined || step === null) return null
  const codes = Array.from({ length: recoveryCodeCount }, () => randomHex(5))
  await db.sql`INSERT INTO second_factors (user_id, secret, used_step, recovery_codes)
    VALUES (${userID}, ${secret}, ${step}, ${codes.map(computeDigest).join(" ")}) ON CONFLICT (user_id) DO NOTHING`
  c.session.delete("newSecret")
  return codes
}

/** Turns the second factor off. */
export async function turnOff(userID: string): Promise<void> {
  await db.sql`DELETE FROM second_factors WHERE user_id = ${userID}`
}

/** Returns the number of the period of 30 seconds of a code: the current one, or the one before or after it. */
function findStep(secret: string, code: string): number | null {
  const totp = createTOTP(secret)
  const delta = totp.validate({ token: code.replaceAll(" ", ""), window: 1 })
  return delta === null ? null : totp.counter() + delta
}

/** Uses a code of the app or a recovery code. Returns false for a code that is wrong or was already used. */
export async function useCode(userID: string, code: string): Promise<boolean> {
  const { count } = await store.counter.hit(`code ${userID}`, 600)
  if (count > maxAttempts) throw new HttpError(429, "too many codes: try again in ten minutes")
  const factor = await findFactor(userID)
  if (!factor) return false
  const step = findStep(factor.secret, code)
  if (step !== null) {
    // This is one statement, so that only one of two requests with the same code succeeds.
    const rows = await db.sql`UPDATE second_factors SET used_step = ${step}
      WHERE user_id = ${userID} AND used_step < ${step} RETURNING user_id`
    return rows.length > 0
  }
  const remaining = factor.recovery_codes
    .split(" ")
    .filter((item) => item !== computeDigest(code.trim().toLowerCase()))
  const rows = await db.sql`UPDATE second_factors SET recovery_codes = ${remaining.join(" ")}
    WHERE user_id = ${userID} AND recovery_codes = ${factor.recovery_codes} RETURNING user_id`
  return rows.length > 0 && remaining.join(" ") !== factor.recovery_codes
}
