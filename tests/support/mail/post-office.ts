/** A program for each runtime that sends a mail by the interface of a mail service. */
import { App } from "../../../lib/index.ts"
import { mail, mailer } from "../../../lib/mail.ts"

/** Creates the app. @param service the address of the mail service. */
export async function createPostOffice(service: string): Promise<App> {
  const app = new App({ logger: false })
  const Job = mailer({
    from: "Shop <hello@shop.example>",
    transport: async (one, signal) => {
      const answer = await fetch(service, { method: "POST", body: JSON.stringify(one), signal })
      if (!answer.ok) throw new Error(`the mail service answered ${answer.status}`)
    },
  })
  app.post("/orders", async (c) =>
    c.string(202, await mail(c, { to: "ada@x.example", subject: "Your order", text: "Thank you." })),
  )
  const file = "app/mail/job.ts"
  const jobs = [{ name: "mail", file }]
  const tree = { appDir: "app", routes: [], middleware: [], pages: [], layouts: [], jobs }
  await app.mount({ tree, modules: { [file]: { Job } } })
  return app
}
