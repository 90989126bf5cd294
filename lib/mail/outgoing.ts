/** Checks a message for `mail()`, and turns it into a mail that can be stored as JSON, with its text version. */
import { checkKeys } from "../checks.ts"
import type { Files } from "../files/types.ts"
import { getDeferredBlocks, Html } from "../html/text.ts"
import { isToken } from "../request/header-grammar.ts"
import { findMediaType } from "../static/media-types.ts"
import { isHeaderLine, type MailAddress, type MailRecipient, readAddress, readAddresses } from "./address.ts"
import { mailFault } from "./fault.ts"
import { toText } from "./to-text.ts"

/**
 * An attachment: a file of `mailer({ files })`, or small content that the program has just created.
 *
 * @example
 * const invoice: MailAttachment = { file: "invoices/7.pdf", name: "Invoice 7.pdf" }
 * const event: MailAttachment = { name: "event.ics", content: "BEGIN:VCALENDAR…" }
 */
export interface MailAttachment {
  /** The name in the mail. Default: the last part of `file`. */
  readonly name?: string
  readonly file?: string
  readonly content?: string | Uint8Array
  /** The media type. Default: that of the file, or the one that belongs to the ending of the name. */
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
  /** The sender. Default: that of the mailer. */
  readonly from?: MailRecipient
  /** The address for answers. Default: that of the mailer, otherwise the sender. */
  readonly replyTo?: MailRecipient
  readonly subject: string
  /** The markup, created by a template or by `html` of `fw/html`. */
  readonly html?: Html | Promise<Html>
  /** The version without markup. Default: created from `html`. */
  readonly text?: string
  readonly attachments?: readonly MailAttachment[]
  /** Other headers, such as `In-Reply-To`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * An address that ends a subscription, for the button in mail programs. It is a URL that must accept a POST without a session
   * (RFC 8058), or a `mailto:` address.
   */
  readonly unsubscribe?: string | URL
}

/**
 * A mail in the form in which a transport gets it. nodemailer accepts the same object.
 *
 * @example
 * const describe = ({ to, subject }: OutgoingMail) => `${subject}, to ${to.map(({ address }) => address)}`
 */
export interface OutgoingMail {
  /** An id such as `<…@shop.example>`. It is the same for all attempts, so that receivers can drop a second copy. */
  readonly messageId: string
  /** The time when `mail()` was called. */
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
    /** The name of a stored file. Its content is read when the mail is sent. */
    readonly file?: string
  }[]
}

/**
 * Sends a mail: a transporter of nodemailer, or a function, for example one that calls the API of a provider. It must
 * throw if the mail was not accepted; then the job tries again.
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
  /** The address for answers. Default: the sender. */
  readonly replyTo?: MailRecipient
  /** Sends the mails. Default: none. Under `fw dev`, mails are then kept and shown at `/__fw/mail`. */
  readonly transport?: MailTransport | undefined
  /** Copies the styles of a `<style>` element into the elements. Default: the styles stay where they are. */
  readonly inline?: (html: string) => string | Promise<string>
  /** The files that can be attached. */
  readonly files?: Pick<Files, "get" | "head">
}

type Attachment = OutgoingMail["attachments"][number]

/** Headers that have an option of their own, or that the transport sets. */
const reservedHeaders =
  /^(?:from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|list-unsubscribe.*)$/i

/** Checks a message, and creates the mail. @throws FwError `mail`. */
export async function createMail(
  message: MailMessage,
  defaults: MailerOptions,
): Promise<Omit<OutgoingMail, "messageId">> {
  const optionNames = "to cc bcc from replyTo subject html text attachments headers unsubscribe".split(" ")
  checkKeys(message, optionNames, "mail", "mail()")
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
  const [, relativeURL] = /\s(?:href|src)="(\/[^"]*)"/.exec(html.value) ?? []
  if (relativeURL !== undefined) throw mailFault("mail.relative", [relativeURL])
  return { html: inline ? await inline(html.value) : html.value, text: text ?? toText(html.value) }
}

function createHeaders({ headers = {}, unsubscribe }: MailMessage): Record<string, string> {
  for (const [name, value] of Object.entries(headers))
    if (!isToken(name) || reservedHeaders.test(name) || !isHeaderLine(value)) throw mailFault("mail.header", [name])
  if (unsubscribe === undefined) return headers
  const address = String(unsubscribe)
  const { href, protocol, hostname } = new URL(URL.canParse(address) ? address : "about:blank")
  if (!["https:", "mailto:"].includes(protocol) && !(protocol === "http:" && hostname === "localhost"))
    throw mailFault("mail", ["unsubscribe", "Write a whole address, which begins with https:// or mailto:."])
  // This header lets a mail program end the subscription by a POST, without opening a page (RFC 8058 §3.1).
  const post = protocol === "mailto:" ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
  return { ...headers, "List-Unsubscribe": `<${href}>`, ...post }
}

async function createAttachment(attachment: MailAttachment, { files }: MailerOptions): Promise<Attachment> {
  const { file, content, name = file?.split("/").at(-1), type } = Object(attachment) as MailAttachment
  const isBytes = typeof content === "string" || content instanceof Uint8Array
  if (!isHeaderLine(name) || !isHeaderLine(type ?? "") || !(isBytes || (typeof file === "string" && files)))
    throw mailFault("mail", ["attachment", "Write { file } with mailer({ files }), or { name, content }."])
  const storedFile = isBytes ? undefined : await files?.head(file as string)
  if (storedFile === null) throw mailFault("mail.file", [file as string])
  const contentType = type ?? storedFile?.type ?? findMediaType(name)
  const rest = isBytes ? { content: toBase64(content) } : { content: "", file: file as string }
  return { filename: name, contentType, encoding: "base64", ...rest }
}

/** Reads the files to attach. @throws FwError `mail` for a file that does not exist any more. */
export async function readAttachments(mail: OutgoingMail, files: MailerOptions["files"]): Promise<OutgoingMail> {
  const promises = mail.attachments.map(async ({ file, ...rest }) => {
    if (file === undefined) return rest
    const content = await files?.get(file)
    if (!content) throw mailFault("mail.file", [file])
    return { ...rest, content: toBase64(await content.bytes()) }
  })
  return { ...mail, attachments: await Promise.all(promises) }
}

function toBase64(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  let text = ""
  // A function call takes only a limited number of arguments, so the bytes are converted in pieces.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}
