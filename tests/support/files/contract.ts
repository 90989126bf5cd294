/** The contract of `fw/files`: cases that run on every engine. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Files } from "../../../lib/files/types.ts"
import { App } from "../../../lib/index.ts"
import { badNames, goodNames } from "./names.ts"

const encoder = new TextEncoder()

function missing(): never {
  throw new Error("there is no such file")
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array) => one !== undefined && Buffer.compare(one, other) === 0

/** Returns bytes that differ at each position. */
export function makeBytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let index = 0; index < size; index++) bytes[index] = (index * 7 + (index >> 8)) % 251
  return bytes
}

/** Returns a stream of pieces. @param failure the error with which it ends. */
export function createStream(pieces: readonly Uint8Array[], failure?: unknown): ReadableStream<Uint8Array> {
  const left = [...pieces]
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift()
      if (piece) controller.enqueue(piece)
      else if (failure) controller.error(failure)
      else controller.close()
    },
  })
}

/** Cuts bytes into pieces. */
export const cut = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

/** Returns the code or the status with which a call fails, or `done`. */
export const catchFailure = (call: Promise<unknown> | (() => unknown)): Promise<unknown> =>
  Promise.resolve()
    .then(() => (typeof call === "function" ? call() : call))
    .then(
      () => "done",
      (error: { code?: unknown; status?: unknown; message: string }) => error.status ?? error.code ?? error.message,
    )

const read = async (files: Files, name: string) => (await files.get(name))?.text()
const listNames = async (files: Files, prefix: string) => (await files.list({ prefix })).files.map(({ name }) => name)

/** As many bytes as two parts of a multipart upload, and some more. */
const large = makeBytes(8 * 1024 * 1024 * 2 + 12_345)

const bodies: Readonly<Record<string, () => Parameters<Files["put"]>[1]>> = {
  "a text": () => "hällo",
  "an empty text": () => "",
  bytes: () => makeBytes(1000),
  "a part of a larger ArrayBuffer": () => makeBytes(1000).subarray(100, 200),
  "an ArrayBuffer": () => makeBytes(1000).buffer as ArrayBuffer,
  "a Blob": () => new Blob(["hello"]),
  "an empty stream": () => createStream([]),
  "a stream of small pieces": () => createStream(cut(makeBytes(5000), 7)),
  "a stream of one large piece": () => createStream([large]),
  "a stream whose pieces end at other bytes than the parts of an upload": () => createStream(cut(large, 999_983)),
  "a stream that is exactly as large as one part of an upload": () =>
    createStream(cut(large.subarray(0, 8 * 1024 * 1024), 1024 * 1024)),
}

const ranges: readonly (readonly [range: { start: number; end?: number }, expected: string | number])[] = [
  [{ start: 0 }, "0123456789"],
  [{ start: 0, end: 0 }, "0"],
  [{ start: 2, end: 4 }, "234"],
  [{ start: 7, end: 100 }, "789"],
  [{ start: 9 }, "9"],
  [{ start: 10 }, 416],
]

/** Calls with arguments that no engine accepts. */
const wrongCalls: Readonly<Record<string, (files: Files) => unknown>> = {
  "put() with a number as the body": (files) => files.put("a", 7 as never),
  "put() with an unknown option": (files) => files.put("a", "", { contentType: "text/plain" } as never),
  "put() with a type without a slash": (files) => files.put("a", "", { type: "text" }),
  "put() with a line break in the type": (files) => files.put("a", "", { type: "text/plain\r\nx: y" }),
  "put() with a line break in cacheControl": (files) => files.put("a", "", { cacheControl: "no-store\n" }),
  "get() with a range that does not begin with a number": (files) => files.get("a", { range: { start: "0" as never } }),
  "get() with a range that ends before it starts": (files) => files.get("a", { range: { start: 2, end: 1 } }),
  "list() with the limit 0": (files) => files.list({ limit: 0 }),
  "list() with .. in the prefix": (files) => files.list({ prefix: "../" }),
  "list() with a dot as the prefix": (files) => files.list({ prefix: "." }),
  "list() with a cursor that is not a text": (files) => files.list({ cursor: 7 as never }),
  "url() with a lifetime of more than a week": (files) => files.url("a", { expires: 604_801 }),
  "url() with a lifetime of 0 seconds": (files) => files.url("a", { expires: 0 }),
  "url() with an empty name for the download": (files) => files.url("a", { download: "" }),
  "form() without maxSize": (files) => files.form("a", {} as never),
  "form() with a type without a slash": (files) => files.form("a", { maxSize: 1, type: "text" }),
}

/** Runs all cases on an engine. @param open returns an empty file store. */
export function driveFiles(
  engine: string,
  open: () => Promise<Files>,
  end: () => Promise<unknown> = async () => {},
): void {
  const tests = suite(`files: ${engine}`)
  let files: Files
  tests.before(async () => {
    files = await open()
  })
  tests.after(async () => {
    await end()
  })
  let count = 0
  const fresh = () => `case-${++count}`

  for (const [what, make] of Object.entries(bodies))
    tests(`${what} is stored and read as it is`, async () => {
      const name = `${fresh()}/a.bin`
      const expected = new Uint8Array(await new Response(make() as ReadableStream).arrayBuffer())
      assert.is(await files.put(name, make()), expected.length)
      const found = await files.get(name)
      assert.is(found?.size, expected.length)
      const bytes = await found?.bytes()
      assert.ok(isSame(bytes, expected))
    })

  for (const [name, description, expected] of [
    ["a.png", {}, { type: "image/png", cacheControl: undefined }],
    ["a.txt", {}, { type: "text/plain; charset=utf-8", cacheControl: undefined }],
    ["none", {}, { type: "application/octet-stream", cacheControl: undefined }],
    ["none", { type: "image/png" }, { type: "image/png", cacheControl: undefined }],
    ["a.txt", { type: "text/html" }, { type: "text/html", cacheControl: undefined }],
    ["a.png", { cacheControl: "public, max-age=60" }, { type: "image/png", cacheControl: "public, max-age=60" }],
  ] as const)
    tests(`${name} with ${JSON.stringify(description)} has the type ${expected.type}`, async () => {
      const path = `${fresh()}/${name}`
      const before = Date.now()
      await files.put(path, "hello", description)
      for (const found of [await files.head(path), await files.get(path)]) {
        const { type, cacheControl, size, modified, etag } = found ?? missing()
        assert.equal({ type, cacheControl }, expected)
        assert.is(size, 5)
        assert.is(found?.name, path)
        assert.match(etag, /^[\w-]+$/)
        assert.ok(Math.abs(modified.getTime() - before) < 60_000)
        await (found as { text?(): Promise<string> }).text?.()
      }
    })

  tests("a file has the type of its Blob, unless the option type names another one", async () => {
    const name = fresh()
    await files.put(name, new Blob(["a,b"], { type: "text/csv" }))
    assert.is((await files.head(name))?.type, "text/csv")
    await files.put(name, new Blob(["a,b"], { type: "text/csv" }), { type: "text/x-table" })
    assert.is((await files.head(name))?.type, "text/x-table")
  })

  tests("put() replaces a file together with its type, and the etag of the file changes", async () => {
    const name = `${fresh()}.txt`
    await files.put(name, "one", { type: "text/html", cacheControl: "no-store" })
    const first = await files.head(name)
    await files.put(name, "two")
    const second = await files.head(name)
    assert.is(await read(files, name), "two")
    assert.is(second?.type, "text/plain; charset=utf-8")
    assert.is(second?.cacheControl, undefined)
    assert.is.not(second?.etag, first?.etag)
  })

  tests("a missing file is read as null, and deleting a missing file is not an error", async () => {
    const name = `${fresh()}/none`
    assert.is(await files.get(name), null)
    assert.is(await files.get(name, { range: { start: 0 } }), null)
    assert.is(await files.head(name), null)
    assert.is(await files.copy(name, `${name}-2`), false)
    await files.delete(name)
    await files.put(name, "x")
    await files.delete(name)
    assert.is(await files.head(name), null)
  })

  tests("a directory is not a file, and when its last file is deleted, a file may get its name", async () => {
    const name = fresh()
    await files.put(`${name}/deep/a`, "x")
    assert.is(await files.get(`${name}/deep`), null)
    await files.delete(name)
    assert.is(await read(files, `${name}/deep/a`), "x")
    await files.delete(`${name}/deep/a`)
    await files.put(name, "y")
    assert.is(await read(files, name), "y")
  })

  for (const [range, expected] of ranges)
    tests(`the range ${JSON.stringify(range)} of the bytes 0123456789 is answered with ${expected}`, async () => {
      await files.put("ranges.txt", "0123456789")
      if (typeof expected === "number") {
        assert.is(await catchFailure(files.get("ranges.txt", { range })), expected)
        return
      }
      const found = await files.get("ranges.txt", { range })
      assert.is(found?.size, 10)
      assert.is(await found?.text(), expected)
    })

  tests("a list is ordered by name, and every file is on exactly one of its pages", async () => {
    const place = fresh()
    const names = ["a/b/c", "a-b", "a+b", "a/c", "a0", "b", "ä", "日本", "x & y", "c+d", "100%", "q{}"]
    const all = names.map((name) => `${place}/${name}`)
    for (const name of all) await files.put(name, name)
    await files.put(`${place}-2`, "")
    assert.equal(await listNames(files, `${place}/`), all.toSorted())
    assert.equal(await listNames(files, `${place}/a/`), [`${place}/a/b/c`, `${place}/a/c`])
    assert.equal(await listNames(files, `${place}/a/b`), [`${place}/a/b/c`])
    assert.equal(await listNames(files, `${place}/none`), [])
    for (const limit of [1, 3, all.length]) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await files.list({ prefix: `${place}/`, cursor, limit })
        assert.ok(page.files.length <= limit)
        found.push(...page.files.map(({ name }) => name))
        cursor = page.cursor
      } while (cursor !== undefined)
      assert.equal(found, all.toSorted())
    }
    const [entry] = (await files.list({ prefix: `${place}/` })).files
    const { etag, size, modified } = (await files.head(entry?.name ?? "")) ?? missing()
    assert.equal([entry?.etag, entry?.size], [etag, size])
    assert.ok(Math.abs(modified.getTime() - Number(entry?.modified.getTime())) < 1000)
  })

  tests("a copy has the type of its file, and stays as it is when the file changes", async () => {
    const [from, to] = [`${fresh()}/ä b.txt`, `${fresh()}/b`]
    await files.put(from, "one", { type: "text/csv", cacheControl: "no-store" })
    assert.is(await files.copy(from, to), true)
    await files.put(from, "two")
    assert.is(await read(files, to), "one")
    const { type, cacheControl } = (await files.head(to)) ?? missing()
    assert.equal({ type, cacheControl }, { type: "text/csv", cacheControl: "no-store" })
  })

  for (const bytesBefore of [0, 10, large.length])
    tests(`a stream that fails after ${bytesBefore} bytes leaves no file, and its error is passed on`, async () => {
      const name = `${fresh()}/a`
      const problem = new Error("the client has gone")
      const failing = createStream(cut(large.subarray(0, bytesBefore), 1_000_000), problem)
      assert.is(await files.put(name, failing).catch((error) => error), problem)
      assert.is(await files.head(name), null)
      assert.equal(await listNames(files, name), [])
      await files.put(name, "old")
      await catchFailure(files.put(name, createStream([encoder.encode("new")], problem)))
      assert.is(await read(files, name), "old")
    })

  tests("a stream of texts is refused, and so is a stream that already has a reader", async () => {
    const name = fresh()
    assert.is(
      await catchFailure(files.put(name, new Blob(["x"]).stream().pipeThrough(new TextDecoderStream()) as never)),
      "files",
    )
    const body = createStream([encoder.encode("x")])
    body.getReader()
    assert.instance(await files.put(name, body).catch((error) => error), TypeError)
    assert.is(await files.head(name), null)
  })

  for (const name of goodNames)
    tests(`${JSON.stringify(name)} is accepted as the name of a file`, async () => {
      await files.put(name, name)
      assert.is(await read(files, name), name)
      // s3rver does not sign these characters of a query as S3 does.
      assert.equal(await listNames(files, name.split(/['()!*]/)[0] ?? ""), [name])
      await files.delete(name)
    })

  for (const name of badNames)
    tests(`every call refuses ${JSON.stringify(name)} as the name of a file`, async () => {
      const calls: (() => unknown)[] = [
        () => files.put(name as string, ""),
        () => files.get(name as string),
        () => files.head(name as string),
        () => files.delete(name as string),
        () => files.copy(name as string, "a"),
        () => files.copy("a", name as string),
        () => files.url(name as string),
        () => files.form(name as string, { maxSize: 1 }),
      ]
      for (const call of calls) assert.is(await catchFailure(call), "files")
    })

  for (const [what, call] of Object.entries(wrongCalls))
    tests(`${what} is an error`, async () => assert.is(await catchFailure(() => call(files)), "files"))

  tests("c.file() answers with type, ETag, conditions and ranges", async () => {
    const app = new App({ logger: false })
    app.get("/files/*", (c) => c.file(files, c.param("*"), c.query("show") ? { download: false } : {}))
    const ask = (name: string, headers = {}, method = "GET") => app.request(`/files/${name}`, { headers, method })
    await files.put("answers/a.txt", "0123456789")
    await files.put("answers/page", "<script>", { type: "text/html" })
    await files.put("answers/kept.png", "x", { cacheControl: "public, max-age=60" })
    await files.put("answers/large.bin", large)

    const whole = await ask("answers/a.txt")
    const etag = whole.headers.get("etag") ?? ""
    assert.is(etag, `"${(await files.head("answers/a.txt"))?.etag}"`)
    assert.is(await whole.text(), "0123456789")
    for (const [name, expected] of [
      ["content-type", "text/plain; charset=utf-8"],
      ["content-length", "10"],
      ["accept-ranges", "bytes"],
      ["cache-control", "private, no-cache"],
      ["x-content-type-options", "nosniff"],
      ["content-disposition", null],
    ] as const)
      assert.is(whole.headers.get(name), expected, name)

    for (const [name, headers, status, text] of [
      ["answers/a.txt", { "if-none-match": etag }, 304, ""],
      ["answers/a.txt", { "if-match": '"other"' }, 412, /precondition_failed/],
      ["answers/a.txt", { range: "bytes=2-4" }, 206, "234"],
      ["answers/a.txt", { range: "bytes=-1" }, 206, "9"],
      ["answers/a.txt", { range: "bytes=2-4", "if-range": etag }, 206, "234"],
      ["answers/a.txt", { range: "bytes=2-4", "if-range": '"other"' }, 200, "0123456789"],
      ["answers/a.txt", { range: "bytes=10-" }, 416, /range/],
      ["answers/none.txt", {}, 404, /not_found/],
      ["answers", {}, 404, /not_found/],
      ["..%2Fanswers%2Fa.txt", {}, 404, /not_found/],
      ["answers/.a.txt", {}, 404, /not_found/],
      ["answers%2Fa.txt", {}, 404, /not_found/],
      ["answers/con", {}, 404, /not_found/],
    ] as const) {
      const answer = await ask(name, headers)
      assert.is(answer.status, status, `${name} ${JSON.stringify(headers)}`)
      const body = await answer.text()
      if (typeof text === "string") assert.is(body, text)
      else assert.match(body, text)
    }

    const page = await ask("answers/page")
    assert.is(page.headers.get("content-disposition"), 'attachment; filename="page"')
    assert.is((await ask("answers/page?show=1")).headers.get("content-disposition"), null)
    assert.is((await ask("answers/kept.png")).headers.get("cache-control"), "public, max-age=60")
    assert.is((await ask("answers/kept.png", { range: "bytes=9-" })).headers.get("cache-control"), "no-cache")
    const head = await ask("answers/large.bin", {}, "HEAD")
    assert.is(head.headers.get("content-length"), String(large.length))
    const part = await ask("answers/large.bin", { range: "bytes=1000-9999999" })
    assert.is(part.headers.get("content-range"), `bytes 1000-9999999/${large.length}`)
    const bytes = new Uint8Array(await part.arrayBuffer())
    assert.ok(isSame(bytes, large.subarray(1000, 10_000_000)))
  })

  tests("part.save() stores an upload with the type that its content shows", async () => {
    const app = new App({ logger: false })
    const place = fresh()
    app.post("/", async (c) => {
      const sizes: number[] = []
      for await (const part of c.parts({ maxFile: 100 }))
        sizes.push(await part.save(files, `${place}/${part.name}.txt`))
      return c.json(200, sizes)
    })
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
    const body = new FormData()
    body.append("picture", new File([png], "x.html", { type: "text/html" }))
    body.append("text", new File(["hello"], "x.html", { type: "text/html" }))
    const answer = await app.request("/", { method: "POST", body })
    assert.equal(await answer.json(), [8, 5])
    assert.is((await files.head(`${place}/picture.txt`))?.type, "image/png")
    assert.is((await files.head(`${place}/text.txt`))?.type, "text/plain; charset=utf-8")
    const tooLarge = new FormData()
    tooLarge.append("large", new File([makeBytes(101)], "x"))
    assert.is((await app.request("/", { method: "POST", body: tooLarge })).status, 413)
    assert.is(await files.head(`${place}/large.txt`), null)
  })

  tests.run()
}
