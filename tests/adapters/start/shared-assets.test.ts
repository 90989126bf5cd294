/**
 * Tests of the directory in `FW_ASSETS_DIR`: which files programs write to it, answer from it and remove from it.
 */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { shareAssets } from "../../../adapters/start/shared-assets.ts"
import { App, type FwError } from "../../../lib/index.ts"

const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "fw-shared-")))
test.after(() => fs.rmSync(base, { recursive: true }))
let count = 0

/** Starts a program whose files have this hash in their names and contents. */
async function start(hash: string, shared: string, files: "files" | "none" = "files"): Promise<App> {
  const dir = join(base, `program-${++count}`)
  const write = (path: string, text: string) => {
    fs.mkdirSync(dirname(join(dir, path)), { recursive: true })
    fs.writeFileSync(join(dir, path), text)
  }
  write(`bundle/cart-${hash}.js`, `cart ${hash}`)
  write(`bundle/cart-${hash}.js.br`, `br ${hash}`)
  write(`bundle/chunks/part-${hash}.js`, `part ${hash}`)
  write("static/logo.svg", `logo ${hash}`)
  write("static/logo.svg.gz", `gz ${hash}`)
  write("static/my logo.svg", "")
  write("static/plain.txt", "plain")
  const app = new App({ logger: false })
  if (files === "files") {
    app.static("/static", join(dir, "static"))
    const tree = { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] }
    const hashed = {
      "/assets/cart.ts": { url: `/assets/cart-${hash}.js` },
      "/static/logo.svg": { url: `/static/logo-${hash}.svg` },
      "/static/my%20logo.svg": { url: `/static/my%20logo-${hash}.svg` },
    }
    await app.mount({ tree, modules: {}, assets: { dir: join(dir, "bundle"), isHashed: true, files: hashed } })
  }
  await shareAssets(app, shared)
  return app
}

const bodies = (hash: string): ReadonlyArray<readonly [path: string, body: string, coding?: string]> => [
  [`/assets/cart-${hash}.js`, `cart ${hash}`],
  [`/assets/cart-${hash}.js`, `br ${hash}`, "br"],
  [`/assets/chunks/part-${hash}.js`, `part ${hash}`],
  [`/static/logo-${hash}.svg`, `logo ${hash}`],
  [`/static/logo-${hash}.svg`, `gz ${hash}`, "gzip"],
  [`/static/my%20logo-${hash}.svg`, ""],
]

test("each of two builds answers with the files of both, and so does a program without files", async () => {
  const shared = join(base, "shared/by/all")
  const apps = [
    await start("OLD00001", shared),
    await start("NEW00002", shared),
    await start("NONE0003", shared, "none"),
  ]
  for (const app of apps) {
    for (const [path, body, coding = "identity"] of [...bodies("OLD00001"), ...bodies("NEW00002")]) {
      const answer = await app.request(path, { headers: { "accept-encoding": coding } })
      assert.is(answer.status, 200, path)
      assert.is(await answer.text(), body)
      assert.is(answer.headers.get("cache-control"), "public, max-age=31536000, immutable")
    }
    assert.is((await app.request("/assets/cart-NONE0003.js")).status, 404)
  }
  const head = await (apps[0] as App).request("/assets/cart-NEW00002.js", { method: "HEAD" })
  assert.is(head.headers.get("content-length"), "13")
  assert.is(head.headers.get("content-type"), "text/javascript; charset=utf-8")
})

test("only files with hashes are written and answered", async () => {
  const shared = join(base, "hashes")
  const app = await start("AAAAAAAA", shared)
  assert.equal(fs.readdirSync(join(shared, "static")).sort(), [
    "logo-AAAAAAAA.svg",
    "logo-AAAAAAAA.svg.gz",
    "my logo-AAAAAAAA.svg",
  ])
  fs.writeFileSync(join(shared, "secret.txt"), "secret")
  fs.writeFileSync(join(shared, ".env-AAAAAAAA.txt"), "secret")
  fs.symlinkSync("/etc/passwd", join(shared, "link-AAAAAAAA.txt"))
  for (const path of ["/secret.txt", "/.env-AAAAAAAA.txt", "/link-AAAAAAAA.txt", "/static/%2e%2e/secret-AAAAAAAA.txt"])
    assert.is((await app.request(path)).status, 404, path)
})

test("a start updates the times of its files without writing them again, and removes files of builds that were not started for a long time", async () => {
  const shared = join(base, "ages")
  await start("KEPT0000", shared)
  const at = (path: string) => join(shared, path)
  fs.writeFileSync(at("assets/cart-KEPT0000.js"), "as it was")
  fs.writeFileSync(at("assets/old-YESTERDA.js"), "young")
  fs.writeFileSync(at("assets/old-LAST.js"), "too short for a hash")
  fs.writeFileSync(at("assets/old-LASTYEA1.js"), "old")
  fs.writeFileSync(at("assets/.old-LASTYEA1.js.8d0d9a5e.part"), "half of it")
  fs.writeFileSync(at("assets/notes.txt"), "somebody's own")
  const old = Date.now() / 1000 - 31 * 86_400
  for (const path of fs.readdirSync(at("assets"), { recursive: true }) as string[])
    if (!path.includes("YESTERDA")) fs.utimesSync(at(`assets/${path}`), old, old)
  await start("KEPT0000", shared)
  assert.is(fs.readFileSync(at("assets/cart-KEPT0000.js"), "utf8"), "as it was")
  assert.ok(fs.statSync(at("assets/cart-KEPT0000.js")).mtimeMs > old * 1000)
  assert.equal((fs.readdirSync(at("assets"), { recursive: true }) as string[]).sort(), [
    "cart-KEPT0000.js",
    "cart-KEPT0000.js.br",
    "chunks",
    "chunks/part-KEPT0000.js",
    "notes.txt",
    "old-LAST.js",
    "old-YESTERDA.js",
  ])
})

test("a directory that cannot be written is an error at start", async () => {
  const file = join(base, "a-file")
  fs.writeFileSync(file, "")
  for (const shared of [file, join(file, "below")]) {
    const error = await start("FAILED00", shared, "none").catch((error: FwError) => error)
    assert.is((error as FwError).code, "assets_dir")
    assert.match(
      (error as FwError).message,
      /^FW_ASSETS_DIR names ".*a-file.*", where the program cannot write its files: /,
    )
  }
})

test.run()
