/** Invitations: a mail with a link with which a person signs up. The address is verified then. */
import type { Context } from "fw"
import { readSetting } from "./env.ts"
import { mailLater } from "./mail.ts"
import { accountPages } from "./menu.ts"
import { keepFacts, readFacts } from "./once.ts"
import { rules } from "./rules.ts"
import { computeDigest, randomHex } from "./secrets.ts"
import { normalizeEmail, type User } from "./users.ts"

declare module "fw/session" {
  interface SessionData {
    /** The digest of the token of an invitation. */
    invitation: string
  }
}

/** Seconds in which an invitation can be used: a week. */
const lifetime = 7 * 86_400

accountPages.push({ label: (texts) => texts.invitations, path: "/invitations" })
rules.needsInvitation = readSetting("AUTH_SIGN_UP") === "invited"
rules.findInvited = async (c) => (await readFacts("invitation", c.session.get("invitation") ?? ""))?.email

/** Sends an invitation. */
export async function invite(c: Context, email: string, from: User): Promise<void> {
  const token = randomHex(32)
  await keepFacts("invitation", computeDigest(token), { email: normalizeEmail(email) }, lifetime)
  mailLater(c, normalizeEmail(email), (mails, host, origin) =>
    mails.invitation(host, `${origin}/invitation?token=${token}`, from.email),
  )
}
