/** Tests of answers with static files on a disk: names, conditions, ranges and encodings. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { createFileSource } from "../../../adapters/disk/files.ts"
import { HttpError } from "../../../lib/errors.ts"
import { canonicalizePath, splitSegments } from "../../../lib/path.ts"
import { type FileSource, serveStatic } from "../../../lib/static/serve-static.ts"

const root = mkdtempSync(join(tmpdir(), "fw-static-"))
const stamp = new Date("2024-05-06T07:08:09.250Z")
const modified = "Mon, 06 May 2024 07:08:09 GMT"
const before = "Mon, 06 May 2024 07:08:08 GMT"
const after = "Mon, 06 May 2024 07:08:10 GMT"

function put(name: string, content: string | Uint8Array, time = stamp): void {
  mkdirSync(join(root, name, ".."), { recursive: true })
  writeFileSync(join(root, name), content)
  utimesSync(join(root, name), time, time)
}

const plain = ["a.txt", "sub/index.html", "sub/deep/b.css", "index.html", "both.js", "only.json", "pic.png"]
for (const name of plain) put(name, "0123456789")
put("both.js.br", "BR")
put("both.js.gz", "GZIP")
put("only.json.gz", "GZIP")
put("twin.js", "0123456789")
put("twin.js.gz", "9876543210")
put("pic.png.gz", "GZIP")
put("empty.txt", "")
put("bare/x.txt", "x")
put("odd/index.html/x.txt", "x")
put(".env", "secret")
put(".git/config", "secret")
put("sub/.hidden/x.txt", "secret")
put(".well-known/security.txt", "contact")
put("é ü.txt", "umlaut")
put("future.txt", "later", new Date("2099-01-01T00:00:00Z"))
put("packed-by-npm.txt", "1985", new Date("1985-10-26T08:15:00Z"))

const source = createFileSource(root) as FileSource

type Seen = { status: number; body: string; headers: Record<string, string> }

/** Requests a file as the app does. Returns errors as answers, and a 404 if there is no file. */
async function ask(target: string, headers: Record<string, string> = {}, method = "GET"): Promise<Seen> {
  const [path = "", query] = target.split("?")
  const canonical = canonicalizePath(path)
  const request = {
    method,
    path: canonical,
    search: query === undefined ? "" : `?${query}`,
    header: (name: string) => headers[name] ?? "",
  }
  const segments = splitSegments(canonical)
  try {
    const answer = segments && (await serveStatic(source, segments, request))
    if (!answer) return { status: 404, body: "", headers: {} }
    return { status: answer.status, headers: answer.headers, body: await new Response(answer.body).text() }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { status: error.status, headers: { ...error.headers }, body: error.code }
  }
}

const tags = Object.fromEntries(
  await Promise.all(
    [
      ["a", "/a.txt", ""],
      ["br", "/both.js", "br"],
      ["gzip", "/both.js", "gzip"],
    ].map(async ([name, path, coding]) => [
      name,
      (await ask(path as string, { "accept-encoding": coding as string })).headers.etag as string,
    ]),
  ),
) as { a: string; br: string; gzip: string }

const names = suite("names")
const nameTable: [target: string, status: number, bodyOrLocation: string][] = [
  ["/a.txt", 200, "0123456789"],
  ["/%61.txt", 200, "0123456789"],
  ["/%C3%A9%20%C3%BC.txt", 200, "umlaut"],
  ["/sub/deep/b.css", 200, "0123456789"],
  ["/", 200, "0123456789"],
  ["/sub/", 200, "0123456789"],
  ["/sub/index.html", 200, "0123456789"],
  ["/sub", 308, "sub/"],
  ["/sub?x=1&y=%2F", 308, "sub/?x=1&y=%2F"],
  ["/.well-known/security.txt", 200, "contact"],
  ["/bare", 404, ""],
  ["/bare/", 404, ""],
  ["/odd", 404, ""],
  ["/odd/", 404, ""],
  ["/sub/deep", 404, ""],
  ["/a.txt/", 404, ""],
  ["/a.txt/b", 404, ""],
  ["/nope", 404, ""],
  ["//a.txt", 404, ""],
  ["/sub//index.html", 404, ""],
  ["/.env", 404, ""],
  ["/%2eenv", 404, ""],
  ["/.git/config", 404, ""],
  ["/sub/.hidden/x.txt", 404, ""],
  ["/sub%2Findex.html", 404, ""],
  ["/sub/..%2F.env", 404, ""],
  ["/..%2F..%2Fetc%2Fpasswd", 404, ""],
  [`/${"x".repeat(300)}`, 404, ""],
]
for (const [target, status, wanted] of nameTable) {
  names(`${target.slice(0, 60)} is answered with ${status}`, async () => {
    const seen = await ask(target)
    assert.is(seen.status, status)
    assert.is(seen.headers.location ?? seen.body, wanted)
  })
}

for (const segment of ["..", ".", "", "a\0.txt", "sub/index.html", "..\\a.txt", "sub\\index.html"]) {
  names(`a decoded segment ${JSON.stringify(segment)} names no file`, async () => {
    const request = { method: "GET", path: "/x", search: "", header: () => "" }
    assert.is(await serveStatic(source, [segment], request), null)
    assert.is(await serveStatic(source, ["sub", segment], request), null)
    assert.is(await source.open([segment]), null)
  })
}

names("a redirect never names another host", async () => {
  const request = { method: "GET", path: "//evil.example/sub", search: "", header: () => "" }
  const answer = await serveStatic(source, ["sub"], request)
  assert.is(answer?.headers.location, "sub/")
})

for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "get"]) {
  names(`${method} to a file is answered with 404`, async () => {
    assert.is((await ask("/a.txt", {}, method)).status, 404)
  })
}
names.run()
const conditions = suite("conditions")
/** Headers with conditions, and the status of the answer. `$a` stands for the file's ETag. */
const conditionTable: [headers: Record<string, string>, status: number][] = [
  [{}, 200],
  [{ "if-none-match": "$a" }, 304],
  [{ "if-none-match": "W/$a" }, 304],
  [{ "if-none-match": '"x", $a , "y"' }, 304],
  [{ "if-none-match": "*" }, 304],
  [{ "if-none-match": '"x"' }, 200],
  [{ "if-none-match": "junk" }, 200],
  [{ "if-modified-since": modified }, 304],
  [{ "if-modified-since": after }, 304],
  [{ "if-modified-since": before }, 200],
  [{ "if-modified-since": "junk" }, 200],
  [{ "if-none-match": '"x"', "if-modified-since": after }, 200],
  [{ "if-none-match": "$a", "if-modified-since": before }, 304],
  [{ "if-match": "$a" }, 200],
  [{ "if-match": "*" }, 200],
  [{ "if-match": '"x", $a' }, 200],
  [{ "if-match": "W/$a" }, 412],
  [{ "if-match": '"x"' }, 412],
  [{ "if-match": '"x"', "if-none-match": "$a" }, 412],
  [{ "if-unmodified-since": modified }, 200],
  [{ "if-unmodified-since": before }, 412],
  [{ "if-unmodified-since": "junk" }, 200],
  [{ "if-match": "$a", "if-unmodified-since": before }, 200],
  [{ range: "bytes=0-1", "if-none-match": "$a" }, 304],
  [{ range: "bytes=0-1", "if-match": '"x"' }, 412],
  [{ range: "bytes=2-4" }, 206],
  [{ range: "bytes=2-4", "if-range": "$a" }, 206],
  [{ range: "bytes=2-4", "if-range": "W/$a" }, 200],
  [{ range: "bytes=2-4", "if-range": '"x"' }, 200],
  [{ range: "bytes=2-4", "if-range": modified }, 206],
  [{ range: "bytes=2-4", "if-range": after }, 200],
  [{ range: "bytes=2-4", "if-range": "junk" }, 200],
  [{ range: "bytes=10-" }, 416],
  [{ range: "bytes=10-", "if-range": '"x"' }, 200],
  [{ range: "bytes=0-1,3-4" }, 200],
]
for (const [template, status] of conditionTable) {
  conditions(`a request with ${JSON.stringify(template)} is answered with ${status}`, async () => {
    const filled = Object.entries(template).map(([name, value]) => [name, value.replace("$a", tags.a)])
    const seen = await ask("/a.txt", Object.fromEntries(filled))
    assert.is(seen.status, status)
    const body = { 200: "0123456789", 206: "234", 304: "" }[status]
    if (body !== undefined) assert.is(seen.body, body)
  })
}

conditions("a 304 has the ETag and the headers for caches, and no others", async () => {
  const seen = await ask("/a.txt", { "if-none-match": tags.a })
  assert.equal(seen.headers, { etag: tags.a, "cache-control": "no-cache", vary: "Accept-Encoding" })
})

conditions("a 416 has the size of the file and no ETag", async () => {
  const { headers } = await ask("/a.txt", { range: "bytes=10-" })
  assert.equal(headers, {
    "content-range": "bytes */10",
    "cache-control": "no-cache",
    vary: "Accept-Encoding",
  })
})

conditions("a 206 has Content-Range and the length of its part", async () => {
  const { headers } = await ask("/a.txt", { range: "bytes=-4" })
  assert.is(headers["content-range"], "bytes 6-9/10")
  assert.is(headers["content-length"], "4")
})

conditions("HEAD has the headers of GET, and ignores ranges", async () => {
  const get = await ask("/a.txt")
  assert.equal(await ask("/a.txt", {}, "HEAD"), { ...get, body: "" })
  assert.equal(await ask("/a.txt", { range: "bytes=0-1" }, "HEAD"), { ...get, body: "" })
  assert.equal(get.headers, {
    "accept-ranges": "bytes",
    "cache-control": "no-cache",
    "content-length": "10",
    "content-type": "text/plain; charset=utf-8",
    etag: tags.a,
    "last-modified": modified,
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
  })
})

conditions("a range of an empty file is answered with the whole file", async () => {
  const { status, body, headers } = await ask("/empty.txt", { range: "bytes=-5" })
  assert.equal([status, body, headers["content-length"]], [200, "", "0"])
})

conditions("Last-Modified is never in the future", async () => {
  const { headers } = await ask("/future.txt")
  assert.ok(Date.parse(headers["last-modified"] as string) <= Date.now())
})

conditions("two files with the fixed time of a reproducible archive have different ETags", async () => {
  const first = await ask("/packed-by-npm.txt")
  rmSync(join(root, "packed-by-npm.txt"))
  put("packed-by-npm.txt", "1986", new Date("1985-10-26T08:15:00Z"))
  const seen = await ask("/packed-by-npm.txt", { "if-none-match": first.headers.etag as string })
  assert.equal([seen.status, seen.body], [200, "1986"])
})
conditions.run()

const encodings = suite("encodings")
const encodingTable: [path: string, accept: string, status: number, body: string, coding: string | undefined][] = [
  ["/both.js", "gzip, deflate, br", 200, "BR", "br"],
  ["/both.js", "gzip", 200, "GZIP", "gzip"],
  ["/both.js", "br;q=0, gzip", 200, "GZIP", "gzip"],
  ["/both.js", "identity;q=0, *;q=0.1", 200, "BR", "br"],
  ["/both.js", "identity, br;q=0.5", 200, "0123456789", undefined],
  ["/both.js", "", 200, "0123456789", undefined],
  ["/both.js", "zstd", 200, "0123456789", undefined],
  ["/only.json", "br, gzip", 200, "GZIP", "gzip"],
  ["/only.json", "br", 200, "0123456789", undefined],
  ["/a.txt", "br, gzip", 200, "0123456789", undefined],
  ["/a.txt", "identity;q=0, gzip", 406, "not_acceptable", undefined],
  ["/pic.png", "gzip", 200, "0123456789", undefined],
  ["/both.js.gz", "gzip", 200, "GZIP", undefined],
]
for (const [path, accept, status, body, coding] of encodingTable) {
  encodings(
    `${path} for Accept-Encoding ${JSON.stringify(accept)} is ${coding ?? (status === 200 ? "not encoded" : status)}`,
    async () => {
      const seen = await ask(path, { "accept-encoding": accept })
      assert.equal([seen.status, seen.body, seen.headers["content-encoding"]], [status, body, coding])
      if (status === 200) assert.is(seen.headers["content-length"], String(body.length))
      assert.is(seen.headers.vary, /png|gz$/.test(path) ? undefined : "Accept-Encoding")
    },
  )
}

encodings("each encoding has its own ETag, and the media type of the original", async () => {
  const plain = await ask("/both.js")
  assert.is(new Set([plain.headers.etag, tags.br, tags.gzip]).size, 3)
  const twins = [await ask("/twin.js"), await ask("/twin.js", { "accept-encoding": "gzip" })]
  assert.is(new Set(twins.map((twin) => twin.headers.etag)).size, 2)
  const seen = await ask("/both.js", { "accept-encoding": "br", "if-none-match": tags.gzip })
  assert.equal([seen.status, seen.headers["content-type"]], [200, "text/javascript; charset=utf-8"])
  assert.is((await ask("/both.js", { "accept-encoding": "br", "if-none-match": tags.br })).status, 304)
})

encodings("a range of an encoded file is a range of its encoded bytes", async () => {
  const seen = await ask("/both.js", { "accept-encoding": "gzip", range: "bytes=1-2", "if-range": tags.gzip })
  assert.equal([seen.status, seen.body, seen.headers["content-range"]], [206, "ZI", "bytes 1-2/4"])
})
encodings.after(() => rmSync(root, { recursive: true }))
encodings.run()
