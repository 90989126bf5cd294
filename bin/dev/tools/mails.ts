/** Reads the mails that a program stores in `.fw/mail` under `fw dev` instead of sending them. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { escapeText } from "../../system/html.ts"

/** The directory of mails, relative to the project. Each file is a mail as JSON. The names sort by time. */
export const mailDirectory = ".fw/mail"

/** A mail. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The time in ISO 8601. */
  readonly at: string
}

/** The number of mails to read. */
const maxMails = 50

/** Reads the last mails, the newest first. Skips files that are not mails. */
export async function readMails(root: string): Promise<Mail[]> {
  const directory = join(root, mailDirectory)
  const names = await readdir(directory).catch(() => [])
  const newest = names
    .filter((name) => /^\d+-\w+\.json$/.test(name))
    .sort(compareByCodeUnit)
    .reverse()
    .slice(0, maxMails)
  const mails = await Promise.all(newest.map((name) => readMail(join(directory, name))))
  return mails.filter((mail) => mail !== null)
}

async function readMail(file: string): Promise<Mail | null> {
  try {
    const mail = JSON.parse(await readFile(file, "utf8")) as Partial<Mail> | null
    const { to, subject, text, at } = mail ?? {}
    const isMail = [to, subject, text, at].every((part) => typeof part === "string")
    return isMail ? (mail as Mail) : null
  } catch {
    return null
  }
}

export function toArticle({ to, subject, text, at }: Mail): string {
  return `<article>
<h3>${escapeText(subject)}</h3>
<p>To ${escapeText(to)}, <time>${escapeText(at)}</time></p>
<pre>${linkAddresses(text)}</pre>
</article>`
}

/** Turns the URLs in a text into links. */
function linkAddresses(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeText(part)}">${escapeText(part)}</a>` : escapeText(part),
    )
    .join("")
}
