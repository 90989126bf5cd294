/**
 * Tests of files for the browser in a real browser: how a save under `fw dev` changes an open page, and how often a
 * built page requests its files.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { program } from "../support/bin/cli/command.ts"
import { makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { startBrowser, type TestBrowser, waitForCondition } from "../support/browser.ts"

const script = (word: string) => `import { count } from "../lib/count.ts"
import "./cart.css"

document.body.dataset.word = "${word}"
document.body.dataset.count = String(count)
`
const element = (text: string) => `export class ${text}Element extends HTMLElement {
  connectedCallback() {
    this.textContent = "${text}"
  }
}
`
const files = {
  "main.ts": `import { App, secureHeaders } from "fw"\n\nconst app = new App()\napp.use(secureHeaders())\nexport default app\n`,
  "app/layout.tpl": `template Layout(title: string) {
  <!doctype html>
  <html lang="en">
    <head>
      <title>{title}</title>
      <link rel="icon" href="/static/logo.svg">
      <link rel="stylesheet" href="/assets/site.css">
      <script type="module" src="/assets/cart.ts"></script>
      <script type="module" src="/assets/other.ts"></script>
    </head>
    <body>{children}</body>
  </html>
}
`,
  "app/page.tpl": `export const title = "Home"

template Page() {
  <h1>Home</h1>
  <img src="/assets/photo.svg" alt="">
  <img src="/static/logo.svg" alt="">
  <cart-element></cart-element>
  <chart-element></chart-element>
}
`,
  "app/cart.element.ts": element("Cart"),
  "app/parts/chart.element.ts": element("Chart"),
  "assets/cart.ts": script("one"),
  "assets/cart.css": ".unused { color: green }\n",
  "assets/other.ts": `import { count } from "../lib/count.ts"\ndocument.body.dataset.other = String(count + 1)\n`,
  "assets/site.css": "h1 { color: rgb(1, 2, 3) }\n",
  "assets/photo.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>\n`,
  "lib/count.ts": "export const count: number = 7\n",
  "static/logo.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n`,
}

/** Runs in the page, whose policy does not allow code in texts. */
const hasNewColor = `getComputedStyle(document.querySelector("h1")).color === "rgb(4, 5, 6)"`

let browser: TestBrowser
test.before(async () => {
  browser = await startBrowser()
})
test.after(() => browser.stop())

test("under fw dev, a stylesheet is replaced, a script reloads the page, and a mistake is shown over it", async () => {
  const root = makeProject(files)
  const dev = startDev(root)
  const port = await dev.port()
  const { page, close } = await browser.page({ expected: /net::ERR_|status of 404/ })
  await page.goto(`http://localhost:${port}/`)
  await page.waitForSelector("body[data-word=one][data-count='7'][data-other='8']")
  await page.locator("cart-element", { hasText: "Cart" }).waitFor()
  await page.evaluate("window.isSame = true")
  write(root, { "assets/site.css": "h1 { color: rgb(4, 5, 6) }\n" })
  await waitForCondition(page, hasNewColor)
  assert.is(await page.evaluate("window.isSame"), true, "the page was loaded again")
  write(root, { "assets/cart.ts": script("two") })
  await page.waitForSelector("body[data-word=two]")
  assert.is(await page.evaluate("window.isSame"), undefined)
  write(root, { "assets/cart.ts": `import { readFile } from "node:fs"\nconsole.log(readFile)\n` })
  await page.waitForSelector("fw-problem [data-problem]")
  assert.match(
    (await page.textContent("fw-problem [data-problem]")) ?? "",
    /assets\/cart\.ts → node:fs.*assets\/cart\.ts:1:26/s,
  )
  write(root, { "assets/cart.ts": script("three") })
  await page.waitForSelector("body[data-word=three]")
  assert.is(await page.locator("fw-problem").count(), 0)
  write(root, { "app/cart.element.ts": element("Cart").replace('"Cart"', '"Basket"') })
  await page.locator("cart-element", { hasText: "Basket" }).waitFor()
  await close()
  assert.is(await dev.stop(), 0)
})

test("a built page prints nothing to the console, and its second view requests no file", async () => {
  const root = makeProject(files)
  execFileSync(process.execPath, [program, "build", "--target", "node"], { cwd: root })
  const server = spawn(process.execPath, [join(root, "dist/node/server.mjs")], {
    env: { ...process.env, PORT: "0", FW_LOG_LEVEL: "info", NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    let port = ""
    for await (const line of createInterface(server.stdout)) {
      port = /Listening on [^"]*:(\d+)/.exec(line)?.[1] ?? ""
      if (port) break
    }
    const { page, close } = await browser.page()
    const messages: string[] = []
    page.on("console", (message) => messages.push(message.text()))
    const asked: string[] = []
    page.on("response", (response) => {
      if (!response.fromServiceWorker()) asked.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    await page.goto(`http://localhost:${port}/`, { waitUntil: "networkidle" })
    await page.locator("chart-element", { hasText: "Chart" }).waitFor()
    assert.is(await page.getAttribute("body", "data-other"), "8")
    assert.is(await page.evaluate('getComputedStyle(document.querySelector("h1")).color'), "rgb(1, 2, 3)")
    assert.equal(messages, [])
    assert.ok(asked.length > 8, asked.join("\n"))
    for (const one of asked) assert.match(one, /^200 \/(?:$|(?:assets|static)\/.+-[A-Z0-9]{8}\.\w+$)/)
    const client = await page.context().newCDPSession(page)
    await client.send("Network.enable")
    const second: string[] = []
    const cached = new Set<string>()
    client.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId))
    client.on("Network.responseReceived", ({ requestId, response }) => {
      if (!cached.has(requestId) && !response.fromDiskCache) second.push(new URL(response.url).pathname)
    })
    await page.goto(`http://localhost:${port}/?again`, { waitUntil: "networkidle" })
    assert.equal(second, ["/"])
    assert.equal(messages, [])
    await close()
  } finally {
    server.kill()
    await once(server, "close")
  }
})

test.run()
