/**
 * Tests of forms with files that are too large, sent by Chromium without JavaScript: the form is shown again with
 * its values.
 */
import { mkdtempSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { html } from "../../lib/html.ts"
import { App, newForm, type ShownForm, type StandardSchema } from "../../lib/index.ts"
import type { Server } from "../../lib/platform.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"

const anything: StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
}

/** Returns a page whose form has a field before the file, and another one after it. */
const page = (form: ShownForm) => html`<!doctype html><link rel="icon" href="data:,"><title>Photos</title>
<form method="post" enctype="multipart/form-data">
  <input name="name" value="${form.values.name}">
  <input type="file" name="photo"><output>${form.issues.photo}</output>
  <input name="note" value="${form.values.note}">
  <button>Send</button>
</form>`

const app = new App({ logger: false })
app.get("/", (c) => c.html(200, page(newForm())))
app.post("/", async (c) => {
  const form = await c.readForm(anything, { maxFile: 5_000_000 })
  return form.ok ? c.html(200, html`<title>Sent</title>`) : c.html(422, page(form))
})

const uploads = suite("uploads in Chromium")
let server: Server
let browser: TestBrowser
const photo = join(mkdtempSync(join(tmpdir(), "fw-uploads-")), "photo.bin")

uploads.before(async () => {
  writeFileSync(photo, "")
  server = await serve(app, { host: "127.0.0.1", port: 0 })
  browser = await startBrowser()
})
uploads.after(async () => {
  await browser.stop()
  await server.shutdown()
})

const rows: ReadonlyArray<readonly [name: string, size: number, note: string]> = [
  ["larger than the file's limit", 6_000_000, "after"],
  ["larger than the body's limit", 12_000_000, "after"],
  ["much larger than is read", 60_000_000, ""],
]
for (const [name, size, note] of rows) {
  uploads(`a form with a file that is ${name} is shown again with its values and a message`, async () => {
    truncateSync(photo, size)
    // Chromium prints a 422 to the console as an error.
    const { page, close } = await browser.page({ noScript: true, expected: /422/ })
    await page.goto(`http://${server.addr}/`)
    await page.fill("[name=name]", "Ada")
    await page.fill("[name=note]", "after")
    await page.setInputFiles("[name=photo]", photo)
    await page.click("button")
    await page.waitForSelector("output:not(:empty)")
    assert.is(await page.textContent("output"), "The file is larger than 5 MB.")
    assert.is(await page.getAttribute("[name=name]", "value"), "Ada")
    assert.is(await page.getAttribute("[name=note]", "value"), note)
    await close()
  })
}

uploads.run()
