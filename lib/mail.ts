/** `mail()`: mails that are sent as jobs, exported as `fw/mail`. */
import { platform } from "#platform"
import { checkKeys } from "./checks.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { getDevHooks } from "./dev/hooks.ts"
import { toHexDigest } from "./digest.ts"
import { type JobContext, startCheck } from "./jobs/definition.ts"
import { addJob, jobSettings } from "./jobs/jobs.ts"
import type { AddOptions } from "./jobs/new-job.ts"
import { mountedJobs } from "./jobs/registry.ts"
import { finalErrors } from "./jobs/run-job.ts"
import { readAddress } from "./mail/address.ts"
import { mailFault } from "./mail/fault.ts"
import { hasOutbox, putIntoOutbox } from "./mail/outbox.ts"
import type { MailerOptions, MailMessage, OutgoingMail } from "./mail/outgoing.ts"
import { createMail, readAttachments } from "./mail/outgoing.ts"
import { getExport } from "./mount/get-export.ts"

export type { MailAddress, MailRecipient } from "./mail/address.ts"
export type { MailAttachment, MailerOptions, MailMessage, MailTransport, OutgoingMail } from "./mail/outgoing.ts"

const mailers = new WeakMap<object, MailerOptions>()
/** How many seconds sending a mail may take if no job sends it. */
const directTimeoutSeconds = 60

/**
 * Returns the job that sends mails. Its file, `app/mail/job.ts`, is the only one that configures how mails are sent.
 *
 * @throws FwError `mail` for options that are not valid.
 * @example
 * export const Job = mailer({ from: "Shop <hello@shop.example>" })
 */
export function mailer(options: MailerOptions): (mail: OutgoingMail, job: JobContext) => Promise<void> {
  checkKeys(options, ["from", "replyTo", "transport", "inline", "files"], "mail", "mailer()", { inline: "function" })
  const { from, replyTo, transport } = options
  readAddress(from, "from")
  if (replyTo !== undefined) readAddress(replyTo, "replyTo")
  const { sendMail } = Object(transport) as { sendMail?: unknown }
  if (transport !== undefined && typeof transport !== "function" && typeof sendMail !== "function")
    throw mailFault("mail", ["transport", "Pass a transporter of nodemailer, or a function, to mailer()."])
  const run = (mail: OutgoingMail, job: JobContext) => deliver({ ...mail, date: new Date(mail.date) }, options, job)
  mailers.set(run, options)
  return Object.assign(run, {
    [startCheck]() {
      if (!transport && ["NODE_ENV", "GO_ENV"].some((name) => platform.env.get(name) === "production"))
        throw mailFault("mail_transport")
    },
  })
}

/** The mails that each job has sent already, by their content, because a job sends each mail only once. */
const sentMailsByJob = new WeakMap<JobContext, Map<string, Promise<string>>>()

/**
 * Sends a mail by a job, which tries again if the mail server does not accept it. Resolves when the job is stored. In a
 * program without a job engine, such as a worker, it resolves when the mail is sent.
 *
 * @param sender the context of the request or of the job that sends the mail. A job sends each mail only once, even over
 * several attempts.
 * @param options the options of `jobs.add()`: `delay`, `at`, `unique`, `tx`.
 * @returns the Message-ID.
 * @throws FwError `mail` for an address, a header or another part that is not valid. Nothing is sent then.
 * @example
 * import { html } from "fw/html"
 * app.post("/orders", async (c) => {
 *   await mail(c, { to: "ada@shop.example", subject: "Your order", html: html`<h1>Thank you</h1>` })
 *   return c.json(202, { accepted: true })
 * })
 */
export async function mail(sender: Context | JobContext, message: MailMessage, options?: AddOptions): Promise<string> {
  const { name, settings } = findMailer()
  const draft = await createMail(message, settings)
  // Domains with other letters are converted to ASCII.
  const { hostname } = new URL(`http://${draft.from.address.split("@").at(-1)}`)
  const toID = (text: string) => `<${text}@${hostname}>`
  if (!("step" in sender)) return add({ ...draft, messageId: toID(crypto.randomUUID()) }, sender)
  const { date: _, ...content } = draft
  const key = (await toHexDigest(JSON.stringify([sender.name, sender.id, content]))).slice(0, 32)
  const jobMails = sentMailsByJob.get(sender) ?? new Map<string, Promise<string>>()
  sentMailsByJob.set(sender, jobMails)
  const idPromise = jobMails.get(key) ?? sender.step(`mail ${key}`, () => add({ ...draft, messageId: toID(key) }))
  jobMails.set(key, idPromise)
  return idPromise

  async function add(outgoing: OutgoingMail, c?: Context): Promise<string> {
    if (isTest()) putIntoOutbox(await readAttachments(outgoing, settings.files), c && access.getExchange(c).lines)
    else if (jobSettings.engine) await addJob(name, outgoing, options)
    else await deliver(outgoing, settings)
    return outgoing.messageId
  }
}

/** Returns the mailer of the mounted app. */
function findMailer(): { readonly name: string; readonly settings: MailerOptions } {
  const { routes } = mountedJobs
  const mailFiles = (routes?.tree.jobs ?? []).flatMap(({ name, file }) => {
    const settings = routes && mailers.get(getExport(routes, file, "Job"))
    return settings ? [{ name, file, settings }] : []
  })
  const [first, ...others] = mailFiles
  if (!first || others.length > 0) throw mailFault("mail.mailer", [mailFiles.map(({ file }) => file)])
  return first
}

/** Returns true in a test, because its mails must never leave the process. */
function isTest(): boolean {
  return hasOutbox() || platform.env.get("NODE_ENV") === "test" || platform.env.get("NODE_TEST_CONTEXT") !== undefined
}

/** Sends a mail, or keeps it where none may leave the process. @param job the job that sends it, if there is one. */
async function deliver(outgoing: OutgoingMail, settings: MailerOptions, job?: JobContext): Promise<void> {
  const signal = job?.signal ?? AbortSignal.timeout(directTimeoutSeconds * 1000)
  const mail = await readAttachments(outgoing, settings.files)
  const { transport } = settings
  if (isTest()) return putIntoOutbox(mail, undefined)
  if (!transport) {
    const keepMail = getDevHooks()?.onMail
    if (!keepMail) throw mailFault("mail_transport")
    return keepMail(mail)
  }
  try {
    if (typeof transport === "function") return void (await transport(mail, signal))
    // Without these options, nodemailer could read a file or an address whose name a user has put into a text.
    const result = await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true } as never)
    const { rejected } = Object(result) as { rejected?: readonly unknown[] }
    // The recipients that were accepted have the mail, so it is not sent again.
    if (rejected?.length) job?.log.warn("the mail server refused some of the addresses", { refused: rejected.length })
  } catch (error) {
    if (isRefused(error)) finalErrors.add(error as object)
    throw error
  }
}

/**
 * Returns true for an error of nodemailer which means that the server will never accept this mail (RFC 5321 §4.2.1). A
 * refused password is not such an error, because it is not about the mail.
 */
function isRefused(error: unknown): boolean {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown }
  return ["EENVELOPE", "EMESSAGE"].includes(code as string) && Number(responseCode) >= 500
}
