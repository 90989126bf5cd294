/**
 * Tests of signed URLs of the program for files in memory: each permits only reading or storing one file, for a
 * limited time.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serveFiles } from "../../../lib/files/local-addresses.ts"
import { memoryFiles } from "../../../lib/files/memory.ts"
import { App, bodyLimit } from "../../../lib/index.ts"
import { catchFailure } from "../../support/files/contract.ts"

const secrets = "0123456789abcdef0123456789abcdefXYZ"
const files = memoryFiles({ path: "/files", secrets })
const app = new App({ logger: false })
app.all("/files/*", bodyLimit(20_000)(serveFiles(files)))

test.before(async () => {
  await files.put("ä b/1.txt", "0123456789", { cacheControl: "private, max-age=60" })
  await files.put("page.html", "<p>")
})

test("a signed URL answers as c.file() does, also to HEAD", async () => {
  const url = await files.url("ä b/1.txt")
  assert.match(url, /^\/files\/%C3%A4%20b\/1\.txt\?expires=\d+&signature=[\w-]{43}$/)
  const answer = await app.request(url, { headers: { range: "bytes=2-4" } })
  assert.is(answer.status, 206)
  assert.is(await answer.text(), "234")
  assert.is(answer.headers.get("cache-control"), "private, max-age=60")
  assert.is((await app.request(url, { method: "HEAD" })).headers.get("content-length"), "10")
  assert.is((await app.request(await files.url("none"))).status, 404)
})

for (const [name, download, disposition] of [
  ["ä b/1.txt", undefined, null],
  ["ä b/1.txt", true, 'attachment; filename="1.txt"'],
  ["ä b/1.txt", "true", 'attachment; filename="true"'],
  ["ä b/1.txt", "Notes & more.txt", 'attachment; filename="Notes & more.txt"'],
  ["page.html", undefined, 'attachment; filename="page.html"'],
  ["page.html", false, null],
] as const)
  test(`${name} with the download ${download} has the disposition ${disposition}`, async () => {
    const answer = await app.request(await files.url(name, download === undefined ? {} : { download }))
    assert.is(answer.headers.get("content-disposition"), disposition)
  })

test("a signed URL is refused after any change", async () => {
  const url = new URL(await files.url("ä b/1.txt", { download: "x.txt" }), "http://host")
  const ask = async (target: URL, init = {}) => (await app.request(target.pathname + target.search, init)).status
  assert.is(await ask(url), 200)
  for (const name of url.searchParams.keys()) {
    for (const value of [undefined, "", "1", `${url.searchParams.get(name)}0`]) {
      const changed = new URL(url)
      if (value === undefined) changed.searchParams.delete(name)
      else changed.searchParams.set(name, value)
      assert.is(await ask(changed), 403, `${name}=${value}`)
    }
  }
  const more = new URL(url)
  more.searchParams.append("expires", "9999999999")
  const other = new URL(url)
  other.pathname = "/files/page.html"
  for (const changed of [more, other, new URL("/files/page.html", url)]) assert.is(await ask(changed), 403)
  assert.is(await ask(url, { method: "POST", body: new FormData() }), 403)
  assert.is(await ask(url, { method: "DELETE" }), 405)
})

test("a signed URL is refused after its time", async () => {
  const { now } = Date
  try {
    const start = now()
    const url = await files.url("page.html", { expires: 60 })
    Date.now = () => start + 59_000
    assert.is((await app.request(url)).status, 200)
    Date.now = () => start + 61_000
    const answer = await app.request(url)
    assert.is(answer.status, 403)
    assert.match(await answer.text(), "this address is not valid, or has expired")
  } finally {
    Date.now = now
  }
})

test("secrets can be replaced: the first one signs, and all of them verify", async () => {
  const newSecret = "another-secret-0123456789abcdefghij"
  const url = await files.url("page.html")
  const next = memoryFiles({ path: "/files", secrets: `${newSecret},${secrets}` })
  await next.put("page.html", "x")
  const nextApp = new App({ logger: false })
  nextApp.all("/files/*", serveFiles(next))
  assert.is((await nextApp.request(url)).status, 200)
  assert.is((await nextApp.request(await next.url("page.html"))).status, 200)
  assert.is((await app.request(await next.url("page.html"))).status, 403)
})

test("a form stores one file with its name and type, up to its size", async () => {
  const given = { maxSize: 10_000, redirect: "/photos" }
  const send = async (url: string, content: string, field = "file") => {
    const body = new FormData()
    body.append("title", "ignored")
    body.append(field, new File([content], "../evil.html", { type: "text/html" }))
    return app.request(url, { method: "POST", body })
  }
  const { url, fields } = await files.form("photos/1.png", given)
  assert.equal(fields, {})
  const answer = await send(url, "x".repeat(10_000))
  assert.is(answer.status, 303)
  assert.is(answer.headers.get("location"), "/photos")
  const { type, size } = (await files.head("photos/1.png")) ?? {}
  assert.equal([type, size], ["image/png", 10_000])
  assert.is((await send(url, "x".repeat(10_001))).status, 413)
  assert.is((await send(url, "x", "other")).status, 400)
  assert.is((await send(url.replace("10000", "19999"), "x")).status, 403)
  assert.is((await app.request(url)).status, 403)
  const { url: plain } = await files.form("photos/2", { maxSize: 10, type: "image/webp" })
  assert.is((await send(plain, "x")).status, 204)
  assert.is((await files.head("photos/2"))?.type, "image/webp")
})

test("without a path there are no signed URLs, and the error says what to write", async () => {
  const plain = memoryFiles()
  await plain.put("a", "x")
  for (const call of [() => plain.url("a"), () => plain.form("a", { maxSize: 1 })]) {
    assert.is(await catchFailure(call), "files")
    assert.match((await call().catch((error) => error)).fix, "serveFiles")
  }
  const plainApp = new App({ logger: false })
  plainApp.all("/files/*", serveFiles(plain))
  assert.is((await plainApp.request(await files.url("a"))).status, 403)
  for (const path of ["files", "/files/", "/a?b", "https://shop.example/files", ""])
    assert.is(await catchFailure(() => memoryFiles({ path })), "files", path)
  assert.is(await catchFailure(memoryFiles({ path: "/files", secrets: "short" }).url("a")), "secrets")
  assert.is(await catchFailure(() => serveFiles(undefined as never)), "files")
  assert.is(await catchFailure(() => memoryFiles({ paths: "/files" } as never)), "files")
})

test.run()
