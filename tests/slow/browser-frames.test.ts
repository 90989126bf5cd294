/**
 * Tests of open pages of `fw dev` in a browser: many frames of one site, and a page that requires trusted types.
 */
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"

const frames = [1, 2, 3, 4, 5, 6, 7]
const head = 'import type { Context } from "fw"\n\n'
const preview = (text: string) =>
  `${head}template Page(c: Context) {\n  <!doctype html>\n  <html lang="en"><head><title>x</title></head><body><p>${text} {c.param("id")}</p></body></html>\n}\n`
const files = {
  "app/page.tpl": `template Page() {
  <!doctype html>
  <html lang="en"><head><title>Top</title></head><body><h1>one</h1>
  {for (const i of [${frames}]) {<iframe src={\`/preview/\${i}\`}></iframe>}}
  </body></html>
}
`,
  "app/preview/[id]/page.tpl": preview("old"),
  "app/api/route.ts": `${head}export const Get = (c: Context) => c.string(200, "fetched")\n`,
  "app/trusted/page.tpl": preview("old"),
  "app/trusted/middleware.ts": `import type { MiddlewareFunc } from "fw"

export const Middleware = (): MiddlewareFunc => (next) => (c) => {
  c.setHeader("content-security-policy", "require-trusted-types-for 'script'; default-src 'self'" + (c.query("only") === "" ? "" : "; trusted-types 'none'"))
  return next(c)
}
`,
}

let root: string
let dev: Dev
let port: number
let browser: TestBrowser
let guarded: GuardedPage
let page: Page

test.before(async () => {
  root = makeProject({
    ...files,
    "app/trusted/page.tpl": preview("old").replace('{c.param("id")}', "{c.path}"),
  })
  dev = startDev(root)
  ;[browser, port] = await Promise.all([startBrowser(), dev.port()])
})
test.before.each(async () => {
  guarded = await browser.page({ expected: /favicon|TrustedHTML|Trusted Type|trusted-types/ })
  page = guarded.page
})
test.after.each(() => guarded.close())
test.after(async () => {
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

/** Waits until a frame shows a text. */
const shows = (id: number, text: string) =>
  page.frameLocator(`iframe[src="/preview/${id}"]`).getByText(`${text} ${id}`).waitFor()

for (const query of ["", "?only=1"]) {
  test(`a page that requires trusted types shows a saved change: /trusted${query}`, async () => {
    await page.goto(`http://localhost:${port}/trusted${query}`)
    for (const text of ["first", "second"]) {
      write(root, {
        "app/trusted/page.tpl": preview(text + query.length).replace('{c.param("id")}', "{c.path}"),
      })
      await page.getByText(`${text}${query.length} /trusted`).waitFor()
    }
  })
}

test("a page with seven frames of its site can fetch, and each frame shows saved changes", async () => {
  const streams: string[] = []
  page.on("request", (request) => {
    if (request.url().endsWith("/__fw/events")) streams.push(request.url())
  })
  await page.goto(`http://localhost:${port}/`)
  for (const id of frames) await shows(id, "old")
  assert.is(await page.evaluate(`fetch("/api").then((answer) => answer.text())`), "fetched")
  assert.is(streams.length, 1)
  write(root, { "app/preview/[id]/page.tpl": preview("new") })
  for (const id of frames) await shows(id, "new")
  // One of the frames may hold the event stream. If it is removed, another one opens the stream.
  for (const id of frames.slice(0, 3)) {
    await page.evaluate(`document.querySelector('iframe[src="/preview/${id}"]').remove()`)
    write(root, { "app/preview/[id]/page.tpl": preview(`save${id}`) })
    for (const left of frames.slice(id)) await shows(left, `save${id}`)
  }
  assert.is(await page.evaluate(`fetch("/api").then((answer) => answer.text())`), "fetched")
})

test.run()
