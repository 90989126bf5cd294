/**
 * Tests of the URLs that templates and `html` literals print for a project's files in literal markup, under `fw
 * dev` and in a build.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type AssetManifest, setAssets } from "../../../lib/assets.ts"
import { html } from "../../../lib/html.ts"
import { compile } from "../../../template/index.ts"
import { load, render, renderBody } from "../../fixtures/template/render.ts"

const built: AssetManifest = {
  isHashed: true,
  files: {
    "/assets/cart.ts": {
      url: "/assets/cart-5KQ2ZV7N.js",
      integrity: "sha384-cart",
      imports: [{ url: "/assets/money-0A1B2C3D.js", integrity: "sha384-money" }],
      styles: [{ url: "/assets/cart-7G7G7G7G.css", integrity: "sha384-style" }],
    },
    "/assets/site.css": { url: "/assets/site-ABCDEFGH.css", integrity: "sha384-site" },
    "/assets/old.js": { url: "/assets/old-OLDOLDOL.js", integrity: "sha384-old", imports: [{ url: "/assets/x.js" }] },
    "/static/logo.svg": { url: "/static/logo-1F0C9A2B.svg" },
    "/static/a&b.png": { url: "/static/a&b-12345678.png" },
    "/static/a,b.png": { url: "/static/a,b-12345678.png" },
  },
}
const developed: AssetManifest = {
  isHashed: false,
  files: { "/assets/cart.ts": { url: "/assets/cart.js" }, "/assets/site.css": { url: "/assets/site.css" } },
}

test.before(() => setAssets(built))
test.after(() => setAssets({ isHashed: false, files: {} }))

const links =
  '<link rel="stylesheet" href="/assets/cart-7G7G7G7G.css" integrity="sha384-style">' +
  '<link rel="modulepreload" href="/assets/money-0A1B2C3D.js" integrity="sha384-money">'
const style = links.slice(0, links.indexOf("><") + 1)

/** The printed markup, and the source of the template. */
const printed: readonly (readonly [markup: string, source: string])[] = [
  [
    `${links}<script type="module" src="/assets/cart-5KQ2ZV7N.js" integrity="sha384-cart"></script>`,
    '<script type="module" src="/assets/cart.ts"></script>',
  ],
  [
    `${links}<script src="/assets/cart-5KQ2ZV7N.js" async type="module" integrity="sha384-cart"></script>`,
    '<script src="/assets/cart.ts" async type="module"></script>',
  ],
  ['<script src="/assets/old-OLDOLDOL.js" integrity="sha384-old"></script>', '<script src="/assets/old.js"></script>'],
  [
    '<script src="/assets/old-OLDOLDOL.js" integrity="sha384-mine"></script>',
    '<script src="/assets/old.js" integrity="sha384-mine"></script>',
  ],
  // The policy of a page with nonces may refuse links without a nonce.
  [
    `${style}<script nonce="a" type="module" src="/assets/cart-5KQ2ZV7N.js" integrity="sha384-cart"></script>`,
    '<script nonce="a" type="module" src="/assets/cart.ts"></script>',
  ],
  [
    '<link rel="stylesheet" href="/assets/site-ABCDEFGH.css" integrity="sha384-site">',
    '<link rel="stylesheet" href="/assets/site.css">',
  ],
  ["<link rel='icon' href='/static/logo-1F0C9A2B.svg'>", "<link rel='icon' href='/static/logo.svg'>"],
  ['<img src="/static/logo-1F0C9A2B.svg" alt="">', '<img src="/static/logo.svg" alt="">'],
  ['<IMG SRC="/static/logo-1F0C9A2B.svg" alt="">', '<IMG SRC="/static/logo.svg" alt="">'],
  ['<img src="/static/a&amp;b-12345678.png">', '<img src="/static/a&amp;b.png">'],
  [
    '<img src="/static/logo-1F0C9A2B.svg" srcset="/static/logo-1F0C9A2B.svg 1x, /static/none.svg 2x">',
    '<img src="/static/logo.svg" srcset="/static/logo.svg 1x, /static/none.svg 2x">',
  ],
  [
    '<svg><use href="/static/logo-1F0C9A2B.svg#cart"></use><image xlink:href="/static/logo-1F0C9A2B.svg"></image></svg>',
    '<svg><use href="/static/logo.svg#cart"></use><image xlink:href="/static/logo.svg"></image></svg>',
  ],
  [
    '<video poster="/static/logo-1F0C9A2B.svg"><source srcset="/static/logo-1F0C9A2B.svg"><track src="/static/logo-1F0C9A2B.svg"></video>',
    '<video poster="/static/logo.svg"><source srcset="/static/logo.svg"><track src="/static/logo.svg"></video>',
  ],
]

/** Markup that is printed as it is written. */
const unchanged: readonly string[] = [
  '<script type="module" src="/assets/none.ts"></script>',
  '<img src="/static/logo.svg?v=2" alt="">',
  '<img src="//static/logo.svg" alt="">',
  '<img src="https://cdn.example/static/logo.svg" alt="">',
  '<img src="static/logo.svg" alt="">',
  '<img data-src="/static/logo.svg" alt="">',
  "<img alt='src=\"/static/logo.svg\"'>",
  '<a href="/static/logo.svg">logo</a>',
  "<p>&lt;img src=&quot;/static/logo.svg&quot;&gt;</p>",
  '<img src="/constructor.name" alt="">',
]

for (const [expected, source] of [...printed, ...unchanged.map((one) => [one, one] as const)]) {
  test(`a template and a literal print ${source}`, async () => {
    assert.is(await renderBody(source), expected)
    assert.is(html(Object.assign([source], { raw: [source] })).value, expected)
  })
}

test("a path is replaced wherever values are in its tag", async () => {
  assert.is(
    await renderBody('<img class={v} src="/static/logo.svg" alt={v} {...{ width: 1 }}>', "a"),
    '<img src="/static/logo-1F0C9A2B.svg" class="a" alt="a" width="1">',
  )
  assert.is(
    await renderBody('<script nonce={v} type="module" src="/assets/cart.ts"></script>', "a"),
    `${style}<script type="module" src="/assets/cart-5KQ2ZV7N.js" integrity="sha384-cart" nonce="a"></script>`,
  )
  const name = "a"
  assert.is(
    html`<img src="/static/logo.svg" class="${name}"><b>${name}</b>`.value,
    '<img src="/static/logo-1F0C9A2B.svg" class="a"><b>a</b>',
  )
})

test("markup in expressions, loops, components and deferred blocks contains the URLs too", async () => {
  const logo = '<img src="/static/logo-1F0C9A2B.svg">'
  const Box = "template Show(a: any) {{a}}\ntemplate Box() {{children}}\ntemplate Page(v: any) {"
  const image = '<img src="/static/logo.svg">'
  assert.is(await render(`${Box}{Show({${image}})}{Show({<i>{v}${image}</i>})}}`, 1), `${logo}<i>1${logo}</i>`)
  assert.is(await render(`${Box}{for (const _ of v) {${image}}}}`, [1, 2]), logo + logo)
  assert.is(await render(`${Box}{Box() {${image}}}}`), logo)
  assert.is(await render(`${Box}<pre>{v}${image}</pre>}`, "\n"), `<pre>\n\n${logo}</pre>`)
})

test("a compiled template prints other URLs after the files have changed", async () => {
  const { Page } = await load('template Page() {<script type="module" src="/assets/cart.ts"></script>}')
  const plain = '<script type="module" src="/assets/cart.js"></script>'
  setAssets(developed)
  assert.is(String(await Page?.()), plain)
  setAssets(built)
  assert.is(String(await Page?.()).includes("/assets/cart-5KQ2ZV7N.js"), true)
})

test("a value is printed unchanged, and only HTML templates insert the URLs", async () => {
  assert.is(await renderBody("<img src={v}>", "/static/logo.svg"), '<img src="/static/logo.svg">')
  const xml = compile('template Feed() {<image href="/static/logo.svg"/>}', "feed.xml.tpl")
  assert.not(xml.code.includes("$fwAssets"))
  const pageWithout = compile('template Page() {<p class="a">a</p><img src="/avatar">}', "page.tpl")
  assert.not(pageWithout.code.includes("$fwAssets"))
})

test.run()
