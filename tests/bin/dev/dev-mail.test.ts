/** Tests of the page of `fw dev` with the mails that a program has sent. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, makeProject, startDev } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: mails")
const date = "2026-01-02T03:04:05.678Z"
const to = [{ name: "Ada <b>", address: "ada@example.com" }]
const mail = (subject: string, text = "", more = {}) => JSON.stringify({ to, subject, text, date, ...more })
const html = '<html><head lang="en"><title>x</title></head><body><p>Hello</p></body></html>'
const attachments = [{ filename: "a<b.txt", contentType: "text/plain", content: "YWJj" }]

test("fw dev shows the program's mails to this machine, newest first, as text with links", async () => {
  const root = makeProject({
    "main.ts": `import { App } from "fw"\nexport default new App({ logger: false })\n`,
  })
  const dev = startDev(root)
  const port = await dev.port()
  const page = () => ask(port, "/__fw/mail")
  const none = await page()
  assert.equal([none.status, /There are no mails yet/.test(none.body)], [200, true])

  const files: Readonly<Record<string, string>> = {
    "1700000000001-ab.json": mail("first"),
    "1700000000003-ab.json": mail(
      "<b>third</b>",
      `Open http://localhost:3000/reset?a=1&b="2" or javascript:alert(1) </pre><script>`,
    ),
    "1700000000002-ab.json": mail("second", "", { html, attachments, headers: { "X-Shop": "7" } }),
    // Programs wrote mails in this format before fw/mail existed.
    "1700000000000-ab.json": JSON.stringify({ to: "bob@example.com", subject: "old", text: "", at: date }),
    "1700000000004-ab.json": "{",
    "1700000000005-ab.json": '{"to":1}',
    "notes.json": mail("not a mail"),
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, ".fw/mail", name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { body, headers } = await page()
  const subjects = [...body.matchAll(/<h3>(.*)<\/h3>/g)].map(([, subject]) => subject)
  assert.equal(subjects, ["&#60;b&#62;third&#60;/b&#62;", "second", "first", "old"])
  assert.equal(
    [...body.matchAll(/href="(http[^"]*)"/g)].map(([, address]) => address),
    ["http://localhost:3000/reset?a=1&#38;b="],
  )
  assert.not.match(body, "<script>")
  assert.match(String(headers["content-security-policy"]), "default-src 'none'")
  assert.is(headers["cache-control"], "no-store")

  assert.match(body, "To Ada &#60;b&#62; &#60;ada@example.com&#62;")
  assert.match(body, "To bob@example.com")
  assert.match(body, "<dt>X-Shop</dt><dd>7</dd>")
  assert.match(body, "<dd>a&#60;b.txt, text/plain, 3 bytes</dd>")
  assert.equal(
    [...body.matchAll(/<div class="(\w+)"><iframe [^>]*src="([^"]*)"/g)].map(([, width, src]) => [width, src]),
    [
      ["phone", "/__fw/mail/1700000000002-ab.json"],
      ["desktop", "/__fw/mail/1700000000002-ab.json"],
    ],
  )
  const frame = await ask(port, "/__fw/mail/1700000000002-ab.json")
  assert.is(frame.body, html.replace('lang="en">', 'lang="en"><base target="_blank">'))
  assert.match(String(frame.headers["content-security-policy"]), /^sandbox allow-popups [^;]*; default-src 'none'/)
  assert.is((await ask(port, "/__fw/mail/notes.json")).status, 404)

  for (const asked of [{ headers: { "sec-fetch-site": "cross-site" } }, { headers: { host: "evil.example" } }])
    assert.is((await ask(port, "/__fw/mail", asked)).status, 403)
  assert.is((await ask(port, "/__fw/mail", { method: "POST" })).status, 405)
  assert.is(await dev.stop(), 0)
})

test.run()
