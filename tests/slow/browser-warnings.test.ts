/**
 * Tests of warnings of `fw dev` on a page that works, in a real browser: the button, the list, the editor and the
 * fix.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import axe from "axe-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"

const test = suite("fw dev: warnings in a browser")

const htmx = readFileSync(new URL("../../scaffold/full-stack/static/vendor/htmx-4.0.1.min.js", import.meta.url), "utf8")

const page = (field: string) =>
  `const user = { name: "Ada", theNameThatIsSoLongThatItsLineScrolls: "Lovelace" }\n\ntemplate Page() {\n  <h1>Hello</h1><p>{user.theNameThatIsSoLongThatItsLineScrolls}, {user.name}, {user.${field}}</p>\n  <button hx-get="/part" hx-target="body">all</button>\n}\n`
const wrong = page("nmae")

const files = {
  "main.ts":
    'import { App, secureHeaders } from "fw"\n\nconst app = new App()\napp.use(secureHeaders())\nexport default app\n',
  "app/layout.tpl": `template Layout(title: string) {
  <!doctype html>
  <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
  <link rel="icon" href="/static/icon.svg"><script src="/static/htmx.js" defer></script></head>
  <body id="page"><main>{children}</main></body></html>
}
`,
  "app/page.tpl": wrong,
  "app/not-found.tpl": "template NotFound() {\n  <h1>Nothing here</h1>\n}\n",
  "app/part/route.ts":
    'import type { Context } from "fw"\n\nexport const Get = (c: Context) => c.html(200, "<main><h1>part</h1></main>")\n',
  // This middleware is around no route, which is a finding in the sources.
  "app/admin/middleware.ts":
    'import type { MiddlewareFunc } from "fw"\n\nexport const Middleware = (): MiddlewareFunc => (next) => (c) => next(c)\n',
  // The route counts its requests, so that the test notices a form that is sent again.
  "app/sent/route.ts": `import type { Context } from "fw"

const form = (c: Context, status: number) => c.html(status, \`<!doctype html><html lang="en"><head><title>Form</title></head><body>
<main><h1>\${c.method}</h1><form method="post"><button id="send">Send</button></form></main></body></html>\`)
export const Get = (c: Context) => form(c, 200)
export const Post = (c: Context) => {
  console.log("form received")
  return form(c, 422)
}
`,
  "static/htmx.js": htmx,
  "static/icon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "editor.sh": '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/opened"\n',
}

let root: string
let dev: Dev
let origin: string
let browser: TestBrowser
let guarded: GuardedPage

test.before(async () => {
  root = makeProject(files, ["fw", "esbuild", "typescript"])
  chmodSync(join(root, "editor.sh"), 0o755)
  // Reading from a pipe waits for its writer.
  execFileSync("mkfifo", [join(root, "opened")])
  dev = startDev(root, undefined, { FW_EDITOR: `${join(root, "editor.sh")} {line}:{column} {file}` })
  const [started, port] = await Promise.all([startBrowser(), dev.port()])
  browser = started
  origin = `http://localhost:${port}`
  guarded = await browser.page()
})

test.after(async () => {
  await guarded.close()
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

const focused = `(document.activeElement.shadowRoot ?? document).activeElement`
const audit =
  "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))"
/** Code that checks that the whole list can be read: it is within the screen, and each caret is within its code. */
const fits = `(() => {
  const parts = document.querySelector("fw-warnings").shadowRoot
  const inside = ({ left, right }, box) => left >= box.left && right <= box.right + 1
  const screen = { left: 0, right: innerWidth }
  return document.documentElement.scrollWidth <= innerWidth &&
    [...parts.querySelectorAll("section, [data-warnings], h1, h2, code, pre, p:not([role]), [data-toggle], [data-hide]")].every((part) => inside(part.getBoundingClientRect(), screen)) &&
    [...parts.querySelectorAll("pre b")].every((caret) => inside(caret.getBoundingClientRect(), caret.parentElement.getBoundingClientRect()))
})()`

test("a page that works has a small button, which opens the list of warnings", async () => {
  const tab = guarded.page
  await tab.goto(origin)
  const toggle = tab.locator("[data-toggle]", { hasText: "2 warnings" })
  await toggle.waitFor()
  const list = tab.locator("[data-warnings]")
  assert.is(await list.isVisible(), false)
  assert.is(await tab.locator("h1", { hasText: "Hello" }).count(), 1)
  await toggle.focus()
  await tab.keyboard.press("Enter")
  await list.waitFor()
  const text = await list.innerText()
  assert.match(text, "Property 'nmae' does not exist")
  assert.match(text, "app/page.tpl:4:")
  assert.match(text, "app/admin/middleware.ts")
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await tab.setViewportSize({ width, height })
    await tab.reload()
    await list.waitFor()
    await tab.evaluate(axe.source)
    for (const colorScheme of ["light", "dark"] as const) {
      const what = `warnings-${width}-${colorScheme}`
      await tab.emulateMedia({ colorScheme })
      if (process.env.SCREENSHOTS) await tab.screenshot({ path: join(process.env.SCREENSHOTS, `${what}.png`) })
      assert.is(await tab.evaluate(fits), true, what)
      assert.equal(await tab.evaluate(audit), [], what)
    }
  }
})

test("a position opens the editor, Escape closes the list, and htmx can replace the page below", async () => {
  const tab = guarded.page
  const opened = readFile(join(root, "opened"), "utf8")
  await tab.locator("[data-warnings] [data-place]", { hasText: "page.tpl" }).click()
  const [at = "", file] = (await opened).split("\n")
  assert.match(at, /^4:\d+$/)
  assert.is(file, join(root, "app/page.tpl"))
  await tab.keyboard.press("Escape")
  assert.is(await tab.evaluate(`${focused}.textContent`), "2 warnings")
  assert.is(await tab.locator("[data-warnings]").isVisible(), false)
  await tab.locator("button", { hasText: "all" }).click()
  await tab.locator("h1", { hasText: "part" }).waitFor()
  await tab.locator("[data-toggle]", { hasText: "2 warnings" }).waitFor()
})

test("an open list stays open after a save, and fixed warnings disappear", async () => {
  const tab = guarded.page
  await tab.locator("[data-toggle]").click()
  const loaded = tab.waitForEvent("load")
  write(root, { "app/page.tpl": page("name") })
  await loaded
  await tab.locator("[data-toggle]", { hasText: /^1 warning$/ }).waitFor()
  assert.is(await tab.locator("[data-warnings]").isVisible(), true)
})

test("hidden warnings stay hidden until they change, and nothing is left when all are fixed", async () => {
  const tab = guarded.page
  await tab.locator("[data-hide]").click()
  await tab.locator("fw-warnings").waitFor({ state: "detached" })
  const warned = tab.waitForResponse((response) => response.url().endsWith("/__fw/events"))
  await tab.reload()
  await warned
  assert.is(await tab.locator("fw-warnings").count(), 0)
  write(root, { "app/page.tpl": wrong })
  await tab.locator("[data-toggle]", { hasText: /^2 warnings$/ }).waitFor()
  write(root, { "app/page.tpl": page("name"), "app/admin/middleware.ts": null })
  await tab.locator("fw-warnings").waitFor({ state: "detached" })
})

test("a page that no route answers names the nearest route", async () => {
  write(root, { "app/page.tpl": page("name") })
  await dev.says(/rebuilt/)
  const lost = await browser.page({ expected: /status of 404/ })
  await lost.page.setViewportSize({ width: 390, height: 844 })
  await lost.page.goto(`${origin}/prt`)
  const list = lost.page.locator("[data-warnings]")
  await list.waitFor()
  assert.match(await list.innerText(), "no route answers GET /prt. The nearest is /part")
  assert.is(await lost.page.evaluate(fits), true)
  if (process.env.SCREENSHOTS) await lost.page.screenshot({ path: join(process.env.SCREENSHOTS, "unanswered.png") })
  await lost.close()
})

test("the page that a form's POST returned shows a note after changes, and never sends the form again by itself", async () => {
  const posts: string[] = []
  const form = await browser.page({ expected: /status of (?:422|404)/ })
  const tab = form.page
  tab.on("request", (request) => request.method() === "POST" && posts.push(request.url()))
  await tab.goto(`${origin}/sent`)
  await tab.locator("#send").click()
  await tab.locator("h1", { hasText: "POST" }).waitFor()
  write(root, { "app/page.tpl": "template Page() {\n  <h1>x\n}\n" })
  await tab.locator("fw-problem dialog", { hasText: "<h1> is never closed" }).waitFor()
  write(root, { "app/page.tpl": wrong })
  await tab.locator("fw-problem").waitFor({ state: "detached" })
  const again = tab.locator("[data-again]", { hasText: "The program changed. Load the page again" })
  await again.waitFor()
  await tab.locator("[data-toggle]", { hasText: /^1 warning$/ }).waitFor()
  await tab.setViewportSize({ width: 390, height: 844 })
  assert.is(await tab.evaluate(fits), true)
  await tab.evaluate(axe.source)
  assert.equal(await tab.evaluate(audit), [])
  assert.is(await tab.locator("h1", { hasText: "POST" }).count(), 1)
  await again.click()
  await tab.locator("h1", { hasText: "GET" }).waitFor()
  assert.is(posts.length, 1)
  await tab.evaluate(`document.querySelector("form").action = "/snt"`)
  await tab.locator("#send").click()
  const list = tab.locator("[data-warnings]")
  await list.waitFor()
  assert.match(await list.innerText(), "no route answers POST /snt. The nearest is /sent")
  await form.close()
})

test("a refused request of htmx opens the list on its page, and blocked content is counted", async () => {
  // The other page would be reloaded too, and must not report errors.
  await guarded.page.goto("about:blank")
  write(root, {
    "app/page.tpl": `template Page() {
  <h1>Hello</h1>
  <button hx-get={"/no" + "where/at/all"}>lost</button>
  <button hx-post="/fields" hx-swap="none">sent</button>
  <button onclick="go()">inline</button>
  <script>document.title = "changed"</script>
}
`,
    "app/fields/route.ts": `import type { Context } from "fw"

const schema = {
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: () => ({ issues: [{ message: "Required", path: ["email"] }] }),
  },
}
export const Post = async (c: Context) => c.json(200, await c.bindForm(schema))
`,
  })
  await dev.says(/rebuilt/)
  const blocked = await browser.page({ expected: /status of|Content Security Policy/ })
  const tab = blocked.page
  await tab.goto(origin)
  const list = tab.locator("[data-warnings]")
  const toggle = tab.locator("[data-toggle]")
  await tab.locator("[data-warnings] h2", { hasText: "blocked an inline <script>" }).waitFor({ state: "attached" })
  await tab
    .locator("[data-warnings] h2", { hasText: "blocked the code in an attribute" })
    .waitFor({ state: "attached" })
  assert.is(await list.isVisible(), false)
  await tab.locator("button", { hasText: "lost" }).click()
  await list.waitFor()
  assert.match(
    await list.innerText(),
    /no route answers GET \/nowhere\/at\/all.*\n[\s\S]*was answered 404, sent by htmx/,
  )
  for (const width of [390, 1280]) {
    await tab.setViewportSize({ width, height: 844 })
    await tab.goto(origin)
    await toggle.waitFor()
    assert.is(await list.isVisible(), false)
    await tab.locator("button", { hasText: "sent" }).click()
    await list.waitFor()
    const text = await list.innerText()
    assert.match(text, "email: Required. It was not sent.")
    assert.match(text, "app/fields/route.ts:10:")
    if (process.env.SCREENSHOTS) await tab.screenshot({ path: join(process.env.SCREENSHOTS, `refused-${width}.png`) })
    assert.is(await tab.evaluate(fits), true)
  }
  await tab.evaluate(axe.source)
  assert.equal(await tab.evaluate(audit), [])
  await blocked.close()
  write(root, { "app/page.tpl": wrong, "app/fields/route.ts": null })
  await dev.says(/rebuilt/)
})

test("without JavaScript, a page with warnings has no additions", async () => {
  write(root, { "app/page.tpl": wrong })
  await dev.says(/nmae/)
  const plain = await browser.page({ noScript: true })
  await plain.page.goto(origin)
  assert.match(await plain.page.locator("body").innerText(), /^Hello\s+Lovelace, Ada,\s+all$/)
  await plain.close()
})

test.run()
