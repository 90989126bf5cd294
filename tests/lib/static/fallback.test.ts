/**
 * Tests of a directory's fallback file that is wrong or missing, and of the program's ETags on compressed files.
 */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type FwError } from "../../../lib/index.ts"

const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "fw-fallback-")))
fs.writeFileSync(join(dir, "a.txt"), "plain")
fs.writeFileSync(join(dir, "a.txt.br"), "br")
fs.writeFileSync(join(dir, "only.txt.br"), "br")
fs.writeFileSync(join(dir, "my page.html"), "<p>page")
test.after(() => fs.rmSync(dir, { recursive: true }))

const html = { accept: "text/html" }

for (const fallback of ["", "../index.html", "/index.html", "a//b", ".env", "a\\b", "a\0", 7, null, true])
  test(`the fallback ${JSON.stringify(fallback)} is an error at start`, () => {
    const app = new App({ logger: false })
    try {
      app.static("/", dir, { fallback: fallback as string })
      assert.unreachable()
    } catch (error) {
      assert.is((error as FwError).code, "static")
      assert.match((error as FwError).message, /fallback/)
    }
  })

test("a fallback that does not exist is a bug, which is reported", async () => {
  const app = new App({ logger: false })
  let seen: unknown
  app.use((next) => async (c) => {
    const response = await next(c)
    seen = c.error
    c.reported = true
    return response
  })
  app.static("/", dir, { fallback: "index.html" })
  assert.is((await app.request("/tasks", { headers: html })).status, 500)
  assert.match((seen as FwError).message, /no file "index.html"/)
  assert.is((await app.request("/tasks")).status, 404)
})

test("a fallback may have any name, and the one of the longest prefix applies", async () => {
  const app = new App({ logger: false })
  app.static("/", dir, { fallback: "my page.html" })
  app.static("/plain", dir)
  app.static("/other", dir, { fallback: "a.txt" })
  const ask = async (path: string) => (await app.request(path, { headers: html })).text()
  assert.is(await ask("/tasks"), "<p>page")
  assert.is(await ask("/plain/tasks"), "<p>page")
  assert.is(await ask("/other/tasks"), "plain")
})

test("an ETag of the program differs for each encoding of a file", async () => {
  const app = new App({ logger: false })
  app.use((next) => (c) => {
    c.setHeader("ETag", '"v1"')
    return next(c)
  })
  app.static("/", dir)
  const ask = (headers: Record<string, string>) => app.request("/a.txt", { headers })
  const br = { "accept-encoding": "br" }
  assert.is((await ask({})).headers.get("etag"), '"v1"')
  assert.is((await ask(br)).headers.get("etag"), '"v1-br"')
  assert.is((await ask({ ...br, "if-none-match": '"v1-br"' })).status, 304)
  assert.is((await ask({ ...br, "if-none-match": '"v1"' })).status, 200)
  assert.is((await ask({ ...br, "if-match": '"v1-br"' })).status, 200)
  assert.is((await ask({ ...br, range: "bytes=0-0", "if-range": '"v1"' })).status, 200)
})

test("a file that exists only in compressed form is not found", async () => {
  const app = new App({ logger: false })
  app.static("/", dir)
  assert.is((await app.request("/only.txt", { headers: { "accept-encoding": "br" } })).status, 404)
})

test("c.file() compares conditions with the ETag that its handler sets", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => {
    c.setHeader("ETag", '"v1"')
    return c.file(dir, "a.txt")
  })
  const ask = async (headers: Record<string, string>) => (await app.request("/", { headers })).status
  assert.is(await ask({ "if-none-match": '"v1"' }), 304)
  assert.is(await ask({ "if-match": '"v1"' }), 200)
  assert.is(await ask({ "if-match": '"v2"' }), 412)
  assert.is(await ask({ range: "bytes=0-0", "if-range": '"v1"' }), 206)
})

test.run()
