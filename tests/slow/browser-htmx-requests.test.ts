/**
 * Tests in Chromium that each version of htmx sends the requests, and works with the code under a policy, that
 * docs/reference/forms.md shows.
 */
import { readFileSync } from "node:fs"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { html } from "../../lib/html.ts"
import { App, type Context, secureHeaders } from "../../lib/index.ts"
import type { Server } from "../../lib/platform.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"
import { installHtmx } from "../support/htmx.ts"

const versions = ["1.9.12", "2.0.11", "4.0.1"]

/** The cells of the table by row. The first version is in the first column. */
const table = readFileSync(new URL("../../docs/reference/forms.md", import.meta.url), "utf8")
  .split("### What your version of htmx sends")[1]
  ?.split("\n## ")[0]
  ?.match(/^\|.*\|$/gm)
  ?.slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim().replace(/^`|`$/g, "")))

const documented = (version: string) =>
  Object.fromEntries((table ?? []).map((cells) => [cells[1], cells[versions.indexOf(version) + 2]]))

const page = (version: string) => html`<!doctype html>
<html lang="en">
<head>
<title>Rows</title><link rel="icon" href="data:,">
<meta name="htmx-config" content='{"includeIndicatorStyles":false}'>
<script src="/events.js"></script><script src="/htmx-${version}.js"></script>
</head>
<body id="page"><form>
<input name="name" value="Ada">
<button type="button" id="add" hx-delete="/rows" hx-target="#rows">Add</button>
<button type="button" id="all" hx-delete="/rows" hx-target="#rows" hx-include="closest form">All</button>
<button type="button" hx-on:click="document.title = 'ran'">Run</button>
</form><ul id="rows"></ul></body>
</html>`

/** A script that records the event which follows new content. */
const events = `window.seen = []
for (const name of ["htmx:load", "htmx:after:process"])
  addEventListener(name, ({ target }) => { if (target.closest?.("#rows")) window.seen.push(name) })`

async function row(c: Context) {
  const header = (name: string) => `${name}: ${c.header(name)}`
  const place = [c.query("name") && "in the query", (await c.formValue("name")) && "in the body"]
  const sender = c.header("HX-Source") ? "HX-Source" : "HX-Trigger"
  const parts = [header("HX-Target"), header(sender), place.filter(Boolean).join() || "nowhere"]
  return c.html(200, html`<li>${JSON.stringify(parts)}</li>`)
}

function application(script: (version: string) => string): App {
  const app = new App({ logger: false })
  const show = (c: Context) => c.html(200, page(c.param("version")))
  app.get("/page/{version}", secureHeaders(), show)
  app.get("/free/{version}", show)
  app.delete("/rows", row)
  app.get("/events.js", (c) => c.blob(200, "text/javascript", new TextEncoder().encode(events)))
  for (const version of versions) {
    const bytes = new TextEncoder().encode(script(version))
    app.get(`/htmx-${version}.js`, (c) => c.blob(200, "text/javascript", bytes))
  }
  return app
}

let browser: TestBrowser
let server: Server

const requests = suite("requests and code of htmx")

requests.before(async () => {
  browser = await startBrowser()
  server = await serve(application(await installHtmx(versions)), { host: "127.0.0.1", port: 0 })
})
requests.after(async () => {
  await server.shutdown()
  await browser.stop()
})

const toURL = (path: string) => `http://localhost:${server.addr.split(":").at(-1)}${path}`

for (const version of versions) {
  requests(`htmx ${version} sends what the documents say`, async () => {
    const { page, close } = await browser.page()
    /** Presses a button, and returns the request that the server got. */
    const press = async (name: string): Promise<string[]> => {
      await page.evaluate("document.querySelector('#rows').replaceChildren(), void (window.seen = [])")
      await page.getByRole("button", { name }).click()
      await page.waitForFunction("window.seen.length > 0")
      return JSON.parse(await page.locator("#rows > li").innerText())
    }
    await page.goto(toURL(`/free/${version}`))
    const [target, button, fields] = await press("Add")
    const event = await page.evaluate("window.seen[0]")
    const [, , included] = await press("All")
    const sent = {
      'target `<ul id="rows">': target,
      'button `<button id="add">': button,
      "fields of the form": fields,
      'fields, with `hx-include="closest form"': included,
      "event of new content": event,
    }
    assert.equal(sent, documented(version))
    await close()
  })

  requests(`htmx ${version} runs no code of attributes under secureHeaders()`, async () => {
    const { page, close } = await browser.page({ expected: /unsafe-eval|script-src/ })
    const run = async (path: string): Promise<string> => {
      await page.goto(toURL(`${path}/${version}`))
      await page.getByRole("button", { name: "Run" }).click()
      return page.title()
    }
    assert.equal([await run("/free"), await run("/page")], ["ran", "Rows"])
    await close()
  })
}

requests.run()
