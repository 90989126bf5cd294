/** Tests of `c.file()`, which sends files of a directory to clients that a handler has checked. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type FileOptions } from "../../../lib/index.ts"

const root = mkdtempSync(join(tmpdir(), "fw-file-"))
const data = join(root, "data")
const large = Buffer.alloc(300_000, "abcdefghij")
mkdirSync(join(data, "sub"), { recursive: true })
mkdirSync(join(data, "index"))
for (const [name, content] of Object.entries({
  "a.txt": "0123456789",
  "a.txt.br": "of another person",
  "empty.txt": "",
  page: "<script>1</script>",
  "page.html": "<script>1</script>",
  "picture.svg": "<svg/>",
  "feed.rss": "<rss/>",
  ".secret": "secret",
  "sub/b.txt": "b",
  "index/index.html": "index",
  "large.bin": large,
}))
  writeFileSync(join(data, name), content)
writeFileSync(join(root, "outside.txt"), "outside")
symlinkSync(join(root, "outside.txt"), join(data, "link.txt"))

/** Returns an app that answers every path with one file. */
function createApp(name: string, options?: FileOptions): App {
  const app = new App({ logger: false })
  app.all("/", (c) => c.file(data, name, options))
  return app
}

async function ask(name: string, init?: RequestInit, options?: FileOptions) {
  const response = await createApp(name, options).request("/", init)
  const { status, headers } = response
  return { status, text: await response.text(), header: (field: string) => headers.get(field) }
}

test("a file is sent with its type, its size and its ETag, and only the cache of its client may store it", async () => {
  const { status, text, header } = await ask("a.txt", { headers: { "accept-encoding": "br" } })
  assert.is(status, 200)
  assert.is(text, "0123456789")
  assert.is(header("content-type"), "text/plain; charset=utf-8")
  assert.is(header("content-length"), "10")
  assert.is(header("cache-control"), "private, no-cache")
  assert.is(header("x-content-type-options"), "nosniff")
  assert.is(header("content-disposition"), null)
  assert.is(header("vary"), null)
  assert.match(header("etag") ?? "", /^"/)
})

const answers: [name: string, init: RequestInit, status: number, text: string | RegExp][] = [
  ["sub/b.txt", {}, 200, "b"],
  ["empty.txt", {}, 200, ""],
  ["a.txt", { headers: { range: "bytes=2-4" } }, 206, "234"],
  ["a.txt", { headers: { range: "bytes=-3" } }, 206, "789"],
  ["a.txt", { headers: { range: "bytes=2-4", "if-range": '"other"' } }, 200, "0123456789"],
  ["a.txt", { headers: { range: "bytes=20-" } }, 416, /range starts after the end/],
  ["a.txt", { headers: { "if-none-match": "*" } }, 304, ""],
  ["a.txt", { headers: { "if-match": '"other"' } }, 412, /does not match/],
  ["a.txt", { method: "HEAD" }, 200, ""],
  ["a.txt", { method: "POST", headers: { range: "bytes=2-4", "if-none-match": "*" } }, 200, "0123456789"],
  ...["", ".", "..", "none", "sub", "sub/", "index", "index/", ".secret", "link.txt"].map(
    (name): [string, RequestInit, number, RegExp] => [name, {}, 404, /"not_found"/],
  ),
  ...["../outside.txt", "sub/../a.txt", "/a.txt", "sub//b.txt", "sub\\b.txt", "a.txt\0", "a.txt/x"].map(
    (name): [string, RequestInit, number, RegExp] => [name, {}, 404, /"not_found"/],
  ),
  [join(root, "outside.txt"), {}, 404, /"not_found"/],
]
for (const [name, init, status, expected] of answers) {
  test(`${JSON.stringify(name)} with ${JSON.stringify(init)} is ${status}`, async () => {
    const found = await ask(name, init)
    assert.is(found.status, status)
    if (typeof expected === "string") assert.is(found.text, expected)
    else assert.match(found.text, expected)
  })
}

test("a missing directory is a 404, and the log names the cause during development", async () => {
  for (const [directory, isNamed] of [
    [join(root, "none"), true],
    [join(data, "a.txt"), true],
    [data, false],
  ] as const) {
    const errors: unknown[] = []
    const app = new App({ logger: false })
    app.get("/", (c) => c.file(directory, "none.txt"))
    app.onError((c, error) => {
      errors.push((error as Error).cause)
      return c.string(404, String(error))
    })
    const response = await app.request("/")
    assert.is(response.status, 404)
    assert.not.match(await response.text(), root)
    assert.is(String(errors[0]).includes(`there is no directory ${JSON.stringify(directory)}`), isNamed)
  }
})

const headers: [name: string, options: FileOptions, type: string, disposition: string | null][] = [
  ["a.txt", { download: true }, "text/plain; charset=utf-8", 'attachment; filename="a.txt"'],
  ["sub/b.txt", { download: true }, "text/plain; charset=utf-8", 'attachment; filename="b.txt"'],
  ["a.txt", { download: false }, "text/plain; charset=utf-8", null],
  ["page", { type: "image/png" }, "image/png", null],
  // A file that could run scripts is downloaded instead of shown, unless the program says otherwise.
  ["page", { type: "text/html" }, "text/html", 'attachment; filename="page"'],
  ["page.html", {}, "text/html; charset=utf-8", 'attachment; filename="page.html"'],
  ["page.html", { download: false }, "text/html; charset=utf-8", null],
  ["page.html", { type: "text/plain" }, "text/plain", null],
  ["picture.svg", {}, "image/svg+xml", 'attachment; filename="picture.svg"'],
  ["feed.rss", {}, "application/rss+xml", 'attachment; filename="feed.rss"'],
  ["a.txt", { download: "Invoice 7.pdf" }, "text/plain; charset=utf-8", 'attachment; filename="Invoice 7.pdf"'],
  [
    "a.txt",
    { download: 'Rechnung "für" 100% (1)\r\nx: y/..\\z.pdf' },
    "text/plain; charset=utf-8",
    `attachment; filename="Rechnung _f_r_ 100_ (1)x: y_.._z.pdf"; filename*=UTF-8''Rechnung%20%22f%C3%BCr%22%20100%25%20%281%29x%3A%20y_.._z.pdf`,
  ],
  [
    "a.txt",
    { download: "請求\ud800.pdf" },
    "text/plain; charset=utf-8",
    `attachment; filename="___.pdf"; filename*=UTF-8''%E8%AB%8B%E6%B1%82%EF%BF%BD.pdf`,
  ],
]
for (const [name, options, type, disposition] of headers) {
  test(`${name} with ${JSON.stringify(options)} is sent as ${type}`, async () => {
    const { header } = await ask(name, {}, options)
    assert.is(header("content-type"), type)
    assert.is(header("content-disposition"), disposition)
  })
}

test("a handler can set other headers for the file that it sends", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => {
    c.setHeader("Cache-Control", "no-store")
    return c.file(data, "a.txt")
  })
  const response = await app.request("/")
  assert.is(response.headers.get("cache-control"), "no-store")
})

const mistakes: [given: unknown[], message: RegExp][] = [
  [[], /c\.file\(\) takes a directory and the name of a file in it, not undefined as the directory/],
  [["", "a"], /not "" as the directory/],
  [["data"], /not undefined as the name/],
  [["data", 7], /as the name: write c\.file\("data\/invoices", "7\.pdf"\)/],
  [["data", "a", "attachment"], /takes as its options an object of type, download, not a string/],
  [["data", "a", { downlaod: true }], /takes as its options an object of type, download, not "downlaod"/],
  [["data", "a", { download: "" }], /takes true, false or the name of the file as download, not an empty text/],
  [["data", "a", { download: 5 }], /as download, not a number/],
  [["data", "a", { type: "text" }], /takes a type such as "application\/pdf", not "text"/],
  [["data", "a", { type: "" }], /such as "application\/pdf", not ""/],
  [["data", "a", { type: "text/" }], /such as "application\/pdf", not "text\/"/],
  [["data", "a", { type: 5 }], /such as "application\/pdf", not 5/],
  [[data, "a.txt", { type: "text/plain\r\nx: y" }], /the value for the header content-type/],
]
for (const [given, message] of mistakes) {
  test(`c.file(${JSON.stringify(given).slice(1, -1)}) is refused with a message`, async () => {
    let thrown: unknown
    const app = new App({ logger: false })
    app.get("/", async (c) => {
      try {
        return await Reflect.apply(c.file, c, given)
      } catch (error) {
        thrown = error
        return c.noContent()
      }
    })
    await app.request("/")
    assert.instance(thrown, TypeError)
    assert.match((thrown as Error).message, message)
  })
}

test("a large file and its ranges reach a client completely", async () => {
  const app = createApp("large.bin")
  await app.listen({ host: "127.0.0.1", port: 0 })
  try {
    const get = async (range?: string) => {
      const response = await fetch(`http://${app.addr}/`, range ? { headers: { range } } : {})
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const whole = await get()
    assert.is(whole.response.headers.get("content-length"), "300000")
    assert.ok(whole.bytes.equals(large))
    const part = await get("bytes=1000-250999")
    assert.is(part.response.headers.get("content-range"), "bytes 1000-250999/300000")
    assert.ok(part.bytes.equals(large.subarray(1000, 251_000)))
  } finally {
    await app.shutdown()
  }
})

test.run()
