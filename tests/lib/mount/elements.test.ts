/**
 * Tests of the scripts of custom elements in pages, fragments, deferred blocks and error pages: only printed
 * elements get their scripts.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { setAssets } from "../../../lib/assets.ts"
import type { Context } from "../../../lib/context.ts"
import { App, notFound, secureHeaders } from "../../../lib/index.ts"
import type { Routes, TreePage } from "../../../lib/tree.ts"
import { load } from "../../fixtures/template/render.ts"

const { Layout, Page, Search, Late, Inside, NotFound, Failure } = await load(`
template Layout(title: string) {
  <html><head><title>{title}</title></head><body id="page">{children}</body></html>
}
template Page() {<cart-element data-id="7"></cart-element><chart-line-element></chart-line-element><cart-element/>}
template Search() {<p class="cart-element">{"<cart-element>"}</p><other-element></other-element>}
template Late() {<p>late</p>{defer {<b>{await 1}</b><cart-element></cart-element>} pending {<chart-line-element></chart-line-element>}}<i>after</i>}
template Inside() {<p>{defer {<b>{await 1}</b>}}</p><cart-element></cart-element>}
template NotFound() {<cart-element></cart-element>}
template Failure() {<cart-element></cart-element>}
`)

const page = (pattern: string): TreePage => ({
  pattern,
  file: `app${pattern}.tpl`,
  middleware: [],
  title: "Elements",
  layout: 0,
})
const layouts = [{ path: "/", file: "app/layout.tpl" }]
const routes: Routes = {
  tree: {
    appDir: "app",
    routes: [],
    middleware: [],
    layouts,
    pages: ["/page", "/search", "/late", "/inside", "/bug"].map(page),
    notFound: { file: "app/not-found.tpl" },
    error: { file: "app/error.tpl" },
  },
  modules: {
    "app/layout.tpl": { Layout },
    "app/page.tpl": { Page },
    "app/search.tpl": { Page: Search },
    "app/late.tpl": { Page: Late },
    "app/inside.tpl": { Page: Inside },
    "app/bug.tpl": { Page: () => Promise.reject(new Error("a bug")) },
    "app/not-found.tpl": { NotFound },
    "app/error.tpl": { Failure },
  } as unknown as Routes["modules"],
  assets: {
    isHashed: true,
    files: {},
    elements: {
      "cart-element": {
        url: "/assets/cart-1A.js",
        integrity: "sha384-cart",
        imports: [{ url: "/assets/shared-2B.js", integrity: "sha384-shared" }],
        styles: [{ url: "/assets/cart-3C.css", integrity: "sha384-style" }],
      },
      "chart-line-element": {
        url: "/assets/chart-4D.js",
        integrity: "sha384-chart",
        imports: [{ url: "/assets/shared-2B.js", integrity: "sha384-shared" }],
      },
    },
  },
}
test.after(() => setAssets({ isHashed: false, files: {} }))

const style = '<link rel="stylesheet" href="/assets/cart-3C.css" integrity="sha384-style">'
const shared = '<link rel="modulepreload" href="/assets/shared-2B.js" integrity="sha384-shared">'
const cart = '<script type="module" src="/assets/cart-1A.js" integrity="sha384-cart"></script>'
const chart = '<script type="module" src="/assets/chart-4D.js" integrity="sha384-chart"></script>'

async function ask(path: string, headers: Record<string, string> = {}, app = new App({ logger: false })) {
  app.get("/fragment", (c: Context) => c.html(200, "<tr><td><cart-element></cart-element></td></tr>\n"))
  app.get("/whole", (c: Context) =>
    c.html(200, "<title>a</title></head><CART-ELEMENT></CART-ELEMENT></body>\n</html>\n"),
  )
  app.get("/missing", () => notFound("no cart"))
  app.use((next) => (c) => {
    c.reported = true
    return next(c)
  })
  await app.mount(routes)
  const answer = await app.request(path, { headers })
  return { answer, text: await answer.text() }
}

const browser = { accept: "text/html" }
const boosted = { "hx-request": "true", "hx-boosted": "true" }
const swapped = { "hx-request": "true" }
const elements =
  '<cart-element data-id="7"></cart-element><chart-line-element></chart-line-element><cart-element></cart-element>'
const all = style + shared + cart + chart
const one = style + shared + cart
const whole = (head: string, body: string) =>
  `<html><head><title>Elements</title>${head}</head><body id="page">${body}</body></html>`

/** Scripts are at the end, because htmx uses only the body of a whole page. */
const answers: ReadonlyArray<readonly [path: string, expected: string, headers?: Record<string, string>]> = [
  ["/page", whole(style + shared, elements + style + cart + chart)],
  ["/page", whole(style + shared, elements + style + cart + chart), boosted],
  ["/page", elements + all, swapped],
  ["/search", whole("", '<p class="cart-element">&lt;cart-element&gt;</p><other-element></other-element>')],
  ["/fragment", `<tr><td><cart-element></cart-element></td></tr>\n${one}`],
  ["/whole", `<title>a</title>${style}${shared}</head><CART-ELEMENT></CART-ELEMENT>${style}${cart}</body>\n</html>\n`],
  [
    "/nothing",
    whole(style + shared, `<cart-element></cart-element>${style}${cart}`).replace("Elements", "Not found"),
    browser,
  ],
  [
    "/missing",
    whole(style + shared, `<cart-element></cart-element>${style}${cart}`).replace("Elements", "Not found"),
    browser,
  ],
  ["/bug", whole(style + shared, `<cart-element></cart-element>${style}${cart}`).replace("Elements", "Error"), browser],
  // The head is sent before the block, so the block contains its scripts.
  ["/late", whole("", `<p>late</p><b>1</b><cart-element></cart-element>${one}<i>after</i>`), { "save-data": "on" }],
  ["/late", `<p>late</p><b>1</b><cart-element></cart-element>${one}<i>after</i>`, swapped],
  [
    "/inside",
    whole(style + shared, `<p><b>1</b></p><cart-element></cart-element>${style}${cart}`),
    { "save-data": "on" },
  ],
]

for (const [path, expected, headers = {}] of answers)
  test(`${path} ${JSON.stringify(headers)} has the scripts of its elements`, async () => {
    assert.is((await ask(path, headers)).text, expected)
  })

test("a streamed page has the scripts of its first part in the head, and a block contains its own", async () => {
  const app = new App({ logger: false })
  await app.mount(routes)
  // `app.request()` gets pages without streaming, in the order of their source.
  const send = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).text()
  const late = await send("/late")
  assert.ok(
    late.includes(
      `<template data-fw-from="1"></template><chart-line-element></chart-line-element>${shared}${chart}<template data-fw-to="1">`,
    ),
  )
  assert.ok(late.includes(`<template data-fw-block="1"><b>1</b><cart-element></cart-element>${one}</template>`))
  const inside = await send("/inside")
  assert.ok(inside.includes(`<title>Elements</title>${style}${shared}</head>`))
  assert.is(inside.split(cart).length, 2)
})

test("with a policy with nonces, every tag has the nonce", async () => {
  const app = new App({ logger: false })
  app.use(secureHeaders({ contentSecurityPolicy: "default-src 'none'; script-src 'nonce'; style-src 'nonce'" }))
  const { answer, text } = await ask("/page", {}, app)
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1]
  const tags = text.match(/<(?:script|link)[^>]*>/g) ?? []
  assert.is(tags.length, 5)
  for (const tag of tags) assert.ok(tag.endsWith(` nonce="${nonce}">`), tag)
})

test("in a project without elements, a page is sent unchanged", async () => {
  const app = new App({ logger: false })
  setAssets({ isHashed: true, files: {} })
  app.get("/", (c) => c.html(200, "<cart-element></cart-element>"))
  assert.is(await (await app.request("/")).text(), "<cart-element></cart-element>")
})

test.run()
