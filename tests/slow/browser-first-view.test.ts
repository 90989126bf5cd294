/**
 * Tests a built project for the browser with scripts, elements, pictures and a Tailwind stylesheet under the
 * default headers. The first view prints nothing to the console, the second one requests no file, and without
 * scripts the pages are complete.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, type Served, serve } from "../support/bin/build/executables.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { startBrowser, type TestBrowser, waitForCondition } from "../support/browser.ts"

const builder = fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))

const entry = (name: string) => `import { note } from "../lib/note.ts"\nimport "./_${name}.css"\n\nnote("${name}")\n`
const element = (name: string, text: string, up = "..") => `import { note } from "${up}/lib/note.ts"

export class ${name}Element extends HTMLElement {
  connectedCallback() {
    note("${name}")
    this.append(" ${text}")
  }
}
`
const picture = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${color}"/></svg>\n`

const files = {
  "package.json": '{ "name": "shop", "type": "module", "imports": { "#assets": "./.fw/assets.ts" } }\n',
  "main.ts":
    'import { App, secureHeaders } from "fw"\n\nconst app = new App({ logger: false })\napp.use(secureHeaders())\nexport default app\n',
  "app/layout.tpl": `import { asset } from "#assets"

template Layout(title: string) {
  <!doctype html>
  <html lang="en">
    <head>
      <title>{title}</title>
      <link rel="icon" href="/static/icon.svg">
      <link rel="stylesheet" href="/assets/site.css">
      <script type="module" src="/assets/cart.ts"></script>
      <script type="module" src="/assets/menu.ts"></script>
      <script src="/assets/theme.ts" async type="module"></script>
    </head>
    <body>
      <img class="first" src="/static/logo.svg" alt="">
      <img src={asset("/assets/photo.svg")} alt="">
      {children}
    </body>
  </html>
}
`,
  "app/page.tpl": `export const title = "Home"

template Page() {
  <h1 class="mt-[17px] text-[rgb(1,2,3)]">Home</h1>
  <cart-element>3 in the cart</cart-element>
  <price-list-element>7 €</price-list-element>
  <a href="/plain">Plain</a>
}
`,
  "app/plain/page.tpl": "template Page() {\n  <h1>Plain</h1>\n  <cart-element>3 in the cart</cart-element>\n}\n",
  "app/cart.element.ts": element("Cart", "ready"),
  "app/parts/price-list.element.ts": element("PriceList", "today", "../.."),
  "assets/cart.ts": entry("cart"),
  "assets/menu.ts": entry("menu"),
  "assets/theme.ts": entry("theme"),
  "assets/_cart.css": "h1 { border-top: 1px solid }\n",
  "assets/_menu.css": "h1 { border-bottom: 2px solid }\n",
  "assets/_theme.css": "h1 { border-left: 3px solid }\n",
  "assets/site.css": '@import "tailwindcss";\nbody { background: url("./dot.svg") }\n',
  "assets/photo.svg": picture("red"),
  "assets/dot.svg": picture("silver"),
  "lib/note.ts":
    "const seen = new Set<string>()\nexport function note(name: string): void {\n  seen.add(name)\n  document.body.dataset.seen = [...seen].sort().join(' ')\n}\n",
  "static/logo.svg": picture("blue"),
  "static/icon.svg": picture("green"),
}

let browser: TestBrowser
let served: Served
test.before(async () => {
  const compiler = execFileSync(process.execPath, [builder], { encoding: "utf8" }).trim().split("\n").at(-1) as string
  const root = makeProject(files)
  const { code, stdout, stderr } = await build(root, ["--target", "node"], { FW_CSS_BINARY: compiler })
  assert.is(code, 0, stdout + stderr)
  const program = join(root, "dist/node/server.mjs")
  served = await serve([process.execPath, program], root, { HOST: "127.0.0.1", NODE_ENV: "production" })
  browser = await startBrowser()
})
test.after(async () => {
  await browser.stop()
  await served.stop()
})

const isReady = "document.body.dataset.seen === 'Cart PriceList cart menu theme'"

test("the first view leaves the console empty, and the second one requests no file", async () => {
  const { page, close } = await browser.page()
  const messages: string[] = []
  page.on("console", (message) => messages.push(message.text()))
  const client = await page.context().newCDPSession(page)
  await client.send("Network.enable")
  const sent: string[] = []
  const cached = new Set<string>()
  client.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId))
  client.on("Network.responseReceived", ({ requestId, response }) => {
    const isSent = !cached.has(requestId) && !response.fromDiskCache
    if (isSent) sent.push(`${response.status} ${new URL(response.url).pathname}`)
  })
  await page.goto(served.url, { waitUntil: "networkidle" })
  await waitForCondition(page, isReady)
  assert.is(await page.textContent("cart-element"), "3 in the cart ready")
  assert.is(await page.textContent("price-list-element"), "7 € today")
  const style = await page.evaluate(
    "(({ marginTop, color, borderTopWidth, borderBottomWidth, borderLeftWidth }) => [marginTop, color, borderTopWidth, borderBottomWidth, borderLeftWidth])(getComputedStyle(document.querySelector('h1')))",
  )
  assert.equal(style, ["17px", "rgb(1, 2, 3)", "1px", "2px", "3px"])
  assert.ok(await page.evaluate("[...document.images].every(({ naturalWidth }) => naturalWidth === 9)"))
  // Every file except the page has a hash in its name, and no file is loaded twice.
  const first = sent.filter((one) => one !== "200 /")
  for (const one of first) assert.match(one, /^200 \/(?:assets|static)\/.+-[0-9A-Z]{8}\.\w+$/)
  assert.is(new Set(first).size, first.length, first.join("\n"))
  // The files are three scripts and their styles, two elements, their shared code, the stylesheet, three pictures
  // and the icon.
  assert.ok(first.length >= 12, first.join("\n"))
  assert.equal(messages, [])

  sent.length = 0
  await page.goto(`${served.url}/?again`, { waitUntil: "networkidle" })
  await waitForCondition(page, isReady)
  assert.equal(sent, ["200 /"])
  sent.length = 0
  await page.click("a")
  await page.waitForURL("**/plain")
  await waitForCondition(page, "document.body.dataset.seen === 'Cart cart menu theme'")
  assert.equal(sent, ["200 /plain"])
  assert.not((await page.content()).includes("price-list-element"), "the page has an element of another page")
  assert.equal(messages, [])
  await close()
})

test("without scripts, the pages are complete", async () => {
  const { page, close } = await browser.page({ noScript: true })
  await page.goto(served.url, { waitUntil: "networkidle" })
  assert.is(await page.textContent("cart-element"), "3 in the cart")
  assert.is(await page.textContent("price-list-element"), "7 €")
  assert.is(await page.textContent("h1"), "Home")
  await page.click("a")
  assert.is(await page.textContent("h1"), "Plain")
  await close()
})

test.run()
