/**
 * Tests of static files with an app and a real server: headers, middleware, errors, and clients that disconnect.
 */
import * as fs from "node:fs"
import { get, type IncomingMessage, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/index.ts"

const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "fw-http-")))
fs.mkdirSync(join(dir, "sub"))
fs.writeFileSync(join(dir, "a.txt"), "0123456789")
fs.writeFileSync(join(dir, "sub", "index.html"), "<p>index")
fs.writeFileSync(join(dir, "big.bin"), Buffer.alloc(20_000_000, 1))

const app = new App({ logger: false, staticDir: dir })
app.use((next) => async (c) => {
  if (c.path.endsWith("/replaced/big.bin")) {
    await next(c)
    return c.json(200, { replaced: true })
  }
  if (c.path.endsWith("/a.txt")) c.setHeader("Cache-Control", "public, max-age=60")
  return next(c)
})
app.static("/replaced", dir)
let origin = ""

test.before(async () => {
  await app.listen("127.0.0.1:0")
  origin = `http://${app.addr}`
})
test.after(async () => {
  await app.shutdown()
  fs.rmSync(dir, { recursive: true })
})

/** Waits until no file of the directory is open. If this never happens, the test runner's limit ends the test. */
async function allClosed(): Promise<void> {
  const open = () =>
    fs.readdirSync("/proc/self/fd").some((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(dir)
      } catch {
        return false
      }
    })
  while (open()) await new Promise(setImmediate)
}

function respond(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${origin}${path}`, { agent: false }, resolve).on("error", reject)
  })
}

test("a file is sent with its length and type, and middleware can replace its headers", async () => {
  const response = await fetch(`${origin}/static/a.txt`)
  assert.is(await response.text(), "0123456789")
  assert.is(response.headers.get("content-length"), "10")
  assert.is(response.headers.get("content-type"), "text/plain; charset=utf-8")
  assert.is(response.headers.get("cache-control"), "public, max-age=60")
})

test("HEAD sends the length of the file and no body", async () => {
  const response = await fetch(`${origin}/static/big.bin`, { method: "HEAD" })
  assert.equal([response.headers.get("content-length"), await response.text()], ["20000000", ""])
})

test("a directory redirects to its index, and is a 404 without one", async () => {
  const response = await fetch(`${origin}/static/sub?x=1`, { redirect: "manual" })
  assert.equal([response.status, response.headers.get("location")], [308, "sub/?x=1"])
  assert.is(await (await fetch(`${origin}/static/sub`)).text(), "<p>index")
  assert.is((await fetch(`${origin}/static/`)).status, 404)
})

test("a 304 has no body, and a 206 has the requested part", async () => {
  const etag = (await fetch(`${origin}/static/a.txt`)).headers.get("etag") as string
  const same = await fetch(`${origin}/static/a.txt`, { headers: { "if-none-match": etag } })
  assert.equal([same.status, same.headers.get("content-length")], [304, null])
  const part = await fetch(`${origin}/static/big.bin`, { headers: { range: "bytes=-1000000" } })
  assert.equal([part.status, (await part.arrayBuffer()).byteLength], [206, 1_000_000])
  await allClosed()
})

test("a range that cannot be satisfied is an error of the app, with status 416", async () => {
  const response = await fetch(`${origin}/static/a.txt`, { headers: { range: "bytes=99-" } })
  assert.equal([response.status, response.headers.get("content-range")], [416, "bytes */10"])
  assert.is(((await response.json()) as { error: string }).error, "range_not_satisfiable")
})

test("a file is closed when its client disconnects", async () => {
  for (let i = 0; i < 20; i++) {
    const response = await respond("/static/big.bin")
    response.once("data", () => response.destroy())
    await new Promise((resolve) => response.once("close", resolve))
  }
  await allClosed()
})

test("a file is closed when a middleware replaces its answer", async () => {
  assert.equal(await (await fetch(`${origin}/replaced/big.bin`)).json(), { replaced: true })
  await allClosed()
})

test("a file that becomes shorter while it is sent breaks the connection off", async () => {
  fs.copyFileSync(join(dir, "big.bin"), join(dir, "cut.bin"))
  const response = await respond("/static/cut.bin")
  fs.truncateSync(join(dir, "cut.bin"), 10)
  const error = await new Promise<Error | null>((resolve) => {
    response
      .on("error", resolve)
      .on("end", () => resolve(null))
      .resume()
  })
  assert.is((error as NodeJS.ErrnoException | null)?.code, "ECONNRESET")
  await allClosed()
})

test("POST to a file is answered with 405", async () => {
  const status = await new Promise((resolve) => {
    request(`${origin}/static/a.txt`, { method: "POST" }, (response) => resolve(response.resume().statusCode)).end()
  })
  assert.is(status, 405)
})

test.run()
