/**
 * Tests of what a developer sees in a real browser when the running program has a bug: the page, the overlay and
 * the editor.
 */

import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"

const test = suite("fw dev: bugs in a browser")

const htmx = readFileSync(new URL("../../scaffold/full-stack/static/vendor/htmx-4.0.1.min.js", import.meta.url), "utf8")

/** A file with a bug, and the same file without it. */
interface Broken {
  readonly path: string
  readonly file: string
  readonly broken: string
  readonly place: string
  readonly line: RegExp
}

const handler = (result: string) =>
  `import type { Context } from "fw"\n\nexport function Get(c: Context) {\n  const cart: { total: number } | null = ${result} as never\n  return c.html(200, "<p id=good>total " + cart.total + "</p>")\n}\n`
const template = (name: string) =>
  `const user = { name: ${name} } as { name: string }\n\ntemplate Page() {\n  <p id="good">{user.name.toUpperCase()}</p>\n}\n`
const middleware = (check: string) =>
  `import type { MiddlewareFunc } from "fw"\n\nexport const Middleware = (): MiddlewareFunc => (next) => (c) => {\n  ${check}\n  return next(c)\n}\n`

const bugs: Readonly<Record<string, Broken>> = {
  handler: {
    path: "/cart",
    file: "app/cart/route.ts",
    broken: handler("null"),
    place: "app/cart/route.ts:5:",
    line: /> 5 \| .*cart\.total/,
  },
  template: {
    path: "/user",
    file: "app/user/page.tpl",
    broken: template("undefined"),
    place: "app/user/page.tpl:4:",
    line: /> 4 \| .*user\.name\.toUpperCase/,
  },
  middleware: {
    path: "/guarded",
    file: "app/guarded/middleware.ts",
    broken: middleware('throw new RangeError("no session in " + c.path)'),
    place: "app/guarded/middleware.ts:4:",
    line: /> 4 \| .*throw new RangeError/,
  },
}

const fixed: Readonly<Record<string, string>> = {
  "app/cart/route.ts": handler("{ total: 3 }"),
  "app/user/page.tpl": template('"ada"'),
  "app/guarded/middleware.ts": middleware(""),
}

const part = (text: string) =>
  `import type { Context } from "fw"\n\nexport const Get = (c: Context) => c.html(200, "<b id=part>" + ${text} + "</b>")\n`

const files = {
  ...fixed,
  "main.ts":
    'import { App, secureHeaders } from "fw"\n\nconst app = new App()\napp.use(secureHeaders())\nexport default app\n',
  "app/layout.tpl": `template Layout(title: string) {
  <!doctype html>
  <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
  <link rel="icon" href="/static/icon.svg"><script src="/static/htmx.js" defer></script><script src="/static/own.js" defer></script></head>
  <body><main>{children}</main></body></html>
}
`,
  "app/page.tpl": `export const title = "Home"

template Page() {
  <h1>Home</h1>
  <button id="fetch">fetch</button>
  <button id="htmx" hx-get="/part" hx-target="#out">htmx</button>
  <p id="out"></p>
}
`,
  "app/guarded/page.tpl": 'template Page() {\n  <p id="good">guarded</p>\n}\n',
  "app/part/route.ts": part('"whole"'),
  "static/htmx.js": htmx,
  "static/own.js": 'document.getElementById("fetch")?.addEventListener("click", () => fetch("/part"))\n',
  "static/icon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "editor.sh": '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/opened"\n',
}

let root: string
let dev: Dev
let port: number
let browser: TestBrowser

test.before(async () => {
  root = makeProject(files, ["fw", "esbuild", "typescript"])
  chmodSync(join(root, "editor.sh"), 0o755)
  // Reading from a pipe waits for its writer.
  execFileSync("mkfifo", [join(root, "opened")])
  dev = startDev(root, undefined, { FW_EDITOR: `${join(root, "editor.sh")} --at {line}:{column} {file}` })
  ;[browser, port] = await Promise.all([startBrowser(), dev.port()])
})

test.after(async () => {
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

/**
 * Saves files, and waits for the program that contains them, so that no page is reloaded in a later step. A file
 * that has this content already is no change.
 */
async function save(changes: Readonly<Record<string, string | null>>): Promise<void> {
  const changed = Object.entries(changes).filter(([file, text]) => {
    const path = join(root, file)
    return (existsSync(path) ? readFileSync(path, "utf8") : null) !== text
  })
  if (changed.length === 0) return
  write(root, Object.fromEntries(changed))
  await dev.says(/rebuilt in/)
}

/** Runs a test with its own page. */
function step(name: string, run: (page: Page) => Promise<void>): void {
  test(name, async () => {
    // The console reports the failed requests, which these tests cause on purpose.
    const guarded = await browser.page({ expected: /status of 500|net::ERR_|favicon/ })
    try {
      await run(guarded.page)
    } finally {
      await save({ ...fixed, "app/part/route.ts": files["app/part/route.ts"] })
    }
    await guarded.close()
  })
}

/** Opens a page, and waits until it listens for changes. */
async function visit(page: Page, path: string): Promise<void> {
  const listens = page.waitForResponse((response) => response.url().endsWith("/__fw/events"))
  await page.goto(`http://localhost:${port}${path}`)
  await listens
}

/** Code that returns the names of the problems that axe finds, with their elements. */
const audit =
  "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))"

/**
 * Checks that the whole problem can be seen and read, on a phone and a desktop screen, in light and in dark
 * colours.
 */
async function look(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ["light", "dark"] as const) {
      const what = `${name}-${width}-${colorScheme}`
      await page.emulateMedia({ colorScheme })
      assert.is(await page.evaluate(fits), true, what)
      assert.equal(await page.evaluate(audit), [], what)
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${what}.png`) })
    }
  }
}

// The page below an overlay belongs to the test: htmx shows the answer of a failed request there.
const fits = `(document.querySelector("fw-problem") || document.documentElement.scrollWidth <= innerWidth) &&
  [...(document.querySelector("fw-problem")?.shadowRoot ?? document).querySelectorAll("[data-problem], h1, h2, code, pre, p")].every((part) => {
    const { left, right } = part.getBoundingClientRect()
    return left >= 0 && right <= innerWidth
  })`

for (const [name, { path, file, broken, place, line }] of Object.entries(bugs)) {
  step(`a bug in a ${name} is shown instead of the page, until the fix is saved`, async (page) => {
    await save({ [file]: broken })
    await visit(page, path)
    const text = await page.locator("[data-problem]").innerText()
    assert.match(text, place)
    assert.match(text, line)
    assert.match(text, `GET ${path}`)
    await look(page, name)
    await save(fixed)
    await page.locator("#good").waitFor()
    assert.is(await page.locator("[data-fw]").count(), 0)
  })
}

for (const client of ["fetch", "htmx"]) {
  step(`a bug in a request of ${client} is shown over the page, until the fix is saved`, async (page) => {
    await save({ "app/part/route.ts": part("(undefined as never as string).length") })
    await visit(page, "/")
    await page.locator(`#${client}`).click()
    const overlay = page.locator("fw-problem dialog")
    await overlay.waitFor()
    const text = await overlay.locator("[data-problem]").innerText()
    assert.match(text, "Cannot read properties of undefined (reading 'length')")
    assert.match(text, "app/part/route.ts:3:")
    assert.match(text, "GET /part")
    await look(page, client)
    await save({ "app/part/route.ts": files["app/part/route.ts"] })
    await overlay.waitFor({ state: "detached" })
    await page.locator("#htmx").click()
    await page.locator("#out #part", { hasText: "whole" }).waitFor()
  })
}

step("a forgotten await is shown over the next page", async (page) => {
  const answer = (call: string) =>
    `import type { Context } from "fw"\n\nexport const Post = async (c: Context) => {\n  ${call}\n  return c.redirect(303, "/?saved")\n}\n`
  await save({ "app/save/route.ts": answer("c.bind()") })
  await visit(page, "/")
  await page.evaluate(
    `document.body.insertAdjacentHTML("beforeend", "<form method=post action=/save><button id=save>save</button></form>")`,
  )
  await page.locator("#save").click()
  const overlay = page.locator("fw-problem dialog")
  await page.waitForURL(/saved/)
  await overlay.waitFor()
  const text = await overlay.innerText()
  assert.match(text, "app/save/route.ts:4:")
  assert.match(text, "Is an await missing?")
  await look(page, "await")
  await save({ "app/save/route.ts": null })
  await overlay.waitFor({ state: "detached" })
})

const focused = `(document.activeElement.shadowRoot ?? document).activeElement`

step("the keyboard reaches the position, which opens the editor, and Escape returns to the page", async (page) => {
  await save({ "app/part/route.ts": part("(undefined as never as string).length") })
  await visit(page, "/")
  await page.locator("#htmx").focus()
  await page.keyboard.press("Enter")
  const overlay = page.locator("fw-problem dialog")
  await overlay.waitFor()
  assert.is(await page.evaluate(`"problem" in ${focused}.dataset`), true)
  assert.is(await page.evaluate(`${focused}.parentElement.role`), "alertdialog")
  await page.keyboard.press("Tab")
  assert.is(await page.evaluate(`"place" in ${focused}.dataset`), true)
  const opened = readFile(join(root, "opened"), "utf8")
  await page.keyboard.press("Enter")
  const [flag, at = "", name] = (await opened).split("\n")
  assert.equal([flag, name], ["--at", join(root, "app/part/route.ts")])
  assert.match(at, /^3:\d+$/)
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("Tab")
    // After the last element, the focus moves to the browser's own interface.
    assert.match(await page.evaluate<string>("document.activeElement.localName"), /^(?:fw-problem|body)$/)
  }
  await page.keyboard.press("Escape")
  await overlay.waitFor({ state: "detached" })
  assert.is(await page.evaluate("document.activeElement.id"), "htmx")
})

step("a click on the position in an error page opens the editor", async (page) => {
  await save({ "app/user/page.tpl": template("undefined") })
  await visit(page, "/user")
  const opened = readFile(join(root, "opened"), "utf8")
  // The warning of the type checker, which may come first, has a button with the same position below it.
  await page.locator("button", { hasText: "app/user/page.tpl" }).first().click()
  assert.match(await opened, /--at\n4:\d+\n.*\/app\/user\/page\.tpl\n/)
})

test.run()
