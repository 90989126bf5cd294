/** What `mail()` is given, and the mail that is made of it: checked, with both versions, as JSON. */
import { checkKeys } from "../checks.ts"
import type { Files } from "../files/types.ts"
import { getDeferredBlocks, Html } from "../html/text.ts"
import { isToken } from "../request/header-grammar.ts"
import { findMediaType } from "../static/media-types.ts"
import { isHeaderLine, type MailAddress, type MailRecipient, readAddress, readAddresses } from "./address.ts"
import { mailFault } from "./fault.ts"
import { toText } from "./to-text.ts"

/**
 * An attachment: a file of `mailer({ files })`, or a content that is small and was made just now.
 *
 * @example
 * const invoice: MailAttachment = { file: "invoices/7.pdf", name: "Invoice 7.pdf" }
 * const event: MailAttachment = { name: "event.ics", content: "BEGIN:VCALENDAR…" }
 */
export interface MailAttachment {
  /** Its name in the mail. Default: the last part of `file`. */
  readonly name?: string
  readonly file?: string
  readonly content?: string | Uint8Array
  /** The media type. Default: that of the file, or what the ending of the name says. */
  readonly type?: string
}

/**
 * A mail to send.
 *
 * @example
 * import { html } from "fw/html"
 * const message: MailMessage = {
 *   to: "Ada <ada@shop.example>",
 *   subject: "Your order",
 *   html: html`<h1>Thank you</h1>`,
 * }
 */
export interface MailMessage {
  readonly to: MailRecipient | readonly MailRecipient[]
  readonly cc?: MailRecipient | readonly MailRecipient[]
  readonly bcc?: MailRecipient | readonly MailRecipient[]
  /** Default: that of the mailer. */
  readonly from?: MailRecipient
  /** Where answers go. Default: that of the mailer, otherwise the sender. */
  readonly replyTo?: MailRecipient
  readonly subject: string
  /** The markup, as a template or `html` of `fw/html` makes it. */
  readonly html?: Html | Promise<Html>
  /** The version without markup. Default: made of `html`. */
  readonly text?: string
  readonly attachments?: readonly MailAttachment[]
  /** Other headers, such as `In-Reply-To`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * An address that ends a subscription, for the button of mail programs: it must take a POST without a session (RFC 8058). Or a
   * `mailto:` address.
   */
  readonly unsubscribe?: string | URL
}

/**
 * A mail as a transport gets it. nodemailer takes the same object.
 *
 * @example
 * const describe = ({ to, subject }: OutgoingMail) => `${subject}, to ${to.map(({ address }) => address)}`
 */
export interface OutgoingMail {
  /** `<…@shop.example>`, the same for all attempts, so that receivers can drop a second copy. */
  readonly messageId: string
  /** When `mail()` was called. */
  readonly date: Date
  readonly from: MailAddress
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly bcc: readonly MailAddress[]
  readonly replyTo?: MailAddress
  readonly subject: string
  readonly html?: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly {
    readonly filename: string
    readonly contentType: string
    readonly content: string
    readonly encoding: "base64"
    /** The name of a file, whose content is read when the mail is sent. */
    readonly file?: string
  }[]
}

/**
 * What sends a mail: a transporter of nodemailer, or a function, for example one that calls the API of a provider. It
 * throws if the mail was not accepted; then the job tries again.
 *
 * @example
 * const transport: MailTransport = async ({ from, to, subject, text }, signal) => {
 *   const body = JSON.stringify({ from: from.address, to: to.map(({ address }) => address), subject, text })
 *   const answer = await fetch("https://api.mail.example/send", { method: "POST", body, signal })
 *   if (!answer.ok) throw new Error(`the mail service answered ${answer.status}`)
 * }
 */
export type MailTransport =
  | ((mail: OutgoingMail, signal: AbortSignal) => unknown)
  | { sendMail(mail: never): Promise<unknown> }

/**
 * Options of `mailer()`.
 *
 * @example
 * const options: MailerOptions = { from: "Shop <hello@shop.example>", replyTo: "help@shop.example" }
 */
export interface MailerOptions {
  readonly from: MailRecipient
  /** Where answers go. Default: to the sender. */
  readonly replyTo?: MailRecipient
  /** Default: none. Under `fw dev` mails are then kept, and `/__fw/mail` shows them. */
  readonly transport?: MailTransport | undefined
  /** Writes the styles of a `<style>` into the elements. Default: they stay where they are. */
  readonly inline?: (html: string) => string | Promise<string>
  /** The files that can be attached. */
  readonly files?: Pick<Files, "get" | "head">
}

type Attachment = OutgoingMail["attachments"][number]

/** Headers that options set, or that belong to the transport. */
const ownHeaders =
  /^(?:from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|list-unsubscribe.*)$/i

/** Checks a message, and makes the mail. @throws FwError `mail`. */
export async function createMail(
  message: MailMessage,
  defaults: MailerOptions,
): Promise<Omit<OutgoingMail, "messageId">> {
  const keys = [
    "to",
    "cc",
    "bcc",
    "from",
    "replyTo",
    "subject",
    "html",
    "text",
    "attachments",
    "headers",
    "unsubscribe",
  ]
  checkKeys(message, keys, "mail", "mail()")
  const { subject, replyTo = defaults.replyTo } = message
  const to = readAddresses(message.to, "to")
  if (to.length === 0) throw mailFault("mail", ["to", "Name a person, or a list of at least one."])
  if (!isHeaderLine(subject) || subject.trim() === "")
    throw mailFault("mail", ["subject", "Write a text without line breaks."])
  return {
    date: new Date(),
    from: readAddress(message.from ?? defaults.from, "from"),
    to,
    cc: readAddresses(message.cc, "cc"),
    bcc: readAddresses(message.bcc, "bcc"),
    ...(replyTo !== undefined && { replyTo: readAddress(replyTo, "replyTo") }),
    subject,
    ...(await createVersions(message, defaults)),
    headers: createHeaders(message),
    attachments: await Promise.all((message.attachments ?? []).map((one) => createAttachment(one, defaults))),
  }
}

async function createVersions({ text, ...message }: MailMessage, { inline }: MailerOptions) {
  const html = await message.html
  const isMarkup = html === undefined || (html instanceof Html && !getDeferredBlocks(html)?.length)
  if (!isMarkup)
    throw mailFault("mail", ["html", "Pass what a template returns, without defer blocks, or raw(text) of fw/html."])
  if (text === undefined ? !html : typeof text !== "string")
    throw mailFault("mail", ["text", "Write a text, or html, of which the text is made."])
  if (!html) return { text: text as string }
  const [, relative] = /\s(?:href|src)="(\/[^"]*)"/.exec(html.value) ?? []
  if (relative !== undefined) throw mailFault("mail.relative", [relative])
  return { html: inline ? await inline(html.value) : html.value, text: text ?? toText(html.value) }
}

function createHeaders({ headers = {}, unsubscribe }: MailMessage): Record<string, string> {
  for (const [name, value] of Object.entries(headers))
    if (!isToken(name) || ownHeaders.test(name) || !isHeaderLine(value)) throw mailFault("mail.header", [name])
  if (unsubscribe === undefined) return headers
  const address = String(unsubscribe)
  const { href, protocol, hostname } = new URL(URL.canParse(address) ? address : "about:blank")
  if (!["https:", "mailto:"].includes(protocol) && !(protocol === "http:" && hostname === "localhost"))
    throw mailFault("mail", ["unsubscribe", "Write an address that begins with https:// or mailto:, as a whole."])
  // RFC 8058 §3.1.
  const post = protocol === "mailto:" ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
  return { ...headers, "List-Unsubscribe": `<${href}>`, ...post }
}

async function createAttachment(attachment: MailAttachment, { files }: MailerOptions): Promise<Attachment> {
  const { file, content, name = file?.split("/").at(-1), type } = Object(attachment) as MailAttachment
  const isBytes = typeof content === "string" || content instanceof Uint8Array
  if (!isHeaderLine(name) || !isHeaderLine(type ?? "") || !(isBytes || (typeof file === "string" && files)))
    throw mailFault("mail", ["attachment", "Write { file } with mailer({ files }), or { name, content }."])
  const stored = isBytes ? undefined : await files?.head(file as string)
  if (stored === null) throw mailFault("mail.file", [file as string])
  const contentType = type ?? stored?.type ?? findMediaType(name)
  const rest = isBytes ? { content: toBase64(content) } : { content: "", file: file as string }
  return { filename: name, contentType, encoding: "base64", ...rest }
}

/** Reads the files to attach. @throws FwError `mail` for one that is gone. */
export async function readAttachments(mail: OutgoingMail, files: MailerOptions["files"]): Promise<OutgoingMail> {
  const read = mail.attachments.map(async ({ file, ...rest }) => {
    if (file === undefined) return rest
    const found = await files?.get(file)
    if (!found) throw mailFault("mail.file", [file])
    return { ...rest, content: toBase64(await found.bytes()) }
  })
  return { ...mail, attachments: await Promise.all(read) }
}

function toBase64(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  let text = ""
  // A call takes a limited number of arguments.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}
