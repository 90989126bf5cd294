/** Mails of the application: sent by SMTP, or under `fw dev` kept in `.fw/mail`, which it shows at `/__fw/mail`. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { FwError } from "fw"
import { createTransport } from "nodemailer"
import { setting } from "./env.ts"
import { checkOrigin } from "./origin.ts"
import { randomHex } from "./secrets.ts"

/** A mail to one person. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

const directory = ".fw/mail"
/** Number of mails that are kept. */
const mostKept = 50

const smtp = readServer()

/** True without a mail server under `fw dev`, which sets the variable. */
export const keepsMail = smtp === null && setting("NODE_ENV") === "development"
/** False if there is no mail server: then nothing that needs mail is offered. */
export const hasMail = smtp !== null || keepsMail

/** Sends a mail. @throws Error if the mail server does not accept it. */
export async function sendMail(mail: Mail): Promise<void> {
  if (smtp === null) return keep(mail)
  const { to, subject, text } = mail
  // As an object: in a text, a comma would begin another address.
  await smtp.transport.sendMail({ from: smtp.from, to: { name: "", address: to }, subject, text })
}

async function keep(mail: Mail): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const now = new Date()
  const text = JSON.stringify({ ...mail, at: now.toISOString() })
  await writeFile(join(directory, `${now.getTime()}-${randomHex(4)}.json`), text, { mode: 0o600 })
  const old = (await readdir(directory)).sort().slice(0, -mostKept)
  await Promise.all(old.map((name) => rm(join(directory, name), { force: true })))
  console.info(`A mail to ${mail.to} is at /__fw/mail`)
}

/** Reads the configuration. @throws FwError for an address that is not valid. It may contain a password, so it is not shown. */
function readServer() {
  const text = setting("AUTH_MAIL_URL")
  const from = setting("AUTH_MAIL_FROM")
  if (text === "") return null
  const fix = "Write smtps://user:password@smtp.example, or smtp:// for a server with STARTTLS."
  if (!URL.canParse(text)) throw new FwError("mail", "AUTH_MAIL_URL is not a URL", fix)
  const url = new URL(text)
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === "")
    throw new FwError("mail", "AUTH_MAIL_URL is not the address of an SMTP server", fix)
  if (!/^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/.test(from))
    throw new FwError(
      "mail",
      `AUTH_MAIL_FROM is ${JSON.stringify(from)}`,
      'Write the sender of mails, such as AUTH_MAIL_FROM="Shop <hello@shop.example>".',
    )
  checkOrigin("sending mails")
  // Mails contain links that reset passwords. Only a server on this machine gets them without TLS.
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === "smtp:" && !isLocal && !url.searchParams.has("requireTLS"))
    url.searchParams.set("requireTLS", "true")
  return { transport: createTransport(url.href), from }
}
