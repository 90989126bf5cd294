/** Tests of `mail()`: what it accepts, and how a mail is sent in requests, in jobs and without a job engine. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startJobs } from "../../../adapters/jobs/start.ts"
import { createJobs, testJobs } from "../../../adapters/jobs.ts"
import { App } from "../../../lib/app.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import type { FwError } from "../../../lib/errors.ts"
import { memoryFiles } from "../../../lib/files/memory.ts"
import { html, raw } from "../../../lib/html.ts"
import { machineClock } from "../../../lib/jobs/clock.ts"
import { jobSettings, resetJobs } from "../../../lib/jobs/jobs.ts"
import { mail, mailer, type OutgoingMail } from "../../../lib/mail.ts"
import { toJobRoutes } from "../../support/jobs/workshop.ts"
import { message, mountMails } from "../../support/mail/mail-app.ts"

const { engine } = jobSettings
const jobs = createJobs<{ work: undefined }>()
const ada = { name: "", address: "ada@x.example" }

// Without an engine, mails are sent at once.
test.before.each(() => resetJobs(undefined, machineClock))
test.before.each(() => setDevHooks(undefined))
test.after(() => resetJobs(engine, machineClock))

const addresses: readonly (readonly [given: unknown, read: object | null])[] = [
  ["ada@x.example", ada],
  ["Ada <ada@x.example>", { ...ada, name: "Ada" }],
  ['"Ada, of X" <ada@x.example>', { ...ada, name: "Ada, of X" }],
  ["<ada@x.example>", ada],
  [{ address: "ada@x.example" }, ada],
  [
    { name: "Ada, <b@x.example>", address: "ada@x.example" },
    { ...ada, name: "Ada, <b@x.example>" },
  ],
  ["ädä+tag@bücher.example", { name: "", address: "ädä+tag@bücher.example" }],
  ["o'hara@localhost", { name: "", address: "o'hara@localhost" }],
  ["", null],
  ["ada", null],
  ["ada@", null],
  ["@x.example", null],
  ["ada@x.example, b@x.example", null],
  ["ada@x.example,b@x.example", null],
  ["ada@x.example\r\nBcc: b@x.example", null],
  ["Ada\r\nBcc: b@x.example <ada@x.example>", null],
  ["Ada <ada@x.example> <b@x.example", null],
  ["ada@b@x.example", null],
  ["ada @x.example", null],
  ["ada@x..example", null],
  ["ada\u202e@x.example", null],
  ['"a b"@x.example', null],
  [`${"a".repeat(65)}@x.example`, null],
  [`ada@${"a.".repeat(130)}example`, null],
  [{ address: "Ada <ada@x.example>" }, null],
  [{ name: "Ada\nBcc: x", address: "ada@x.example" }, null],
  [{ name: 7, address: "ada@x.example" }, null],
  [7, null],
  [null, null],
]

test("an address must be exactly one address", async () => {
  const { post, sent } = await mountMails()
  for (const [to, read] of addresses) {
    const answer = await post({ to })
    if (read) assert.equal(sent.at(-1)?.to, [read], JSON.stringify(to))
    else assert.is(answer, "mail: to of a mail is not an email address", JSON.stringify(to))
  }
  assert.is(await post({ to: [ada, "x"] }), "mail: to[1] of a mail is not an email address")
  for (const option of ["cc", "bcc", "from", "replyTo"])
    assert.is(await post({ [option]: "x" }), `mail: ${option} of a mail is not an email address`)
  assert.is(sent.length, addresses.filter(([, read]) => read).length)
})

const refused: readonly (readonly [given: object, message: RegExp])[] = [
  [{ to: [] }, /^mail: the to of a mail is not valid$/],
  [{ to: undefined }, /^mail: the to of a mail is not valid$/],
  [{ subject: "a\r\nBcc: b@x.example" }, /the subject of a mail is not valid$/],
  [{ subject: " " }, /the subject of a mail is not valid$/],
  [{ subject: undefined }, /the subject of a mail is not valid$/],
  [{ text: undefined }, /the text of a mail is not valid$/],
  [{ text: 7 }, /the text of a mail is not valid$/],
  [{ html: "<b>x</b>" }, /the html of a mail is not valid$/],
  [
    { html: html`<a href="/orders/7">x</a>` },
    /leads to "\/orders\/7", but a mail has no site to which it could be relative$/,
  ],
  [{ html: raw('<img src="/logo.png">') }, /leads to "\/logo.png"/],
  [{ headers: { "In-Reply-To": "a\nb" } }, /cannot set the header "In-Reply-To"$/],
  [{ headers: { "X Y": "a" } }, /cannot set the header "X Y"$/],
  [{ headers: { "X-Y\r\nBcc": "a" } }, /cannot set the header/],
  [{ headers: { bcc: "b@x.example" } }, /cannot set the header "bcc"$/],
  [{ headers: { "Content-Type": "text/html" } }, /cannot set the header/],
  [{ headers: { "X-Y": 7 } }, /cannot set the header/],
  [{ unsubscribe: "/unsubscribe" }, /the unsubscribe of a mail is not valid$/],
  [{ unsubscribe: "http://shop.example/unsubscribe" }, /the unsubscribe of a mail is not valid$/],
  [{ unsubscribe: "javascript:alert(1)" }, /the unsubscribe of a mail is not valid$/],
  [{ attachments: [{ file: "a.txt" }] }, /the attachment of a mail is not valid$/],
  [{ attachments: [{ content: "a" }] }, /the attachment of a mail is not valid$/],
  [{ attachments: [{ name: "a\r\nb.txt", content: "a" }] }, /the attachment of a mail is not valid$/],
  [
    { attachments: [{ name: "a.txt", content: "a", type: "text/plain\r\nX: y" }] },
    /the attachment of a mail is not valid$/,
  ],
  [{ attachments: ["a.txt"] }, /the attachment of a mail is not valid$/],
  [{ sbject: "x" }, /sbject/],
]

test("a call with an invalid mail fails with a message about the mistake, and sends nothing", async () => {
  const { post, sent } = await mountMails()
  for (const [given, wanted] of refused) assert.match(await post(given), wanted, JSON.stringify(given))
  assert.equal(sent, [])
})

test("a mail has the defaults of the mailer, an HTML version, a text version and its headers", async () => {
  const inline = (text: string) => text.replace("<p>", '<p style="color:red">')
  const { post, sent } = await mountMails({ inline, replyTo: "help@shop.example" })
  const id = await post({
    text: undefined,
    html: html`<p>Hello <b>${"A&B"}</b></p>`,
    cc: ["b@x.example"],
    bcc: "c@x.example",
    headers: { "In-Reply-To": "<1@x.example>" },
    unsubscribe: "https://shop.example/unsubscribe?token=ü>",
  })
  const { date, ...rest } = sent[0] as OutgoingMail
  assert.match(id, /^<[\da-f-]{36}@shop\.example>$/)
  assert.instance(date, Date)
  assert.equal(rest, {
    messageId: id,
    from: { name: "Shop", address: "hello@shop.example" },
    to: [ada],
    cc: [{ name: "", address: "b@x.example" }],
    bcc: [{ name: "", address: "c@x.example" }],
    replyTo: { name: "", address: "help@shop.example" },
    subject: "Hello",
    html: '<p style="color:red">Hello <b>A&amp;B</b></p>',
    text: "Hello A&B\n",
    headers: {
      "In-Reply-To": "<1@x.example>",
      "List-Unsubscribe": "<https://shop.example/unsubscribe?token=%C3%BC%3E>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    attachments: [],
  })
  await post({ unsubscribe: "mailto:leave@shop.example", html: Promise.resolve(html`<p>x</p>`), text: "mine" })
  assert.equal(sent[1]?.headers, { "List-Unsubscribe": "<mailto:leave@shop.example>" })
  assert.is(sent[1]?.text, "mine")
})

test("files and bytes are attached, and a file is read when the mail is sent", async () => {
  const files = memoryFiles()
  await files.put("invoices/7.pdf", "first")
  const { post, sent } = await mountMails({ files })
  const queue = testJobs()
  assert.is(
    await post({ attachments: [{ file: "invoices/8.pdf" }] }),
    'mail: there is no file "invoices/8.pdf" to attach',
  )
  await post({
    attachments: [
      { file: "invoices/7.pdf" },
      { file: "invoices/7.pdf", name: "Invoice.pdf", type: "application/x-pdf" },
      { name: "a.csv", content: new Uint8Array(20_000).fill(255) },
      { name: "ü.txt", content: "ü" },
    ],
  })
  await files.put("invoices/7.pdf", "second")
  await queue.run()
  const read = sent[0]?.attachments.map(({ filename, contentType, content, encoding }) => {
    const bytes = Buffer.from(content, encoding)
    return [filename, contentType, bytes.length > 100 ? bytes.length : bytes.toString()]
  })
  assert.equal(read, [
    ["7.pdf", "application/pdf", "second"],
    ["Invoice.pdf", "application/x-pdf", "second"],
    ["a.csv", "text/csv; charset=utf-8", 20_000],
    ["ü.txt", "text/plain; charset=utf-8", "ü"],
  ])
  await post({ attachments: [{ file: "invoices/7.pdf" }] })
  await files.delete("invoices/7.pdf")
  let failure: unknown
  await queue.run().catch((error) => {
    failure = error
  })
  assert.match((failure as Error).message, "there is no file")
})

test("a mail of a request waits as a job, which is repeated with the same Message-ID and date", async () => {
  const attempts: string[] = []
  const queue = testJobs()
  const { post, sent } = await mountMails({
    transport: async ({ messageId, date }) => {
      attempts.push(`${messageId} ${date.getTime()}`)
      if (attempts.length < 3) throw new Error("no mail server")
    },
  })
  const id = await post()
  assert.equal([(await queue.list()).map(({ name }) => name), sent], [["mail"], []])
  for (let i = 0; i < 3; i += 1) {
    await queue.run().catch(({ message }) => assert.is(message, "no mail server"))
    queue.advance(60)
  }
  assert.equal([attempts.length, new Set(attempts).size, attempts[0]?.startsWith(id)], [3, 1, true])
  assert.equal(await queue.list(), [])
})

test("mail() takes the options of jobs.add(), such as a delay", async () => {
  const queue = testJobs()
  await mountMails({}, (job) => mail(job, message, { delay: 60 }))
  await jobs.add("work")
  await queue.run()
  assert.is((await queue.list()).length, 1)
  queue.advance(61)
  await queue.run()
  assert.is((await queue.list()).length, 0)
})

test("a job sends each mail once over all its attempts", async () => {
  const queue = testJobs()
  let attempt = 0
  const { sent } = await mountMails({}, async (job) => {
    attempt += 1
    const people = ["ada@x.example", "bob@x.example", "ada@x.example"]
    await Promise.all(people.map((to) => mail(job, { ...message, to })))
    if (attempt === 1) throw new Error("after the mails")
    await mail(job, { ...message, subject: "Another" })
  })
  await jobs.add("work")
  await queue.run().catch(({ message }) => assert.is(message, "after the mails"))
  queue.advance(60)
  await queue.run()
  const seen = sent.map(({ to, subject }) => `${subject} ${to[0]?.address}`).sort()
  assert.equal(seen, ["Another ada@x.example", "Hello ada@x.example", "Hello bob@x.example"])
  assert.is(new Set(sent.map(({ messageId }) => messageId)).size, 3)
})

test("a transport is a function, which gets a signal, or an object, whose sendMail() is called as a method", async () => {
  const queue = testJobs()
  const signals: AbortSignal[] = []
  const one = await mountMails({ transport: (_mail, signal) => signals.push(signal) })
  await one.post()
  await queue.run()
  assert.equal(
    signals.map(({ aborted }) => aborted),
    [false],
  )
  class Transporter {
    readonly subjects: string[] = []
    async sendMail({ subject }: OutgoingMail) {
      this.subjects.push(subject)
      return { rejected: [] }
    }
  }
  const transport = new Transporter()
  const two = await mountMails({ transport })
  await two.post()
  await queue.run()
  assert.equal(transport.subjects, ["Hello"])
})

test("without an engine, a mail is sent at once, and an error of the transport is an error of the call", async () => {
  const good = await mountMails()
  assert.match(await good.post(), /^<.*>$/)
  assert.is(good.sent.length, 1)
  const bad = await mountMails({
    transport: () => {
      throw new TypeError("no mail server")
    },
  })
  assert.match(await bad.post(), "no mail server")
})

test("without a transport, fw dev stores mails, and any other program does not start in production", async () => {
  const { post, app } = await mountMails({ transport: undefined })
  assert.match(await post(), "mail_transport: the mailer has no transport")
  const kept: OutgoingMail[] = []
  setDevHooks({ onMail: async (one) => void kept.push(one as OutgoingMail) })
  await post()
  setDevHooks(undefined)
  assert.equal(kept[0]?.to, [ada])
  testJobs()
  const codes: string[] = []
  for (const NODE_ENV of ["production", ""]) {
    Object.assign(process.env, { NODE_ENV, FW_JOBS: "off" })
    await startJobs(app).catch(({ code }: FwError) => codes.push(code))
  }
  assert.equal(codes, ["mail_transport"])
  await app.shutdown()
})

test("mail() fails without a mailer and with two of them, and mailer() refuses invalid options", async () => {
  const Job = mailer({ from: "a@x.example" })
  for (const [files, wanted] of [
    [{}, /has no mailer$/],
    [{ mail: { Job }, other: { Job } }, /has two mailers: app\/mail\/job\.ts and app\/other\/job\.ts$/],
  ] as const) {
    const { post } = await mountMails()
    await new App({ logger: false }).mount(toJobRoutes({ ...files, work: { Job: () => {} } }))
    assert.match(await post(), wanted)
  }
  const from = "a@x.example"
  for (const options of [{}, { from: "x" }, { from, replyTo: "x" }, { from, transport: 7 }, { from, form: from }])
    assert.throws(
      () => mailer(options as never),
      ({ code }: FwError) => code === "mail",
    )
})

test.run()
