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
const attach = (filename: string, contentType: string) => ({ filename, contentType, content: "YWJj" })
const attachments = [
  attach("a<b.txt", "text/plain"),
  attach("é.html", "text/html; charset=utf-8"),
  attach("map.svg", "image/svg+xml"),
  attach("a.png", "image/png"),
  attach("../bill.pdf", "application/pdf"),
  attach("x\r\ny", "multipart/x-mixed-replace; boundary=a"),
  attach("", "text/plainer"),
]

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
  assert.match(
    body,
    '<dd><a href="/__fw/mail/1700000000002-ab.json/0" target="_blank" rel="noreferrer">a&#60;b.txt</a>, text/plain, 3 bytes</dd>',
  )
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
  for (const name of ["notes.json", "1700000000002-ab.json/9", "1700000000002-ab.json/x", "1700000000003-ab.json/0"])
    assert.is((await ask(port, `/__fw/mail/${name}`)).status, 404, name)

  // What may have scripts is saved: on a page of this origin, they could read all requests and mails.
  const found: unknown[] = []
  for (const position of attachments.keys()) {
    const answer = await ask(port, `/__fw/mail/1700000000002-ab.json/${position}`)
    assert.equal([answer.body, answer.headers["x-content-type-options"]], ["abc", "nosniff"])
    found.push([answer.headers["content-type"], answer.headers["content-disposition"]])
  }
  const saved = (names: string) => ["application/octet-stream", `attachment; filename=${names}`]
  assert.equal(found, [
    ["text/plain; charset=utf-8", undefined],
    saved(`"_.html"; filename*=UTF-8''%C3%A9.html`),
    saved('"map.svg"'),
    ["image/png", undefined],
    ["application/pdf", undefined],
    saved('"xy"'),
    saved('"attachment"'),
  ])

  for (const asked of [{ headers: { "sec-fetch-site": "cross-site" } }, { headers: { host: "evil.example" } }])
    assert.is((await ask(port, "/__fw/mail", asked)).status, 403)
  assert.is((await ask(port, "/__fw/mail", { method: "POST" })).status, 405)
  assert.is(await dev.stop(), 0)
})

test.run()
