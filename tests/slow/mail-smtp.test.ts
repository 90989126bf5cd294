/** Tests of mails that nodemailer sends to an SMTP server: what arrives, and what a server refuses. */
import { createTransport } from "nodemailer"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { testJobs } from "../../adapters/jobs.ts"
import { html } from "../../lib/html.ts"
import { type MailApp, mountMails } from "../support/mail/mail-app.ts"
import { load, type MailServer, startMailServer } from "../support/mail/smtp.ts"

let server: MailServer
let app: MailApp
let isAway = false

test.before(async () => {
  server = await startMailServer((address) => {
    if (isAway) return "450 come back later"
    return address.startsWith("gone@") ? "550 there is no such person" : undefined
  })
  const juice = load("juice") as (html: string) => string
  app = await mountMails({ transport: createTransport(server.url), inline: juice })
})

test.after(() => server.stop())

const page = html`<html><head><style>.big { color: red } @media (width < 30rem) { .big { color: blue } }</style></head>
<body><p class="big">Grüße, ${"<Ada>"}</p><a href="https://shop.example/">Shop</a></body></html>`

test("a mail arrives with its headers, both versions and attachments, and with styles in its elements", async () => {
  const queue = testJobs()
  const id = await app.post({
    to: [{ name: 'Ada "A", of X', address: "ada@x.example" }],
    cc: "Bob <bob@x.example>",
    bcc: "secret@x.example",
    subject: "Grüße",
    html: page,
    text: undefined,
    attachments: [{ name: "größe.csv", content: "a,b" }],
    unsubscribe: "https://shop.example/unsubscribe?token=7",
  })
  await queue.run()
  const [mail = ""] = server.mails
  const [header = ""] = mail.split("\r\n\r\n")
  for (const line of [
    "From: Shop <hello@shop.example>",
    'To: "Ada \\"A\\", of X" <ada@x.example>',
    "Cc: Bob <bob@x.example>",
    `Message-ID: ${id}`,
    "List-Unsubscribe: <https://shop.example/unsubscribe?token=7>",
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
  ])
    assert.ok(header.includes(line), `${line}\n\n${header}`)
  assert.match(header, /^Subject: =\?UTF-8\?Q\?Gr/m)
  assert.match(header, /^Date: \w{3}, \d\d? \w{3} \d{4} [\d:]{8} \+0000$/m)
  assert.not.match(mail, "secret@")
  assert.match(mail, /multipart\/mixed[\s\S]*multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html[\s\S]*text\/csv/)
  const shown = Buffer.from(mail, "latin1").toString()
  assert.match(shown, "Grüße, <Ada>\n\nShop (https://shop.example/)".replaceAll("\n", "\r\n"))
  assert.match(shown, '<p class="big" style="color: red;">Grüße, &lt;Ada&gt;</p>')
  assert.match(shown, "@media (width < 30rem)")
  assert.match(shown, Buffer.from("a,b").toString("base64"))
})

test("a mail that the server does not accept is sent again", async () => {
  const queue = testJobs()
  const before = server.mails.length
  isAway = true
  const id = await app.post()
  let failure: unknown
  await queue.run().catch((error) => {
    failure = error
  })
  assert.match(String(failure), "come back later")
  isAway = false
  queue.advance(60)
  await queue.run()
  assert.is(server.mails.length, before + 1)
  assert.match(server.mails.at(-1) ?? "", `Message-ID: ${id}`)
})

test("a mail that the server refuses for good is not sent again", async () => {
  const queue = testJobs()
  await app.post({ to: "gone@x.example" })
  let failure: unknown
  await queue.run().catch((error) => {
    failure = error
  })
  assert.match(String(failure), "there is no such person")
  assert.equal(await queue.list(), [])
})

test("if one of several addresses is refused, the others get the mail once", async () => {
  const queue = testJobs()
  const before = server.mails.length
  await app.post({ to: ["ada@x.example", "gone@x.example"] })
  await queue.run()
  assert.is(server.mails.length, before + 1)
  assert.equal(await queue.list(), [])
})

test.run()
