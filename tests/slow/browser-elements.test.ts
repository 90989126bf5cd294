/**
 * Tests of custom elements in Chromium: under the default policy, in content that htmx swaps, in deferred blocks,
 * without scripts, and after a save under `fw dev`.
 */
import { join } from "node:path"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, type Served, serve } from "../support/bin/build/executables.ts"
import { makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { startBrowser, type TestBrowser, waitForCondition } from "../support/browser.ts"
import { installHtmx } from "../support/htmx.ts"

const versions = ["2.0.11", "4.0.1"] as const

/** Returns an element that counts its clicks and how often it is put into a page. */
const element = (name: string) => `import { format } from "../lib/format.ts"
import "./${name}.css"

export class ${name}Element extends HTMLElement {
  connected = 0
  clicks = 0
  connectedCallback() {
    this.connected += 1
    this.dataset.state = format("${name}")
    this.addEventListener("click", () => (this.clicks += 1))
  }
}
`
const home = (text: string, more = "") => `export const title = "Home"

template Page() {
  <p id="text">${text}</p>
  <div id="box"></div>
  <button id="swap" hx-get="/part" hx-target="#box">Swap</button>
  <button id="row" hx-get="/row" hx-target="#rows">Row</button>
  <table><tbody id="rows"></tbody></table>
  <nav hx-boost={true}><a id="boosted" href="/elements">Elements</a></nav>
  ${more}
}
`
const files = (htmx: string) => ({
  "main.ts": `import { App, secureHeaders } from "fw"

const app = new App({ logger: false })
app.use(secureHeaders())
app.get("/part", (c) => c.html(200, "<Cart-Element id=cart>7</Cart-Element>"))
app.get("/row", (c) => c.html(200, "<tr><td><chart-element>row</chart-element></td></tr>"))
export default app
`,
  "app/layout.tpl": `template Layout(title: string) {
  <!doctype html>
  <html lang="en">
    <head><title>{title}</title><link rel="icon" href="/static/icon.svg"><script src="/static/htmx.js" defer></script></head>
    <body>{children}</body>
  </html>
}
`,
  "app/page.tpl": home("first"),
  "app/elements/page.tpl": `template Page() {<main><cart-element>7</cart-element><chart-element>up</chart-element></main>}\n`,
  "app/late/page.tpl": `template Page() {
  <h1>Late</h1>
  {defer {<p>{await Promise.resolve("block")}</p><chart-element>late</chart-element>} pending {<p>wait</p>}}
}
`,
  "app/not-found.tpl": "template NotFound() {<chart-element>none</chart-element>}\n",
  "app/cart.element.ts": element("Cart"),
  "app/Cart.css": "cart-element { color: rgb(1, 2, 3) }\n",
  "app/chart.element.ts": element("Chart"),
  "app/Chart.css": "chart-element { color: rgb(4, 5, 6) }\n",
  "lib/format.ts": "export const format = (name: string): string => `ready: ${name}`\n",
  "static/htmx.js": htmx,
  "static/icon.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>\n`,
})

let browser: TestBrowser
let readHtmx: (version: string) => string
const running: Served[] = []
test.before(async () => {
  readHtmx = await installHtmx([...versions])
  browser = await startBrowser()
})
test.after(async () => {
  for (const served of running) await served.stop()
  await browser.stop()
})

/** Waits until an element is defined, and its stylesheet is loaded. */
async function waitForElement(page: Page, tag: "cart" | "chart"): Promise<void> {
  const [name, color] = tag === "cart" ? ["Cart", "rgb(1, 2, 3)"] : ["Chart", "rgb(4, 5, 6)"]
  await page.waitForSelector(`${tag}-element[data-state="ready: ${name}"]`)
  await waitForCondition(
    page,
    `getComputedStyle(document.querySelector("${tag}-element")).color === ${JSON.stringify(color)}`,
  )
}

/** Counts the script tags of an element in the page, and the requests for its script. */
const countScripts = (page: Page, tag: string) =>
  page.evaluate(
    `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/${tag}-element")).length`,
  )

for (const version of versions)
  test(`content that htmx ${version} swaps has the scripts of its elements, and the rest of the page loads none`, async () => {
    const root = makeProject(files(readHtmx(version)))
    const { code, stdout, stderr } = await build(root, ["--target", "node"])
    assert.is(code, 0, stdout + stderr)
    const served = await serve([process.execPath, join(root, "dist/node/server.mjs")], root, { HOST: "127.0.0.1" })
    running.push(served)
    const { page, close } = await browser.page({ expected: /status of 404/ })
    const messages: string[] = []
    page.on("console", (message) => messages.push(message.text()))

    await page.goto(served.url, { waitUntil: "networkidle" })
    assert.is(await countScripts(page, "c"), 0, "a page without elements loads the script of an element")
    assert.is(await page.evaluate("document.querySelectorAll('script').length"), 1)
    await page.click("#swap")
    await waitForElement(page, "cart")
    await page.click("#swap")
    await waitForCondition(page, "document.querySelectorAll('cart-element').length === 1")
    await page.click("#row")
    await waitForElement(page, "chart")
    assert.is(await page.locator("#rows chart-element").textContent(), "row")

    // A boosted link uses only the body of the next page.
    await page.goto(served.url, { waitUntil: "networkidle" })
    await page.click("#boosted")
    await page.waitForURL("**/elements")
    await waitForElement(page, "cart")
    await waitForElement(page, "chart")

    await page.goto(`${served.url}/elements`)
    await waitForElement(page, "cart")
    await page.goto(`${served.url}/late`)
    await page.waitForSelector("p:text('block')")
    await waitForElement(page, "chart")
    assert.equal(messages, [])
    await page.goto(`${served.url}/nowhere`)
    await waitForElement(page, "chart")
    await close()

    const plain = await browser.page({ noScript: true })
    await plain.page.goto(`${served.url}/elements`)
    assert.is(await plain.page.textContent("main"), "7up")
    await plain.page.goto(`${served.url}/late`)
    await plain.page.waitForSelector("chart-element")
    assert.is(await plain.page.textContent("chart-element"), "late")
    await plain.close()
  })

test("under fw dev, an element keeps its state when a save changes the page around it, and a new one is loaded", async () => {
  const root = makeProject(files(""))
  write(root, { "app/page.tpl": home("first", "<cart-element><b>7</b></cart-element>") })
  const dev = startDev(root)
  const port = await dev.port()
  const { page, close } = await browser.page()
  await page.goto(`http://localhost:${port}/`)
  await waitForElement(page, "cart")
  await page.click("cart-element")
  await page.evaluate("window.kept = document.querySelector('cart-element')")
  write(root, { "app/page.tpl": home("second", '<cart-element class="big"><b>8</b></cart-element>') })
  await page.waitForSelector("#text:text('second')")
  await page.waitForSelector("cart-element.big:has-text('8')")
  const state =
    "(({ clicks, connected, isConnected, dataset }) => ({ clicks, connected, isConnected, ...dataset }))(window.kept)"
  assert.equal(await page.evaluate(state), { clicks: 1, connected: 1, isConnected: true, state: "ready: Cart" })

  write(root, {
    "app/page.tpl": home("third", "<cart-element><b>8</b></cart-element><chart-element>new</chart-element>"),
  })
  await waitForElement(page, "chart")
  await waitForElement(page, "cart")
  write(root, { "app/chart.element.ts": element("Chart").replace('format("Chart")', '"changed"') })
  await page.waitForSelector("chart-element[data-state=changed]")
  await close()
  assert.is(await dev.stop(), 0)
})

test.run()
