/** `fw dev`: the page with the mails that a program keeps. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, makeProject, startDev } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: mails")
const at = "2026-01-02T03:04:05.678Z"
const mail = (subject: string, text = "") => JSON.stringify({ to: "ada@example.com", subject, text, at })

test("fw dev shows the mails of the program on this machine, newest first, as text with links", async () => {
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
    "1700000000002-ab.json": mail("second"),
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
  assert.equal(subjects, ["&#60;b&#62;third&#60;/b&#62;", "second", "first"])
  assert.equal(
    [...body.matchAll(/href="(http[^"]*)"/g)].map(([, address]) => address),
    ["http://localhost:3000/reset?a=1&#38;b="],
  )
  assert.not.match(body, "<script>")
  assert.match(String(headers["content-security-policy"]), "default-src 'none'")
  assert.is(headers["cache-control"], "no-store")

  for (const asked of [{ headers: { "sec-fetch-site": "cross-site" } }, { headers: { host: "evil.example" } }])
    assert.is((await ask(port, "/__fw/mail", asked)).status, 403)
  assert.is((await ask(port, "/__fw/mail", { method: "POST" })).status, 405)
  assert.is(await dev.stop(), 0)
})

test.run()
