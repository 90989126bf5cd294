/** Messages about mails. They never contain an address or a text of a mail, because messages are logged. */
import { formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

export const mailMessages = {
  mail: (part: string, rule: string) => [`the ${part} of a mail is not valid`, rule],
  "mail.address": (place: string) => [
    `${place} of a mail is not an email address`,
    'Write "ada@shop.example", "Ada <ada@shop.example>", or { name, address } for what a user has typed. Check the input of a form with the format email.',
  ],
  "mail.header": (name: string) => [
    `mail() cannot set the header ${formatValue(name)}`,
    "Write a name of letters and hyphens, and a text without line breaks. For addresses, subject, type and List-Unsubscribe, use the options.",
  ],
  "mail.relative": (address: string) => [
    `the markup of a mail leads to ${formatValue(address)}, but a mail has no site to which it could be relative`,
    "Write the whole address: new URL(link(…), origin).",
  ],
  "mail.file": (name: string) => [
    `there is no file ${formatValue(name)} to attach`,
    "Store it before mail() is called. mailer({ files }) says where it is.",
  ],
  "mail.mailer": (files: readonly string[]) => [
    files.length === 0 ? "the program has no mailer" : `the program has two mailers: ${files.join(" and ")}`,
    'Write one, in app/mail/job.ts: export const Job = mailer({ from: "Shop <hello@shop.example>", transport }).',
  ],
  mail_transport: () => [
    "the mailer has no transport, so no mail can be sent",
    "Pass transport: createTransport(url) of nodemailer, or a function that sends a mail. Only under fw dev are mails kept instead.",
  ],
} satisfies Messages
