/** An app that sends mails from a request and from the job `work`. */
import { App } from "../../../lib/app.ts"
import type { FwError } from "../../../lib/errors.ts"
import type { JobContext } from "../../../lib/jobs/definition.ts"
import { type MailerOptions, type MailMessage, mail, mailer, type OutgoingMail } from "../../../lib/mail.ts"
import { toJobRoutes } from "../jobs/workshop.ts"

/** A valid mail. */
export const message: MailMessage = { to: "ada@x.example", subject: "Hello", text: "Hello Ada" }

/** The app with its mails. */
export interface MailApp {
  readonly app: App
  /** The mails that the transport got. */
  readonly sent: readonly OutgoingMail[]
  /** Sends a mail in a request. Returns the Message-ID, or the code and the message of the error. */
  post(changed?: object): Promise<string>
}

/** Mounts the app. @param work the function of the job `work`. */
export async function mountMails(
  options: Partial<MailerOptions> = {},
  work: (job: JobContext) => unknown = () => {},
): Promise<MailApp> {
  const sent: OutgoingMail[] = []
  const app = new App({ logger: false })
  let given: MailMessage = message
  app.post("/", async (c) => {
    try {
      return c.string(200, await mail(c, given))
    } catch (error) {
      const { code, message } = error as FwError
      return c.string(500, `${code}: ${message}`)
    }
  })
  const transport = async (one: OutgoingMail) => void sent.push(one)
  const Job = (_payload: undefined, job: JobContext) => work(job)
  const defaults = { from: "Shop <hello@shop.example>", transport }
  await app.mount(toJobRoutes({ mail: { Job: mailer({ ...defaults, ...options }) }, work: { Job } }))
  return {
    app,
    sent,
    async post(changed = {}) {
      given = { ...message, ...changed }
      return (await app.request("/", { method: "POST" })).text()
    },
  }
}
