/**
 * Tests of a generated client in a browser: without a base URL, with the page's cookies, and with redirects that
 * browsers hide.
 */
import { join } from "node:path"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { App } from "../../lib/index.ts"
import { clientProject } from "../support/bin/generate/client-project.ts"
import { startBrowser } from "../support/browser.ts"

const { cwd, app } = await clientProject()
const bundle = await build({
  absWorkingDir: cwd,
  entryPoints: [join(cwd, "lib/client.ts")],
  bundle: true,
  format: "esm",
  write: false,
  logLevel: "silent",
})
const server = app as unknown as App
server.get("/", (c) => c.html(200, "<!doctype html><title>Client</title><link rel=icon href=data:,>"))
server.get("/client.js", (c) => c.blob(200, "text/javascript", bundle.outputFiles[0]?.contents ?? new Uint8Array()))
await app.listen("127.0.0.1:0")
test.after(() => app.shutdown())
const browser = await startBrowser()
test.after(() => browser.stop())

/** A script of the page. */
const script = `(async () => {
  const { createClient, UnexpectedAnswer } = await import("/client.js")
  document.cookie = "theme=dark"
  const client = createClient()
  const task = await client.getTask({ params: { id: 7 } })
  const { data } = await client.listTasks({ query: { q: "a b" } })
  const uploaded = await client.upload({ form: { document: new File(["abc"], "a.txt"), title: "A" } })
  const moved = await client.signIn({ form: { name: "ada" } }).catch((error) => error)
  const events = []
  const watched = await client.watch()
  for await (const event of watched.data) if (events.push(event.data) === 2) break
  const due = task.data.due instanceof Date
  return { due, next: data.next, uploaded: uploaded.data, moved: moved instanceof UnexpectedAnswer && moved.message, events }
})()`

test("calls go to the page's own origin", async () => {
  const { page, close } = await browser.page()
  await page.goto(`http://localhost:${app.addr.split(":").at(-1)}/`)
  const found = await page.evaluate(script)
  assert.equal(found, {
    due: true,
    next: '["a b",1,[],"dark"]',
    uploaded: { name: "a.txt", size: 3, title: "A" },
    moved: "The API sent a redirect, which browsers do not show to programs",
    events: ["first\nsecond", '{"eur":9.5}'],
  })
  await close()
})

test.run()
