/**
 * Tests of the files of a manifest, and of caching in static directories: bundled files, names with hashes,
 * `maxAge` and `immutable`.
 */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { AssetManifest } from "../../../lib/assets.ts"
import { App, type FwError, type Routes, type StaticOptions } from "../../../lib/index.ts"

const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "fw-assets-")))
const bundle = join(dir, "bundle")
const files = join(dir, "static")
fs.mkdirSync(join(files, "sub"), { recursive: true })
fs.mkdirSync(bundle)
fs.writeFileSync(join(bundle, "cart-5KQ2ZV7N.js"), "cart")
fs.writeFileSync(join(bundle, "cart-5KQ2ZV7N.js.br"), "br")
fs.writeFileSync(join(files, "logo.svg"), "<svg/>")
fs.writeFileSync(join(files, "logo.svg.gz"), "gz")
fs.writeFileSync(join(files, "my logo.svg"), "<svg>my</svg>")
fs.writeFileSync(join(files, "sub", "index.html"), "<p>sub")
fs.writeFileSync(join(files, "cart-5KQ2ZV7N.js"), "the project's own")
test.after(() => {
  fs.rmSync(dir, { recursive: true })
})

const never = "public, max-age=31536000, immutable"
const manifest: AssetManifest = {
  dir: bundle,
  isHashed: true,
  files: {
    "/assets/cart.ts": { url: "/assets/cart-5KQ2ZV7N.js" },
    "/static/logo.svg": { url: "/static/logo-1F0C9A2B.svg" },
    "/static/my logo.svg": { url: "/static/my%20logo-1F0C9A2B.svg" },
  },
}

async function createApp(assets: AssetManifest, options?: StaticOptions): Promise<App> {
  const app = new App({ logger: false })
  app.static("/static", files, options)
  const tree = { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] }
  await app.mount({ tree, modules: {}, assets } satisfies Routes)
  return app
}

type Row = readonly [path: string, expected: string, headers?: Readonly<Record<string, string>>]

/** Paths, and the status, `Cache-Control` and body of their answers. */
const answers: readonly Row[] = [
  ["/assets/cart-5KQ2ZV7N.js", `200 ${never} cart`],
  ["/assets/cart-5KQ2ZV7N.js", `200 ${never} br`, { "accept-encoding": "br" }],
  ["/assets/cart-5KQ2ZV7N.js", `206 ${never} ar`, { range: "bytes=1-2" }],
  ["/static/logo-1F0C9A2B.svg", `200 ${never} <svg/>`],
  ["/static/logo-1F0C9A2B.svg", `200 ${never} gz`, { "accept-encoding": "gzip" }],
  ["/static/logo-1F0C9A2B.svg", `206 ${never} <s`, { range: "bytes=0-1" }],
  ["/static/logo-1F0C9A2B.svg?v=1", `200 ${never} <svg/>`],
  ["/static/my%20logo-1F0C9A2B.svg", `200 ${never} <svg>my</svg>`],
  ["/static/logo.svg", "200 no-cache <svg/>"],
  ["/static/sub/", "200 no-cache <p>sub"],
  ["/static/sub", "308 no-cache "],
  ["/static/logo-1F0C9A2C.svg", "404"],
  ["/static/logo-1F0C9A2B.svg/", "404"],
  ["/static/none-1F0C9A2B.svg", "404"],
  ["/assets/cart-AAAAAAAA.js", "404"],
  ["/assets/", "404"],
]

for (const [path, expected, headers] of answers) {
  test(`${path} ${headers ? JSON.stringify(headers) : ""} is answered with ${expected}`, async () => {
    const app = await createApp(manifest)
    const answer = await app.request(path, { headers: headers ?? {} })
    const body = await answer.text()
    const caching = answer.headers.get("cache-control")
    assert.is(answer.status === 404 ? "404" : `${answer.status} ${caching} ${body}`, expected)
  })
}

test("a name with a hash supports conditional requests and HEAD like other files, and no other method", async () => {
  const app = await createApp(manifest)
  for (const path of ["/static/logo-1F0C9A2B.svg", "/assets/cart-5KQ2ZV7N.js"]) {
    const head = await app.request(path, { method: "HEAD" })
    assert.is(head.headers.get("cache-control"), never)
    assert.is(await head.text(), "")
    const again = await app.request(path, { headers: { "if-none-match": head.headers.get("etag") as string } })
    assert.is(again.status, 304)
    assert.is(again.headers.get("cache-control"), never)
    const post = await app.request(path, { method: "POST" })
    assert.is(post.status, 405)
    assert.is(post.headers.get("allow"), "GET, HEAD, OPTIONS")
    const failed = await app.request(path, { headers: { "if-match": '"x"' } })
    assert.is(failed.status, 412)
    assert.not(failed.headers.get("cache-control")?.includes("immutable"))
  }
})

test("under fw dev, files have no hashes, are validated for each request, and may be created later", async () => {
  const later = join(dir, "later")
  const app = await createApp({ dir: later, isHashed: false, files: { "/assets/a.ts": { url: "/assets/a.js" } } })
  assert.is((await app.request("/assets/a.js")).status, 404)
  fs.mkdirSync(later)
  fs.writeFileSync(join(later, "a.js"), "a")
  const answer = await app.request("/assets/a.js")
  assert.is(await answer.text(), "a")
  assert.is(answer.headers.get("cache-control"), "no-cache")
})

test("bundled files come before a directory of the project, which may have the same prefix", async () => {
  const app = new App({ logger: false })
  app.static("/assets", files)
  const tree = { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] }
  await app.mount({ tree, modules: {}, assets: manifest })
  assert.is(await (await app.request("/assets/cart-5KQ2ZV7N.js")).text(), "cart")
  assert.is(await (await app.request("/assets/logo.svg")).text(), "<svg/>")
})

test("a build without its bundled files is an error at start", async () => {
  const error = await createApp({ ...manifest, dir: join(dir, "none") }).catch((error: FwError) => error)
  assert.is((error as FwError).code, "static")
  assert.match((error as FwError).message, /there is no directory ".*none" to serve under \/assets/)
})

const caching: ReadonlyArray<readonly [options: StaticOptions, expected: string]> = [
  [{}, "no-cache"],
  [{ maxAge: 3600 }, "public, max-age=3600"],
  [{ maxAge: 0 }, "public, max-age=0"],
  [{ maxAge: 60, immutable: true }, "public, max-age=60, immutable"],
  [{ maxAge: 60, immutable: false }, "public, max-age=60"],
  [{ immutable: true }, never],
]

for (const [options, expected] of caching) {
  test(`static files with ${JSON.stringify(options)} are cached: ${expected}`, async () => {
    const app = await createApp({ isHashed: true, files: {} }, options)
    assert.is((await app.request("/static/logo.svg")).headers.get("cache-control"), expected)
    assert.is((await app.request("/static/sub")).headers.get("cache-control"), "no-cache")
  })
}

for (const options of [{ maxAge: -1 }, { maxAge: 1.5 }, { maxAge: "60" }, { maxAge: Number.NaN }, { immutable: 1 }])
  test(`the options ${JSON.stringify(options)} are an error at start`, () => {
    const app = new App({ logger: false })
    try {
      app.static("/static", files, options as StaticOptions)
      assert.unreachable()
    } catch (error) {
      assert.is((error as FwError).code, "static")
      assert.match((error as FwError).message, /maxAge|immutable/)
    }
  })

test.run()
