/** Mails of the application, with links to it. `app/mail/job.ts` sends them. */
import type { Context } from "fw"
import { mail } from "fw/mail"
import { getOrigin } from "./origin.ts"
import { type Texts, textsOf } from "./texts.ts"

/** Returns a mail for the host of the application and the origin of its links. */
type Write = (mails: Texts["mails"], host: string, origin: string) => { subject: string; text: string }

/** Sends a mail. */
export async function sendMail(c: Context, address: string, write: Write): Promise<void> {
  const origin = getOrigin(c)
  await mail(c, { to: { address }, ...write(textsOf(c).mails, new URL(origin).host, origin) })
}

/** Sends a mail after the answer, so that its time does not reveal whether a mail is sent. */
export function mailLater(c: Context, address: string, write: Write): void {
  c.waitUntil(sendMail(c, address, write))
}
