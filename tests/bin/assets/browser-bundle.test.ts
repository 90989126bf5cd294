/** Tests of the files for the browser: entries, names, the manifest, and modules that a browser cannot load. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { BrowserBundler, type BrowserResult } from "../../../bin/assets/browser-bundler.ts"
import { findBrowserEntries } from "../../../bin/assets/entries.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const test = suite("files for the browser")
const manifest = {
  "package.json": `{ "type": "module", "imports": { "#lib/*": "./lib/*", "#links": "./.fw/links.ts" } }\n`,
  ".fw/links.ts": `import { buildLink } from "fw/links"\nexport const link = () => buildLink("/", [], undefined)\n`,
}
const fakePackages = {
  "node_modules/reader/package.json": `{ "name": "reader", "type": "module", "main": "index.js" }\n`,
  "node_modules/reader/index.js": `export { inner } from "./inner.js"\n`,
  "node_modules/reader/inner.js": `import { readFileSync } from "node:fs"\nexport const inner = readFileSync\n`,
  "node_modules/both/package.json": `{ "name": "both", "type": "module", "main": "node.js", "browser": { "fs": false } }\n`,
  "node_modules/both/node.js": `import fs from "fs"\nexport const both = () => fs\n`,
}

async function bundle(files: Readonly<Record<string, string>>, isProduction = true): Promise<BrowserResult> {
  const project = { root: makeProject({ ...manifest, ...files }), appDir: "app" }
  const compileStyles = async (file: string) => `/* ${file} */ .compiled { color: red }`
  const bundler = new BrowserBundler({ project, isProduction, compileStyles })
  try {
    return await bundler.build(await findBrowserEntries(project), { PUBLIC_KEY: "abc" })
  } finally {
    await bundler.close()
  }
}

/** Bundles files without mistakes, and fails if the bundler reports a problem. */
async function bundleWell(files: Readonly<Record<string, string>>, isProduction = true) {
  const result = await bundle(files, isProduction)
  if ("problems" in result) throw new Error(JSON.stringify(result.problems))
  const readText = (start: string) => {
    const name = [...result.files.keys()].find((name) => name.startsWith(start) && !name.endsWith(".map"))
    return Buffer.from(result.files.get(name as string) as Uint8Array).toString()
  }
  return { ...result, readText }
}

const entries = {
  "assets/cart.ts": `import { shared } from "#lib/shared.ts"
import "./cart.css"
import logo from "./img/logo.png"
console.log(shared, logo, process.env.PUBLIC_KEY, import.meta.env.PUBLIC_KEY, process.env.NODE_ENV)
export const later = () => import("./_later.ts")
`,
  "assets/cart.css": `.cart { background: url("/static/a.png") }\n.logo { background: url(./img/logo.png) }\n`,
  "assets/admin/users.tsx": `import { shared } from "../../lib/shared.ts"\nconsole.log("users", shared)\n`,
  "assets/site.css": `@import "tailwindcss";\n`,
  "assets/img/logo.png": "PNG",
  "assets/img/with space.svg": "<svg/>",
  "assets/_later.ts": `console.log("later")\n`,
  "assets/_parts/part.ts": "",
  "assets/types.d.ts": "",
  "assets/cart.test.ts": "",
  "assets/tsconfig.json": "{}\n",
  "assets/README.md": "",
  "app/chart-line.element.ts": "export class ChartLineElement extends HTMLElement {}\n",
  "lib/shared.ts": `export const shared: string = "shared".repeat(2)\n`,
}

test("a build adds a hash to the name of every file, and its manifest lists the files that pages load", async () => {
  const { files, manifest: made, readText } = await bundleWell(entries)
  const names = Object.keys(made.files)
  assert.equal(names, [
    "/assets/admin/users.tsx",
    "/assets/cart.css",
    "/assets/cart.ts",
    "/assets/img/logo.png",
    "/assets/img/with%20space.svg",
    "/assets/site.css",
  ])
  assert.equal(Object.keys(made.elements ?? {}), ["chart-line-element"])
  const all = [...Object.values(made.files), ...Object.values(made.elements ?? {})]
  for (const { url } of all) {
    assert.match(url, /^\/assets\/.+-[A-Z0-9]{8}\.(?:js|css|png|svg)$/)
    assert.ok(files.has(decodeURIComponent(url.slice("/assets/".length))), url)
  }
  const cart = made.files["/assets/cart.ts"]
  assert.match(cart?.integrity ?? "", /^sha384-[\w+/]{64}$/)
  assert.is(
    cart?.imports?.length,
    2,
    "cart.ts does not import exactly two files: the code that both scripts share, and the image",
  )
  assert.is(cart?.styles?.length, 1)
  assert.is(made.files["/assets/img/logo.png"]?.integrity, undefined)
  assert.equal([made.dir, made.isHashed], ["assets", true])
  assert.not.ok([...files.keys()].some((name) => name.endsWith(".map") || name.startsWith("fw-media")))
  const css = readText("cart.css-")
  assert.ok(css.includes("/static/a.png"), "the address /static/a.png has changed")
  assert.ok(css.includes(made.files["/assets/img/logo.png"]?.url as string), "the address of the image has no hash")
  assert.match(readText("site-"), /^\.compiled\{color:red\}/)
  assert.match(readText("elements/chart-line-element-"), /customElements\.define\("chart-line-element"/)
  assert.ok(readText("cart.ts-").includes(`"abc","abc","production"`))
})

test("fw dev adds no hashes to the names of files, and writes source maps", async () => {
  const { files, manifest: made } = await bundleWell(entries, false)
  assert.equal(made.files["/assets/cart.ts"], { url: "/assets/cart.ts.js", styles: [{ url: "/assets/cart.ts.css" }] })
  assert.equal(
    made.files["/assets/cart.css"],
    { url: "/assets/cart.css.css" },
    "the name of cart.css can be that of the styles of cart.ts",
  )
  assert.equal(made.files["/assets/admin/users.tsx"], { url: "/assets/admin/users.js" })
  assert.equal(made.files["/assets/img/logo.png"], { url: "/assets/img/logo.png" })
  assert.equal(made.elements, { "chart-line-element": { url: "/assets/elements/chart-line-element.js" } })
  assert.equal([made.dir, made.isHashed], [".fw/browser", false])
  assert.ok(files.has("admin/users.js.map"))
})

test("two builds of the same files give the same bytes", async () => {
  const [one, two] = [await bundleWell(entries), await bundleWell(entries)]
  assert.equal(one.manifest, two.manifest)
  assert.equal([...one.files], [...two.files])
})

test("imports of #links, of packages for the browser, and of types of the server are accepted", async () => {
  await bundleWell({
    ...fakePackages,
    "assets/a.ts": `import { link } from "#links"\nimport { both } from "both"\nimport type { Context } from "fw"\nexport const f = (c: Context) => [link(), both(), c]\n`,
  })
})

test("a directory that the program serves as static files has no entries for the browser", async () => {
  for (const main of [`app.static("/assets", "./assets/")`, `export default new App({ staticDir: "assets" })`]) {
    const root = makeProject({ "assets/a.js": "", "main.ts": `import { App } from "fw"\n${main}\n` })
    assert.equal((await findBrowserEntries({ root, appDir: "app" })).entries, [])
  }
})

test("package.json can name another directory for the files for the browser", async () => {
  const root = makeProject({ "package.json": `{ "fw": { "assets": "frontend" } }`, "frontend/a.ts": "" })
  const { entries: found } = await findBrowserEntries({ root, appDir: "app" })
  assert.equal(found, [{ file: "frontend/a.ts", kind: "script", name: "/assets/a.ts", output: "a" }])
})

/** Files with a mistake, the reported problem as `file:line message`, and its fix. */
const mistakes: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string, fix: RegExp]>> = {
  "a module of Node that another module imports": [
    { "assets/a.ts": `import "../lib/b.ts"\n`, "lib/b.ts": `import "./c.ts"\n`, "lib/c.ts": `import "node:fs"\n` },
    "lib/c.ts:1 node:fs is a module of Node, which browsers do not have: assets/a.ts → lib/b.ts → lib/c.ts → node:fs",
    /without it/,
  ],
  "a module of Node without the prefix node:": [
    { "assets/a.ts": `import { join } from "path"\nconsole.log(join)\n` },
    "assets/a.ts:1 path is a module of Node, which browsers do not have: assets/a.ts → path",
    /route/,
  ],
  "a module of Node in a package": [
    { ...fakePackages, "assets/a.ts": `import { inner } from "reader"\nconsole.log(inner)\n` },
    "node_modules/reader/inner.js:1 node:fs is a module of Node, which browsers do not have: assets/a.ts → reader → node:fs",
    /route/,
  ],
  "an import of fw": [
    { "assets/a.ts": `import { App } from "fw"\nconsole.log(App)\n` },
    "assets/a.ts:1 fw does not run in the browser: assets/a.ts → fw",
    /#links/,
  ],
  "an import of #assets": [
    { "assets/a.ts": `import { asset } from "#assets"\nconsole.log(asset)\n` },
    "assets/a.ts:1 #assets does not run in the browser: assets/a.ts → #assets",
    /#links/,
  ],
  "an import of a route": [
    { "assets/a.ts": `import { x } from "../app/route.ts"\nconsole.log(x)\n`, "app/route.ts": "export const x = 1\n" },
    "assets/a.ts:1 app/route.ts is code of the server: assets/a.ts → app/route.ts",
    /route/,
  ],
  "an import of a template": [
    { "assets/a.ts": `import "../app/row.tpl.ts"\n`, "app/row.tpl.ts": "export const x = 1\n" },
    "assets/a.ts:1 app/row.tpl.ts is code of the server: assets/a.ts → app/row.tpl.ts",
    /route/,
  ],
  "a variable that is not public": [
    { "assets/a.ts": `// process.env.IN_A_COMMENT\nconsole.log(process.env.DATABASE_URL)\n` },
    "assets/a.ts:2 DATABASE_URL is not available in the browser: everybody can read what a script contains",
    /PUBLIC_/,
  ],
  "a variable whose name is computed": [
    { "assets/a.ts": `const name = "A"\nconsole.log(import.meta.env[name])\n` },
    "assets/a.ts:2 import.meta.env is not available in the browser: everybody can read what a script contains",
    /PUBLIC_/,
  ],
  "a public variable without a value": [
    { "assets/a.ts": "console.log(process.env.PUBLIC_MISSING)\n" },
    "assets/a.ts:1 PUBLIC_MISSING has no value, so it cannot become part of the script",
    /\.env/,
  ],
  "broken code": [{ "assets/a.ts": "const = 1\n" }, `assets/a.ts:1 Expected identifier but found "="`, /^$/],
  "broken styles": [{ "assets/a.css": `@import "./b.css";\n` }, `assets/a.css:1 Could not resolve "./b.css"`, /path/],
  "a package that is not installed": [
    { "assets/a.ts": `import "chart.js"\n` },
    `assets/a.ts:1 Could not resolve "chart.js"`,
    /npm install chart\.js/,
  ],
  "an element without its class": [
    { "app/cart.element.ts": "export class BasketElement extends HTMLElement {}\n" },
    "app/cart.element.ts: the file does not export CartElement. It exports BasketElement",
    /export class CartElement extends HTMLElement/,
  ],
  "an element that extends nothing": [
    { "app/cart.element.ts": "export class CartElement {}\n" },
    "app/cart.element.ts: CartElement is not an element: its class extends nothing",
    /extends HTMLElement/,
  ],
  "an element whose file name begins with a capital letter": [
    { "app/Cart.element.ts": "" },
    "app/Cart.element.ts: Cart.element.ts cannot be the name of an element",
    /small letters/,
  ],
  "two elements with one tag": [
    {
      "app/a/cart.element.ts": "export class CartElement extends HTMLElement {}\n",
      "app/b/cart.element.ts": "export class CartElement extends HTMLElement {}\n",
    },
    "app/b/cart.element.ts: app/a/cart.element.ts and app/b/cart.element.ts both define <cart-element>",
    /Rename/,
  ],
}

for (const [name, [files, expected, fix]] of Object.entries(mistakes))
  test(`the build refuses ${name}`, async () => {
    const result = await bundle(files)
    const [first] = "problems" in result ? result.problems : []
    const place = [first?.file, first?.line].filter((part) => part !== undefined).join(":")
    assert.is(`${place}${first?.line ? "" : ":"} ${first?.message}`, expected)
    assert.match(first?.fix ?? "", fix)
  })

test.run()
