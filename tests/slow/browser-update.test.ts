// Tests of what a save changes in an open page that is in use, with a real `fw dev` and a real browser. Everything
// that the user and the page's scripts did stays, unless the page must be reloaded.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { root as checkout } from "../support/tsc.ts"

const layout = `import { site } from "#lib/site.ts"

template Layout(title: string) {
  <!doctype html>
  <html lang="en">
    <head><title>{title}</title><link rel="stylesheet" href="/static/site.css"></head>
    <body>
      <header id="top" class="bar">{site}</header>
      {children}
      <script src="/static/htmx.js"></script><script src="/static/page.js"></script>
    </body>
  </html>
}
`
const home = `import type { Context } from "fw"
import { Box } from "./box.tpl.ts"
import { words as items } from "#lib/words.ts"

export const title = "Home"

template Page(c: Context) {
  <h1>Home</h1>
  <p id="own">no script</p>
  <form id="form">
    <input id="name" name="name" value="given">
    <input id="agree" type="checkbox">
    <input id="other" value="not typed">
    <textarea id="note"></textarea>
    <select id="pick"><option>one</option><option>two</option></select>
  </form>
  <details id="more"><summary>More</summary><p>inside</p></details>
  <dialog id="box"><p>dialog</p></dialog>
  <div id="scroll"><p class="long">long</p></div>
  <canvas id="canvas" width="10" height="10"></canvas>
  <iframe id="frame" src="/part"></iframe>
  <ul id="list">{for (const item of items) { <li>{item}<input class="item"></li> }}</ul>
  {Box("one")}
  <div id="filled"></div>
  <button id="load" hx-get="/part" hx-target="#result">Load</button>
  <div id="result"></div>
  <template id="stencil"><b>stencil</b></template>
  <p class="long" id="selected">select three parts</p>
}
`
const box = `template Box(text: string) {
  <aside id="box-of">{text}</aside>
}
`
const words = `export const words = ["a", "b", "c"]\n`
const middleware = `import type { MiddlewareFunc } from "fw"

export const Middleware = (): MiddlewareFunc => (next) => (c) => {
  c.setHeader("content-security-policy", "default-src 'self'; style-src 'self' 'unsafe-inline'")
  return next(c)
}
`
const part = (text: string) => `import type { Context } from "fw"

export function Get(c: Context): Response {
  return c.html(200, "<b>${text}</b>")
}
`
let count = 0
const dirty = new Set<string>()
const site = (text = `Site ${count}`) => `export const site = "${text}"\n`
const files: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module", "imports": { "#lib/*": "./lib/*" } }\n',
  "app/layout.tpl": layout,
  "app/page.tpl": home,
  "app/box.tpl": box,
  "app/part/route.ts": part("part"),
  "app/middleware.ts": middleware,
  "app/slow/page.tpl": `import { words as items } from "#lib/words.ts"

export const title = "Slow"

template Page() {
  <h1>Slow</h1>
  {defer { <ul id="list">{for (const item of await Promise.resolve(items)) { <li>{item}</li> }}</ul> } pending { <p>wait</p> }}
  <input id="name">
}
`,
  "lib/site.ts": site(),
  "lib/words.ts": words,
  "static/site.css": ".long { height: 3000px } #scroll { height: 100px; overflow: auto }\n",
  "static/other.css": ".long { height: 3000px } #scroll { height: 100px; overflow: auto } h1 { color: rgb(1, 2, 3) }\n",
  "static/htmx.js": readFileSync(join(checkout, "scaffold/full-stack/static/vendor/htmx-4.0.1.min.js"), "utf8"),
  "static/page.js": `{ const own = document.getElementById("own")
if (own) own.textContent = "own script"
document.body.classList.add("ready")
document.body.dataset.theme = "dark"
const added = document.createElement("div")
added.id = "added"
document.body.prepend(added)
const filled = document.getElementById("filled")
if (filled) filled.innerHTML = "<p>filled by a script</p>" }
`,
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

test.after(async () => {
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

/**
 * Runs a test with an open page that is in use, and undoes its changes of the project. uvu does not report errors
 * in hooks, so this is not a hook.
 */
function step(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    await restore()
    guarded = await browser.page({ expected: /net::ERR_|status of (?:500|404)|favicon\.ico/ })
    page = guarded.page
    await visit("/")
    await run()
    await guarded.close()
  })
}

/** Saves files, which the next call of {@link restore} undoes. */
function save(saved: Readonly<Record<string, string | null>>): void {
  for (const name of Object.keys(saved)) dirty.add(name)
  put(saved)
}

/**
 * Replaces each file in one step: if a file were overwritten, a page could show the moment at which it is empty.
 */
function put(changes: Readonly<Record<string, string | null>>): void {
  for (const [name, text] of Object.entries(changes)) {
    const path = join(root, name)
    if (text === null || !existsSync(path)) write(root, { [name]: text })
    else {
      // The temporary file is outside of the watched directories.
      const made = join(root, "node_modules/saved")
      writeFileSync(made, text)
      renameSync(made, path)
    }
  }
}

/** Undoes all changes, and waits until the restored program answers, which has a new text. */
async function restore(): Promise<void> {
  count += 1
  const back = [...dirty].map((name) => [name, files[name] ?? null])
  dirty.clear()
  put({ ...Object.fromEntries(back), "lib/site.ts": site() })
  while (!(await ask(port, "/")).body.includes(`Site ${count}<`));
}

/** Opens a page, and waits until it listens for changes. */
async function visit(path: string): Promise<void> {
  const listens = page.waitForResponse((response) => response.url().endsWith("/__fw/events"))
  await page.goto(`http://localhost:${port}${path}`)
  await listens
}

/** Evaluates code in a page, and repeats this if the page is reloaded meanwhile. */
async function evenIfLoadedAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!/Execution context was destroyed/.test(String(error))) throw error
    }
  }
}

/** Waits in the page for a condition. The page's policy forbids the code of Playwright's own function. */
async function until(condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (${condition} ? resolve() : requestAnimationFrame(look))
    look()
  })`)
}

/** Uses the page as a user and its scripts do. */
async function use(): Promise<void> {
  await page.click("#load")
  await page.locator("#result b", { hasText: "part" }).waitFor()
  await page.check("#agree")
  await page.fill("#note", "a note")
  await page.selectOption("#pick", "two")
  await page.fill("#name", "half a sent")
  await page.fill("#list li:nth-child(2) .item", "for b")
  await page.focus("#name")
  await page.evaluate(`(() => {
    const get = (id) => document.getElementById(id)
    get("name").setSelectionRange(2, 5)
    get("more").open = true
    get("box").show()
    get("name").focus()
    get("canvas").getContext("2d").fillRect(0, 0, 5, 5)
    get("frame").contentWindow.kept = true
    for (const one of document.querySelectorAll("#form, #name, #canvas, #frame, #scroll, #load, #top")) one.kept = true
    get("scroll").scrollTop = 300
    scrollTo(0, 400)
    document.kept = true
  })()`)
}

/** Returns the current state of everything that the user and the scripts of the page have done. */
const state = () =>
  page.evaluate<Record<string, unknown>>(`(() => {
    const get = (id) => document.getElementById(id)
    const { selectionStart, selectionEnd, value } = get("name")
    return {
      loaded: document.kept, nodes: document.querySelectorAll("*").length && [...document.querySelectorAll("#form, #name, #canvas, #frame, #scroll, #load, #top")].filter((one) => one.kept).length,
      typed: value, caret: [selectionStart, selectionEnd], focus: document.activeElement.id, checked: get("agree").checked,
      note: get("note").value, picked: get("pick").value, item: [...document.querySelectorAll("#list li")].find((li) => li.textContent === "b")?.lastChild.value,
      open: [get("more").open, get("box").open], scroll: [scrollY, get("scroll").scrollTop],
      drawn: get("canvas").getContext("2d").getImageData(1, 1, 1, 1).data[3], frame: get("frame").contentWindow.kept,
      scripts: [get("own").textContent, document.body.className, document.body.dataset.theme, !!get("added"), get("filled").textContent],
      htmx: get("result").textContent, client: document.querySelectorAll('script[src="/__fw/client.js"]').length,
    }
  })()`)

const changed = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from), from)
  return text.replace(from, to)
}
const has = (selector: string, text: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent === ${JSON.stringify(text)})`

const kept: readonly (readonly [edit: string, saved: Readonly<Record<string, string>>, shown: string])[] = [
  [
    "a text of a template",
    { "app/page.tpl": changed(home, "<p>inside</p>", "<p>inside it</p>") },
    has("#more p", "inside it"),
  ],
  [
    "an element that is added before others",
    { "app/page.tpl": changed(home, "<form id", '<p id="new">new</p><form id') },
    has("#new", "new"),
  ],
  [
    "an element that is removed",
    { "app/page.tpl": changed(home, "<h1>Home</h1>", "") },
    "!document.querySelector('h1')",
  ],
  [
    "an attribute",
    { "app/page.tpl": changed(home, "<h1>", '<h1 title="t">') },
    "document.querySelector('h1').title === 't'",
  ],
  [
    "another given value, which a field that nobody changed shows",
    { "app/page.tpl": changed(changed(home, "given", "offered"), "not typed", "shown") },
    "document.getElementById('other').value === 'shown'",
  ],
  [
    "a class of the layout",
    {
      "app/layout.tpl": changed(changed(layout, 'class="bar"', 'class="wide"'), "<body>", '<body class="page">'),
    },
    "document.getElementById('top').className === 'wide'",
  ],
  [
    "no class any more, so that :not([class]) fits",
    { "app/layout.tpl": changed(layout, ' class="bar"', "") },
    "document.querySelector('#top:not([class])')",
  ],
  ["the title", { "app/page.tpl": changed(home, 'title = "Home"', 'title = "Start"') }, "document.title === 'Start'"],
  ["a component", { "app/box.tpl": changed(box, "{text}", "<b>{text}</b>") }, has("#box-of b", "one")],
  ["data of a module", { "lib/site.ts": site("Other") }, has("#top", "Other")],
  [
    "an item at the start of a list",
    { "lib/words.ts": `export const words = ["z", "a", "b", "c"]\n` },
    has("#list li", "z"),
  ],
  [
    "items in another order",
    { "lib/words.ts": `export const words = ["c", "b", "a"]\n` },
    has("#list li:first-child", "c"),
  ],
  [
    "fewer items",
    { "lib/words.ts": `export const words = ["b"]\n` },
    "document.querySelectorAll('#list li').length === 1",
  ],
  [
    "the content of a template element",
    {
      "app/page.tpl": changed(home, "<b>stencil", "<i>stencil").replace("</b></template>", "</i></template>"),
    },
    "document.getElementById('stencil').content.querySelector('i')",
  ],
  [
    "a stylesheet",
    { "static/site.css": `${files["static/site.css"]}h1 { color: rgb(1, 2, 3) }\n` },
    "getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)'",
  ],
  [
    "the address of a stylesheet",
    { "app/layout.tpl": changed(layout, "site.css", "other.css") },
    "getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)' && document.querySelectorAll('link').length === 1",
  ],
]
step("what the user and scripts did stays after each of many changes of one page", async () => {
  await use()
  for (const [edit, saved, shown] of kept) {
    const before = await state()
    save(saved)
    await until(shown)
    const after = await state()
    // Browsers keep visible content in its place if something above it changes its height.
    if (!/^(?:an element|a component)/.test(edit)) assert.equal(after.scroll, before.scroll, edit)
    if (edit.startsWith("a class")) (before.scripts as string[])[1] = "ready page"
    assert.equal({ ...after, scroll: 0 }, { ...before, scroll: 0 }, edit)
    await restore()
    await until(has("#top", `Site ${count}`))
  }
})

step("a selection of text stays if the text around it changes", async () => {
  await page.evaluate(`(() => {
    const text = document.getElementById("selected").firstChild
    getSelection().setBaseAndExtent(text, 7, text, 12)
  })()`)
  save({ "app/page.tpl": changed(home, "select three parts", "please select three parts") })
  await until(has("#selected", "please select three parts"))
  assert.is(await page.evaluate("String(getSelection())"), "three")
})

step("htmx takes a changed attribute and a new element, and a deferred block changes in its place", async () => {
  await use()
  const more = '<button id="more-of" hx-get="/other" hx-target="#result">More</button>'
  save({
    "app/other/route.ts": part("other"),
    "app/page.tpl": changed(home, 'hx-get="/part"', 'hx-get="/other"').replace(
      '<div id="result">',
      `${more}<div id="result">`,
    ),
  })
  for (const id of ["load", "more-of"]) {
    await until(`document.querySelector("#${id}[hx-get='/other']")`)
    await page.evaluate(`document.getElementById("result").textContent = ""`)
    await page.click(`#${id}`)
    await page.locator("#result b", { hasText: "other" }).waitFor()
  }
  assert.is(await page.evaluate("document.kept"), true)
  await visit("/slow")
  await page.fill("#name", "typed")
  save({ "lib/words.ts": `export const words = ["a", "x"]\n` })
  await until(has("#list li", "x"))
  assert.is(await page.inputValue("#name"), "typed")
  assert.is(await page.evaluate("document.querySelectorAll('template').length"), 0)
})

const jsonPage = `import type { Context } from "fw"

export function Get(c: Context): Response {
  return c.json(200, "now data")
}
`
const loaded: readonly (readonly [
  edit: string,
  saved: Readonly<Record<string, string | null>>,
  shown: string,
  before?: string,
])[] = [
  [
    "a new script",
    { "app/page.tpl": changed(home, "<h1>", '<script src="/static/page.js?2"></script><h1>') },
    "document.querySelector('script[src$=\"2\"]')",
  ],
  [
    "data that a script reads",
    { "app/page.tpl": changed(home, "<h1>", '<script type="application/json">1</script><h1>') },
    "document.querySelector('script[type]')",
  ],
  [
    "a script of the static directory",
    { "static/page.js": `${files["static/page.js"]}document.body.id = "fresh"\n` },
    "document.body.id === 'fresh'",
  ],
  [
    "another resource of the head",
    { "app/layout.tpl": changed(layout, "<link", '<link rel="icon" href="/static/i.png"><link') },
    "document.querySelector('link[rel=icon]')",
  ],
  [
    "the Content-Security-Policy",
    { "app/middleware.ts": changed(middleware, "default-src 'self'", "default-src 'self'; img-src data:") },
    "!document.kept",
  ],
  [
    "a part that a script replaced",
    { "app/page.tpl": changed(home, '<p class="long">long</p>', '<p class="long">longer</p>') },
    has("#scroll p", "longer"),
    `document.getElementById("scroll").replaceChildren("from a script")`,
  ],
  [
    "a page that is at another address now",
    { "app/page.tpl": changed(home, "<h1>Home", "<h1>Start") },
    has("h1", "Start"),
    `history.pushState(null, "", "/?2")`,
  ],
  [
    "a page that redirects",
    {
      "app/middleware.ts": changed(
        middleware,
        "return next(c)",
        `return c.path === "/" ? c.redirect("/slow", 303) : next(c)`,
      ),
    },
    has("h1", "Slow"),
  ],
  [
    "a page with another status",
    {
      "app/middleware.ts": changed(
        middleware,
        "return next(c)",
        `return c.path === "/" ? c.html(404, "<!doctype html><h1>Gone</h1>") : next(c)`,
      ),
    },
    has("h1", "Gone"),
  ],
  [
    "a page that is JSON",
    { "app/page.tpl": null, "app/route.ts": jsonPage },
    "document.body.textContent.includes('now data')",
  ],
]
for (const [edit, saved, shown, script] of loaded) {
  step(`the page is reloaded after a change of ${edit}`, async () => {
    await use()
    if (script) await page.evaluate(script)
    const again = page.waitForEvent("domcontentloaded")
    save(saved)
    await again
    await evenIfLoadedAgain(() => until(shown))
    assert.is(await evenIfLoadedAgain(() => page.evaluate("document.kept")), undefined)
  })
}

step("a bug is shown over the page, which stays as it is, also after the fix", async () => {
  await use()
  const before = await state()
  save({ "lib/words.ts": `export const words: string[] = undefined as never\n` })
  const overlay = page.locator("fw-problem dialog")
  // The position comes after the message.
  await overlay.filter({ hasText: /words is not iterable[\s\S]*app\/page\.tpl:\d+/ }).waitFor()
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "update-bug.png") })
  save({ "lib/words.ts": words.replace('"c"', '"c", "d"') })
  await until(has("#list li", "d"))
  await overlay.waitFor({ state: "detached" })
  assert.equal(await state(), before)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "update-fixed.png") })
})

step(
  "many saves in a row end with the last one, in every tab, and a hidden tab changes when it becomes visible",
  async () => {
    await use()
    const other = await guarded.open()
    const first = page
    page = other
    await visit("/")
    await page.evaluate(`document.kept = true`)
    page = first
    const hide = (hidden: boolean) =>
      other.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true })
      && document.dispatchEvent(new Event("visibilitychange"))`)
    await hide(true)
    for (let i = 1; i <= 10; i++) save({ "lib/site.ts": site(`Save ${i}`) })
    await until(has("#top", "Save 10"))
    assert.is((await state()).typed, "half a sent")
    page = other
    assert.is(await page.evaluate(has("#top", `Site ${count}`)), true)
    await hide(false)
    await until(has("#top", "Save 10"))
    assert.is(await page.evaluate("document.kept"), true)
  },
)

step("stylesheets that are saved many times at once are each loaded once", async () => {
  await page.evaluate("document.kept = true")
  for (let i = 1; i <= 12; i++)
    save({ "static/site.css": `h1 { color: rgb(${i}, 0, 0) }\n`, [`static/part-${i}.css`]: "" })
  await until(
    `getComputedStyle(document.querySelector("h1")).color === "rgb(12, 0, 0)" && document.querySelectorAll("link").length === 1`,
  )
  assert.is(await page.evaluate("document.kept"), true)
})

step("the scripts of a page can listen for an update", async () => {
  await page.evaluate(
    `document.addEventListener("fw:update", () => { document.heard = document.querySelector("h1").textContent })`,
  )
  save({ "app/page.tpl": changed(home, "<h1>Home", "<h1>Start") })
  await until(`document.heard === "Start"`)
})

test.run()
