/** Sends the mails of the accounts, by SMTP. Under `fw dev` without a mail server, `/__fw/mail` shows them. */
import { FwError } from "fw"
import { mailer } from "fw/mail"
import { createTransport } from "nodemailer"
import { readSetting } from "../../lib/auth/env.ts"
import { isLocal } from "../../lib/auth/origin.ts"
import { files } from "../../lib/files.ts"

const url = readSetting("AUTH_MAIL_URL")
const from = readSetting("AUTH_MAIL_FROM")

// A URL may have a password, so it is not shown.
if (url !== "" && !(URL.canParse(url) && /^smtps?:\/\/[^/]/.test(url)))
  throw new FwError(
    "mail",
    "AUTH_MAIL_URL is not the address of an SMTP server",
    "Write smtps://user:password@smtp.example, or smtp:// for a server with STARTTLS.",
  )
if (url !== "" && from === "")
  throw new FwError(
    "mail",
    "AUTH_MAIL_FROM is not set",
    'Write the sender of mails, such as AUTH_MAIL_FROM="Shop <hello@shop.example>".',
  )

export const Job = mailer({
  from: from || "accounts@localhost",
  files,
  // The mails contain links that reset passwords, so only a server on this machine gets them without TLS.
  transport: url ? createTransport({ url, requireTLS: !isLocal(url) }) : undefined,
})
