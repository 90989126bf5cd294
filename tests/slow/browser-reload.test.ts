// Tests of live reload with a real `fw dev`, a real browser, and files that are saved.

import { join } from "node:path"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"

const layout = `template Layout(title: string) {
  <!doctype html>
  <html lang="en"><head><title>{title}</title><link rel="stylesheet" href="/static/site.css"></head>
  <body>{children}<script src="/static/page.js"></script></body></html>
}
`
const home = (text: string) => `export const title = "Home"

template Page() {
  <h1>${text}</h1>
  <form><input id="name"></form>
  <p id="own">no script</p>
}
`
const route = (text: string) => `import type { Context } from "fw"

export function Get(c: Context): Response {
  return c.html(200, "<b>${text}</b>")
}
`
const files = {
  "app/layout.tpl": layout,
  "app/page.tpl": home("one"),
  "app/part/route.ts": route("part"),
  "app/middleware.ts": `import type { MiddlewareFunc } from "fw"

export const Middleware = (): MiddlewareFunc => (next) => (c) => {
  c.setHeader("content-security-policy", "default-src 'self'")
  return next(c)
}
`,
  "static/site.css": "h1 { color: rgb(1, 2, 3) }\n",
  "static/page.js": `document.getElementById("own").textContent = "own script"\n`,
}

let root: string
let dev: Dev
let port: number
let browser: TestBrowser
let guarded: GuardedPage
let page: Page

test.before(async () => {
  root = makeProject(files)
  dev = startDev(root)
  ;[browser, port] = await Promise.all([startBrowser(), dev.port()])
})

/** Runs a test with its own open page. uvu does not report errors in hooks, so this is not a hook. */
function step(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    // The tests cause on purpose that the server is down or broken, and there is no icon. The console reports both.
    guarded = await browser.page({ expected: /net::ERR_|status of 500|favicon\.ico/ })
    page = guarded.page
    await visit(page)
    await run()
    await guarded.close()
  })
}

test.after(async () => {
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

/** Opens the page, and waits until it listens for changes. */
async function visit(tab: Page, path = "/"): Promise<void> {
  const listens = tab.waitForResponse((response) => response.url().endsWith("/__fw/events"))
  await tab.goto(`http://localhost:${port}${path}`)
  await listens
}

/** Waits in the page for a condition. The page's policy forbids the code of Playwright's own function. */
async function until(condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (${condition} ? resolve() : requestAnimationFrame(look))
    look()
  })`)
}

const heading = (text: string) => page.locator("h1", { hasText: text })
const overlay = () => page.locator("fw-problem dialog")

/** Marks the document. A reload removes the mark. */
const mark = (tab: Page) => tab.evaluate("document.fwMark = true")
const isMarked = (tab: Page) => tab.evaluate<boolean>("document.fwMark === true")

step(
  "a saved template changes every tab in place, under a strict policy, and changes of the page's script stay",
  async () => {
    const other = await guarded.open()
    await visit(other)
    assert.is((await ask(port, "/")).headers["content-security-policy"], "default-src 'self'")
    await Promise.all([mark(page), mark(other)])
    write(root, { "app/page.tpl": home("two") })
    for (const tab of [other, page]) {
      await tab.bringToFront()
      await tab.locator("h1", { hasText: "two" }).waitFor()
      assert.is(await isMarked(tab), true)
      await tab.locator("#own", { hasText: "own script" }).waitFor()
    }
  },
)

step("a saved stylesheet is replaced, and the typed text and the focus stay", async () => {
  await mark(page)
  await page.locator("#name").fill("half a sent")
  for (const color of ["rgb(4, 5, 6)", "rgb(7, 8, 9)"]) {
    write(root, { "static/site.css": `h1 { color: ${color} }\n` })
    await until(`getComputedStyle(document.querySelector("h1")).color === "${color}"`)
    await until(`document.querySelectorAll("link[rel=stylesheet]").length === 1`)
  }
  assert.is(await page.locator("#name").inputValue(), "half a sent")
  assert.is(await page.evaluate("document.activeElement.id"), "name")
  assert.is(await isMarked(page), true)
})

step("a broken template is shown over the page, and the fix removes the error", async () => {
  write(root, { "app/page.tpl": home("three").replace("</form>", "") })
  await overlay().waitFor()
  const text = await overlay().locator("[data-problem]").innerText()
  assert.match(text, /app\/page\.tpl:\d+:\d+/)
  assert.match(text, "<form>")
  assert.match(text, /> +\d+ \|/)
  await look("template")
  write(root, { "app/page.tpl": home("three") })
  await heading("three").waitFor()
  await overlay().waitFor({ state: "detached" })
})

step(
  "a syntax error of a route is shown with file, line and code, Escape hides it, and the last program answers",
  async () => {
    write(root, { "app/part/route.ts": route("part").replace("return", "return =") })
    await overlay().waitFor()
    const text = await overlay().locator("[data-problem]").innerText()
    assert.match(text, /app\/part\/route\.ts:4:\d+/, text)
    assert.match(text, /> 4 \| +return = c\.html\(200/)
    await look("syntax")
    assert.match((await ask(port, "/part")).body, "<b>part</b>")
    await page.keyboard.press("Escape")
    await overlay().waitFor({ state: "detached" })
    // A page that is opened while the program is broken also says so.
    const other = await guarded.open()
    await visit(other)
    await other.locator("fw-problem dialog").waitFor()
    write(root, { "app/part/route.ts": route("part") })
    await other.locator("fw-problem dialog").waitFor({ state: "detached" })
  },
)

step("a crashed program is shown on an error page, and the fix brings the page back", async () => {
  const crash = `setTimeout(() => {\n  throw new Error("broken later")\n})\n`
  write(root, { "app/part/route.ts": `${route("part")}${crash}` })
  await page.locator("h2", { hasText: "broken later" }).waitFor()
  await look("crash")
  write(root, { "app/part/route.ts": route("mended") })
  await overlay().waitFor({ state: "detached" })
  await heading("three").waitFor()
})

step("a fragment is sent unchanged, and a page contains the script once", async () => {
  const fetched = (init: string) => page.evaluate<string>(`fetch("/part", ${init}).then((r) => r.text())`)
  assert.is(await fetched(`{ headers: { "hx-request": "true" } }`), "<b>part</b>".replace("part", "mended"))
  assert.is(await fetched("{}"), "<b>mended</b>")
  assert.is(await page.locator(`script[src="/__fw/client.js"]`).count(), 1)
})

step("a page reloads by itself after the server stopped and started", async () => {
  await mark(page)
  assert.is(await dev.stop(), 0)
  write(root, { "app/page.tpl": home("after") })
  dev = startDev(root, ["--port", String(port)])
  await dev.port()
  await heading("after").waitFor()
  assert.is(await isMarked(page), false)
})

/** Checks that the overlay is a dialog that fits into the windows of a phone and a desktop. */
async function look(name: string): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    const fits = await page.evaluate<boolean>(
      `[...(document.querySelector("fw-problem")?.shadowRoot ?? document).querySelectorAll("[data-problem], h1, h2, code, pre, p")]
        .every((part) => part.getBoundingClientRect().right <= innerWidth && part.getBoundingClientRect().left >= 0)`,
    )
    assert.ok(fits, `${name} at ${width}`)
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${width}.png`) })
  }
}

test.run()
