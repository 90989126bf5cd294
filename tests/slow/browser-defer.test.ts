/**
 * Tests of pages with deferred blocks in a real browser, with and without JavaScript, under the default security
 * headers.
 */
import { readFileSync } from "node:fs"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { App, secureHeaders } from "../../lib/index.ts"
import type { Server } from "../../lib/platform.ts"
import type { Routes } from "../../lib/tree.ts"
import { load } from "../fixtures/template/render.ts"
import { startBrowser, type TestBrowser, waitForCondition } from "../support/browser.ts"

const htmx = readFileSync(new URL("../../scaffold/full-stack/static/vendor/htmx-4.0.1.min.js", import.meta.url), "utf8")

/** Lets the blocks of the page continue. */
let release: () => void = () => {}
let waiting = Promise.resolve()
const shared = globalThis as { browserDefer?: unknown }
shared.browserDefer = () => waiting

const { Layout, Page, Part } = await load(`
const wait = globalThis.browserDefer
template Layout(title: string) {
  <!doctype html>
  <html>
    <head>
      <meta charset="utf-8"><title>{title}</title><link rel="icon" href="data:,">
      <script src="/htmx.js" defer></script>
    </head>
    <body id="page">{children}</body>
  </html>
}
template Part() {<b id="part">from the button</b>}
template Page() {
  <button hx-get="/part" hx-target="#out">press</button><p id="out"></p>
  <section>{defer {{await wait()}<b id="one" hx-get="/part" hx-target="#late">one</b><i id="late"></i>} pending {<i class="pending">…</i>}}</section>
  <table>{defer {{await wait()}<tr><td>cell</td></tr>} pending {<tr class="pending"><td>…</td></tr>}}</table>
  <select>{defer {{await wait()}<option>choice</option>} pending {<option class="pending">…</option>}}</select>
  <p id="outer">{defer {{await wait()}{defer {{await wait()}<u>inner</u>} pending {<i class="pending">…</i>}}}}</p>
}
`)

const routes = {
  tree: {
    appDir: "app",
    routes: [],
    middleware: [],
    pages: [{ pattern: "/", file: "app/page.tpl", middleware: [], title: "Slow", layout: 0 }],
    layouts: [{ file: "app/layout.tpl", path: "/" }],
  },
  modules: { "app/layout.tpl": { Layout, $fwBodyID: "page" }, "app/page.tpl": { Page } },
} as unknown as Routes

const app = new App({ logger: false })
app.use(secureHeaders())
app.get("/htmx.js", (c) => c.blob(200, "text/javascript", htmx))
app.get("/part", async (c) => c.html(200, (await Part?.()) ?? ""))

let server: Server
let browser: TestBrowser
test.before(async () => {
  await app.mount(routes)
  ;[server, browser] = await Promise.all([serve(app, { host: "127.0.0.1", port: 0 }), startBrowser()])
})
test.after(async () => {
  await browser.stop()
  await server.shutdown()
})
test.before.each(() => {
  waiting = new Promise((resolve) => {
    release = resolve
  })
})

const address = () => `http://localhost:${server.addr.split(":").at(-1)}/`
const complete = `document.querySelector("#one") && document.querySelector("td")?.textContent === "cell" &&
  document.querySelector("select").textContent.trim() === "choice" && document.querySelector("#outer u") &&
  document.readyState === "complete"`
const leftOver = `document.querySelectorAll(".pending, template").length`

test("a button works while blocks are pending, and each block replaces its placeholder", async () => {
  const { page, close } = await browser.page()
  await page.goto(address(), { waitUntil: "commit" })
  await page.waitForSelector("#outer .pending, #outer template", { state: "attached" })
  await waitForCondition(page, "window.htmx && document.querySelector('button')._htmx?.initialized")
  await page.click("button")
  await page.waitForSelector("#out #part")
  assert.is(await page.evaluate("document.readyState"), "loading")
  assert.is(await page.evaluate("document.querySelectorAll('tr.pending, option.pending').length"), 2)
  release()
  await waitForCondition(page, complete)
  assert.is(await page.evaluate(leftOver), 0)
  await page.click("#one")
  await page.waitForSelector("#late #part")
  assert.is(await page.evaluate("document.querySelectorAll('script[src*=htmx]').length"), 1)
  await close()
})

test("without JavaScript the browser gets the page in order", async () => {
  const { page, context, close } = await browser.page()
  const session = await context.newCDPSession(page)
  await session.send("Emulation.setScriptExecutionDisabled", { value: true })
  release()
  await page.goto(address(), { waitUntil: "commit" })
  await page.waitForURL(/fw-defer=off/)
  await page.waitForSelector("#outer u")
  const text = await page.content()
  assert.not.match(text, "template")
  assert.not.match(text, "pending")
  assert.match(text, "<td>cell</td>")
  await close()
})

test.run()
