/** The mails that a program keeps in `.fw/mail` under `fw dev` instead of sending them. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { chooseDisposition } from "../../../lib/answer/file-headers.ts"
import type { MailAddress } from "../../../lib/mail/address.ts"
import type { OutgoingMail } from "../../../lib/mail/outgoing.ts"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { escapeText } from "../../system/html.ts"
import { fillFile, removeFile } from "../../system/whole-file.ts"
import type { OwnAnswer } from "../page/problem-page.ts"
import { inspectorPaths } from "../requests/page-files.ts"

/** The directory of mails, relative to the project. Each file is a mail as JSON. The names sort by time. */
export const mailDirectory = ".fw/mail"

/** A mail. */
export interface KeptMail extends Partial<Omit<OutgoingMail, "date">> {
  /** Name of the mail's file. */
  readonly file: string
  /** The time at which the mail was written, in ISO 8601. */
  readonly date: string
  readonly to: readonly MailAddress[]
  readonly subject: string
  readonly text: string
}

/** Number of mails to keep. */
const maxMails = 50
const fileName = /^\d+-\w+\.json$/

/** Writes a mail into `.fw/mail` below the current directory, and removes the oldest ones. */
export async function keepMail(mail: OutgoingMail): Promise<void> {
  const toFilePlace = (name: string) => ({ root: process.cwd(), path: join(mailDirectory, name) })
  const name = `${mail.date.getTime()}-${crypto.randomUUID().slice(0, 8)}.json`
  // The links in a mail are secrets of its receiver.
  await fillFile(toFilePlace(name), (file) => file.write(JSON.stringify(mail)), 0o600)
  const old = (await listFiles(mailDirectory)).slice(maxMails)
  await Promise.all(old.map((file) => removeFile(toFilePlace(file))))
}

/** Returns the names of the files, the newest first. */
async function listFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names
    .filter((name) => fileName.test(name))
    .sort(compareByCodeUnit)
    .reverse()
}

/** Reads the last mails, the newest first. Files that are not mails are left out. */
export async function readMails(root: string): Promise<KeptMail[]> {
  const directory = join(root, mailDirectory)
  const newest = (await listFiles(directory)).slice(0, maxMails)
  const mails = await Promise.all(newest.map((file) => readMail(directory, file)))
  return mails.filter((mail) => mail !== null)
}

async function readMail(directory: string, file: string): Promise<KeptMail | null> {
  try {
    const mail = JSON.parse(await readFile(join(directory, file), "utf8"))
    // Programs of older versions write their mails themselves, with less in them.
    const { subject, text, to, date = mail.at } = mail
    const isMail = to && [subject, text, date].every((part) => typeof part === "string")
    return isMail ? { ...mail, file, date, to: typeof to === "string" ? [{ name: "", address: to }] : to } : null
  } catch {
    return null
  }
}

/** Returns the markup of a mail as a document of its own: links open in another tab, and no script runs. */
export function toFrame({ html = "" }: KeptMail): OwnAnswer {
  const policy =
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline' https:; img-src * data:; font-src https:; frame-ancestors 'self'"
  const body = html.replace(/(<head[^<>]*>)|$/i, '$1<base target="_blank">')
  return { status: 200, type: "text/html; charset=utf-8", body, headers: { "content-security-policy": policy } }
}

/** Matches the types of attachments that a browser may show, because none of them can have scripts of this origin. */
const shownType = /^(?:image\/(?:avif|gif|jpeg|png|webp)|application\/pdf|text\/plain)(?=;|$)/i

/** Returns an attachment by its position; undefined if there is none. The browser saves it, or shows it if that is safe. */
export function toAttachment({ attachments = [] }: KeptMail, position: number): OwnAnswer | undefined {
  const found = attachments[position]
  if (!found) return undefined
  const { filename, contentType, content } = found
  const [type] = shownType.exec(contentType) ?? []
  const disposition = chooseDisposition(filename, contentType, type === undefined && (filename || "attachment"))
  return {
    status: 200,
    type: type === "text/plain" ? "text/plain; charset=utf-8" : (type ?? "application/octet-stream"),
    body: Buffer.from(content, "base64"),
    ...(disposition !== undefined && { headers: { "content-disposition": disposition } }),
  }
}

/**
 * Returns a mail as HTML: its headers and attachments, its markup in two widths, and its text.
 *
 * @param isOpen true to show all of it.
 */
export function toArticle(mail: KeptMail, isOpen: boolean): string {
  const { subject, text, html, date, file, headers = {}, attachments = [] } = mail
  const people = [
    ["From", mail.from],
    ["To", mail.to],
    ["Cc", mail.cc],
    ["Bcc", mail.bcc],
    ["Reply to", mail.replyTo],
  ] as const
  const path = `${inspectorPaths.mail}/${escapeText(file)}`
  const links = attachments.map(
    ({ filename, contentType, content }, position) =>
      `<dt>Attached</dt><dd><a href="${path}/${position}" target="_blank" rel="noreferrer">${escapeText(filename)}</a>, ${escapeText(contentType)}, ${Buffer.from(content, "base64").length} bytes</dd>`,
  )
  const facts = [...people.map(([name, all]) => [name, formatAddresses(all)]), ...Object.entries(headers)]
  const rows = facts
    .filter(([, value]) => value)
    .map(([name = "", value = ""]) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`)
  const frames = (html ? ["phone", "desktop"] : []).map(
    (width) =>
      `<div class="${width}"><iframe title="${escapeText(`${subject}, ${date}, on a ${width}`)}" src="${path}" loading="lazy"></iframe></div>`,
  )
  return `<details class="mail"${isOpen ? " open" : ""}>
<summary><h3>${escapeText(subject)}</h3> To ${escapeText(formatAddresses(mail.to))}, <time>${escapeText(date)}</time></summary>
<dl>${[...rows, ...links].join("\n")}</dl>
<div class="views">${frames.join("\n")}</div>
<details${html ? "" : " open"}><summary>Text</summary><pre tabindex="0">${linkAddresses(text)}</pre></details>
</details>`
}

function formatAddresses(addresses: MailAddress | readonly MailAddress[] = []): string {
  return [addresses]
    .flat()
    .map(({ name, address }) => (name ? `${name} <${address}>` : address))
    .join(", ")
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
