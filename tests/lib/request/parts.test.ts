/**
 * Tests of uploads that are read while they arrive: cuts between all bytes, every limit, and which files remain on
 * the disk.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import { bodyLimit, type Part, type PartsOptions } from "../../../lib/index.ts"
import { readBoundary } from "../../../lib/request/form.ts"
import { Multipart } from "../../../lib/request/multipart.ts"
import { clientForms } from "../../support/clients.ts"
import { random } from "../../support/random.ts"

const parts = suite("parts")
const directory = mkdtempSync(join(tmpdir(), "fw-parts-"))
parts.after(() => rmSync(directory, { recursive: true, force: true }))

const boundary = "--x*9"
const type = `multipart/form-data; boundary="${boundary}"`
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, filename: string, value: string, type = "application/octet-stream") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`
const end = `--${boundary}--\r\n`

/** Returns a stream of a text's bytes in pieces of one length. */
function inPieces(text: string, length: number, onPull?: (sent: number) => void): ReadableStream<Uint8Array> {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + length))
        at += length
        onPull?.(at)
      },
    },
    { highWaterMark: 0 },
  )
}

function createStream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

/** Returns the parts of a body, and the error if the body is broken. */
async function readAll(body: ReadableStream<Uint8Array> | Uint8Array, boundary: string): Promise<unknown[]> {
  const found: unknown[] = []
  const multipart = new Multipart(body, boundary, 100)
  try {
    for (let head = await multipart.next(); head; head = await multipart.next()) {
      let text = ""
      for (let chunk = await multipart.readChunk(); chunk; chunk = await multipart.readChunk())
        text += Buffer.from(chunk).toString("latin1")
      found.push([head.name, head.filename, head.type, text])
    }
  } catch (error) {
    found.push((error as Error).message)
  }
  return found
}

interface Sent {
  readonly text?: string
  readonly body?: FormData | ReadableStream<Uint8Array>
  readonly type?: string
  readonly pieces?: number
  readonly options?: PartsOptions
  readonly limit?: Parameters<typeof bodyLimit>
}

/** Sends a request to a handler that reads its parts, and returns what the handler returns. */
async function upload(
  sent: Sent,
  handle: (parts: AsyncGenerator<Part>) => Promise<unknown>,
): Promise<{ status: number; body: unknown; bug: unknown }> {
  const app = new App({ logger: false })
  let bug: unknown
  app.onError((_, error) => {
    bug = error
    return undefined as never
  })
  app.post("/", bodyLimit(...(sent.limit ?? [10_000_000])), async (c) =>
    c.json(200, await handle(c.parts(sent.options))),
  )
  const body = sent.body ?? inPieces(sent.text ?? "", sent.pieces ?? 65536)
  const headers = sent.body instanceof FormData ? {} : { "content-type": sent.type ?? type }
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" }
  const answer = await app.fetch(new Request("http://localhost/", init))
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? "" : JSON.parse(text), bug }
}

async function all(parts: AsyncGenerator<Part>): Promise<unknown> {
  const found: unknown[] = []
  for await (const part of parts)
    found.push([part.name, part.filename ?? null, part.type, Buffer.from(await part.bytes()).toString("latin1")])
  return found
}

const tricky = `\r\n--${boundary.slice(0, 4)}\r\r\n\r\n-`
const whole = `preamble\r\n${field("a", "one")}${field("empty", "")}${file("f", "p.bin", tricky)}${field("q%22", tricky)}${file("none", "", "")}${end}epilogue`
const expected = [
  ["a", null, "", "one"],
  ["empty", null, "", ""],
  ["f", "p.bin", "application/octet-stream", tricky],
  ['q"', null, "", tricky],
  ["none", "", "application/octet-stream", ""],
]

parts("the parts of a form are the same wherever its bytes are split", async () => {
  for (let pieces = 1; pieces < whole.length + 10; pieces += pieces < 90 ? 1 : 37) {
    const { body } = await upload({ text: whole, pieces }, all)
    assert.equal(body, expected, `pieces of ${pieces}`)
  }
})

parts("the forms of every client are read alike, however they are cut", async () => {
  for (const { client, type, body, entries } of clientForms) {
    const boundary = readBoundary(type)
    const whole = await readAll(body, boundary)
    assert.is(whole.length, entries.length, client)
    for (let cut = 0; cut <= body.length; cut++) {
      const two = createStream([body.slice(0, cut), body.slice(cut)])
      assert.equal(await readAll(two, boundary), whole, `${client}, cut at ${cut}`)
    }
    for (const length of [1, 2, 3, 7]) {
      const pieces = inPieces(Buffer.from(body).toString("latin1"), length)
      assert.equal(await readAll(pieces, boundary), whole, `${client}, in pieces of ${length}`)
    }
  }
})

parts("random texts are read alike, however they are cut", async () => {
  const { pick } = random(7)
  const texts = [
    "\r",
    "\n",
    "\r\n",
    "--b",
    "--b--",
    "\r\n--b",
    "\r\n--b \t\r\n",
    "\r\n--b--",
    "x",
    " ",
    "-",
    "\r\n\r\n",
  ]
  const heads = ["--b\r\n", 'Content-Disposition: form-data; name="a"\r\n', "X: y\r\n"]
  for (let round = 0; round < 200; round++) {
    const text = `${heads.join("")}${Array.from({ length: 12 }, () => pick([...texts, ...heads])).join("")}\r\n--b--`
    const whole = await readAll(Buffer.from(text, "latin1"), "b")
    for (const length of [1, 2, 3, 7])
      assert.equal(await readAll(inPieces(text, length), "b"), whole, `${JSON.stringify(text)} in pieces of ${length}`)
  }
})

parts("waiting bytes are not copied again for each small chunk", async () => {
  // If each of 16,000 chunks were copied, this would copy 128 MB. The test counts copied bytes, because times vary.
  let copied = 0
  const { set } = Uint8Array.prototype
  Uint8Array.prototype.set = function (from: ArrayLike<number>, at?: number) {
    copied += from.length
    set.call(this, from, at)
  }
  try {
    const header = `X: ${"a".repeat(16_000)}\r\n`
    const body = `--b\r\nContent-Disposition: form-data; name="a"\r\n${header}\r\n\r\r\r\n--b--`
    assert.is((await readAll(inPieces(body, 1), "b")).length, 1)
  } finally {
    Uint8Array.prototype.set = set
  }
  assert.ok(copied < 100_000, `${copied} bytes were copied`)
})

parts("a form that the runtime's FormData wrote is read with the same names and values", async () => {
  const form = new FormData()
  form.append('näme "1"\r\n', "välue\r\n\0")
  form.append("f", new File([new Uint8Array(70_000).fill(13)], 'ph"o\nto.png', { type: "image/png" }))
  const { body } = await upload({ body: form }, async (parts) => {
    const found: unknown[] = []
    for await (const part of parts)
      found.push([
        part.name,
        part.filename ?? null,
        part.filename === undefined ? await part.text() : (await part.bytes()).length,
      ])
    return found
  })
  // FormData writes line breaks of names as CRLF (HTML standard, "multipart/form-data encoding algorithm").
  assert.equal(body, [
    ['näme "1"\r\n', null, "välue\r\n\0"],
    ["f", 'ph"oto.png', 70_000],
  ])
})

parts("parts that nobody reads are skipped", async () => {
  const { body } = await upload({ text: whole, pieces: 7 }, async (parts) => {
    const names: string[] = []
    for await (const { name } of parts) names.push(name)
    return names
  })
  assert.equal(
    body,
    expected.map(([name]) => name),
  )
})

/** Bodies that are refused, with the status and the message for the client. */
const refused: ReadonlyArray<readonly [name: string, Sent, status: number, message: RegExp]> = [
  ["no boundary", { text: whole, type: "multipart/form-data" }, 400, /has no valid boundary/],
  [
    "another content type",
    { text: "a=1", type: "application/x-www-form-urlencoded" },
    415,
    /expected multipart\/form-data, got a body of application\/x-www-form-urlencoded/,
  ],
  ["no content type", { text: "a=1", type: "" }, 415, /expected multipart/],
  ["cut off in a part", { text: whole.slice(0, 80) }, 400, /it ends too early/],
  ["cut off before the end", { text: field("a", "one") }, 400, /it ends too early, in part 1 \("a"\)/],
  ["no delimiter at all", { text: "hello" }, 400, /it ends too early/],
  ["no disposition", { text: `--${boundary}\r\nX: y\r\n\r\nv\r\n${end}` }, 400, /no Content-Disposition/],
  [
    "no name",
    { text: `--${boundary}\r\nContent-Disposition: form-data; filename="x"\r\n\r\nv\r\n${end}` },
    400,
    /Content-Disposition of part 1 has no name/,
  ],
  ["a header without a colon", { text: `--${boundary}\r\nnothing\r\n\r\nv\r\n${end}` }, 400, /no colon/],
  ["headers without an end", { text: `--${boundary}\r\nX: ${"y".repeat(20_000)}` }, 400, /of more than 16384 bytes/],
  [
    "many headers",
    { text: `--${boundary}\r\n${"X: y\r\n".repeat(5000)}\r\nv\r\n${end}` },
    400,
    /part 1 has more than 100 headers/,
  ],
  [
    "a lone carriage return in a header",
    { text: `--${boundary}\r\nX: a\rb\r\n\r\nv\r\n${end}` },
    400,
    /does not end with a carriage return and a line feed/,
  ],
  [
    "too many parts",
    { text: `${field("a", "1").repeat(3)}${end}`, options: { maxParts: 2 } },
    413,
    /more than 2 parts/,
  ],
  ["the app's limit of parts", { text: `${field("a", "1").repeat(1001)}${end}` }, 413, /more than 1000 parts/],
  [
    "a large file",
    { text: `${file("f", "x", "12345")}${end}`, options: { maxFile: 4 } },
    413,
    /^The file is larger than 4 bytes\.$/,
  ],
  ["a large body", { text: whole, limit: [100] }, 413, /larger than 100 bytes/],
  [
    "much text in memory",
    { text: `${field("a", "123")}${field("b", "456")}${end}`, limit: [1000, { buffered: 5 }] },
    413,
    /larger than 5 bytes/,
  ],
  [
    "a file of another type",
    { text: `${file("f", "x.png", "GIF89a", "image/png")}${end}`, options: { types: ["image/png"] } },
    415,
    /^Only PNG images are allowed\.$/,
  ],
  [
    "SVG among pictures",
    { text: `${file("f", "x.svg", "<svg>", "image/svg+xml")}${end}`, options: { types: ["image/*"] } },
    415,
    /^Only PNG, .* and TIFF images are allowed, not SVG\.$/,
  ],
  [
    "a file of no known type",
    { text: `${file("f", "x.png", "hello", "image/png")}${end}`, options: { types: ["image/*"] } },
    415,
    /^Only images are allowed\.$/,
  ],
  [
    "a file of none of two types",
    {
      text: `${file("f", "x.png", "GIF89a", "image/png")}${end}`,
      options: { types: ["image/png", "image/jpeg"] },
    },
    415,
    /^Only PNG and JPEG images are allowed\.$/,
  ],
]
for (const [name, sent, status, message] of refused) {
  for (const pieces of [1, 65536]) {
    parts(`a form is refused, sent in pieces of ${pieces}: ${name}`, async () => {
      const { status: got, body } = await upload({ ...sent, pieces }, all)
      assert.is(got, status)
      assert.match((body as { message: string }).message, message)
    })
  }
}

parts("a file is refused as soon as it is too large, and the rest of it is not read", async () => {
  let sent = 0
  const body = inPieces(`${file("f", "x", "y".repeat(1_000_000))}${end}`, 1000, (bytes) => {
    sent = bytes
  })
  const { status } = await upload({ body, options: { maxFile: 5000 } }, all)
  assert.is(status, 413)
  assert.ok(sent < 20_000, `${sent} bytes were asked for`)
})

parts("a form is read no further than its reader asks", async () => {
  let sent = 0
  const body = inPieces(`${file("f", "x", "y".repeat(1_000_000))}${end}`, 1000, (bytes) => {
    sent = bytes
  })
  const { status } = await upload({ body }, async (parts) => {
    const { value: part } = await parts.next()
    const reader = (part as Part).body.getReader()
    await reader.read()
    assert.ok(sent < 5000, `${sent} bytes were asked for`)
    reader.releaseLock()
    await parts.return(undefined)
    return "read"
  })
  assert.is(status, 200)
})

parts("a route can accept large uploads and keep only little of them in memory", async () => {
  const text = `${file("f", "x", "y".repeat(500_000))}${field("a", "note")}${end}`
  const { body } = await upload({ text, limit: [1_000_000, { buffered: 10 }] }, async (parts) => {
    const found: unknown[] = []
    for await (const part of parts) {
      if (part.filename === undefined) found.push(await part.text())
      else for await (const chunk of part.body) found.push(chunk.length > 0)
    }
    return found.at(-1)
  })
  assert.is(body, "note")
})

parts("the limit buffered applies to every way to keep the body in memory", async () => {
  const app = new App({ logger: false })
  app.post("/{kind}", bodyLimit(1000, { buffered: 10 }), async (c) => {
    if (c.param("kind") === "stream") return c.json(200, (await new Response(c.request.body).text()).length)
    return c.string(200, c.param("kind") === "text" ? await c.text() : String(await c.form()))
  })
  const body = "a=12345678901234567890"
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const statuses = await Promise.all(
    ["text", "form", "stream"].map(
      async (kind) => (await app.request(`/${kind}`, { method: "POST", body, headers })).status,
    ),
  )
  assert.equal(statuses, [413, 413, 200])
})

parts("a part can be read until the next one is asked for", async () => {
  const { bug } = await upload({ text: whole }, async (parts) => {
    const { value: first } = await parts.next()
    await parts.next()
    return (first as Part).text()
  })
  assert.match(String(bug), /the field "a" has ended: read a part before you ask for the next one/)
})

/** File names that a client sends, and the names that the program sees. */
const names: ReadonlyArray<readonly [given: string, seen: string]> = [
  ["photo.jpg", "photo.jpg"],
  ["../../etc/passwd", "passwd"],
  ["C:\\\\Users\\\\a\\\\x.png", "x.png"],
  ["/", ""],
  ["..", ""],
  [".", ""],
  ["a/..", ""],
  ["a/b/", "b"],
  ["C:\\\\a\\\\", "a"],
  ["%0Aevil%22.png", 'evil".png'],
  ["ünï.png", "ünï.png"],
]
for (const [given, seen] of names) {
  parts(`a file that is sent with the name ${given} has the name ${JSON.stringify(seen)}`, async () => {
    const text = Buffer.from(`${file("f", given.replaceAll("\\\\", "\\"), "x")}${end}`).toString("latin1")
    const { body } = await upload({ text }, async (parts) => ((await parts.next()).value as Part).filename)
    assert.is(body, seen)
  })
}

parts("the type of a part is found by its content, then by its header, and a field has none", async () => {
  const text = `${file("a", "a.txt", "\x89PNG\r\n\x1a\n", "text/plain")}${file("b", "b", "hello", "text/x-own")}${field("c", "\x89PNG\r\n\x1a\n")}${end}`
  const { body } = await upload({ text }, async (parts) => {
    const types: string[] = []
    for await (const part of parts) types.push(part.type)
    return types
  })
  assert.equal(body, ["image/png", "text/x-own", ""])
})

const saved = async (path: string, sent: Sent) =>
  upload(sent, async (parts) => {
    for await (const part of parts) if (part.name === "f") return part.save(path)
    return -1
  })
const upTo = (name: string) => join(directory, name)

parts("part.save() writes the whole file, and replaces an older one", async () => {
  writeFileSync(upTo("old"), "old and longer")
  assert.is((await saved(upTo("old"), { text: `${file("f", "x", "12345")}${end}` })).body, 5)
  assert.is(readFileSync(upTo("old"), "utf8"), "12345")
  assert.equal(
    readdirSync(directory).filter((name) => name.endsWith(".part")),
    [],
  )
})

parts("part.save() makes the missing directories of its path", async () => {
  assert.is((await saved(upTo("new/today/photo"), { text: `${file("f", "x", "12345")}${end}` })).body, 5)
  assert.equal(readdirSync(upTo("new/today")), ["photo"])
})

parts("a broken upload leaves the old file, and nothing next to it", async () => {
  writeFileSync(upTo("kept"), "kept")
  const { status } = await saved(upTo("kept"), { text: file("f", "x", "12345") })
  assert.is(status, 400)
  assert.is(readFileSync(upTo("kept"), "utf8"), "kept")
  assert.equal(
    readdirSync(directory).filter((name) => name.includes("kept")),
    ["kept"],
  )
})

parts("part.save() writes to the target of a link, and does not replace a directory", async () => {
  writeFileSync(upTo("target"), "t")
  symlinkSync("target", upTo("link"))
  await saved(upTo("link"), { text: `${file("f", "x", "new")}${end}` })
  assert.is(readFileSync(upTo("target"), "utf8"), "new")
  mkdirSync(upTo("folder"))
  const { bug } = await saved(upTo("folder"), { text: `${file("f", "x", "new")}${end}` })
  assert.match(String(bug), /part\.save\(\) cannot write to ".*folder", because it is a directory\n.*path of a file/)
  assert.match(String((await saved(upTo("target/x"), { text: `${file("f", "x", "n")}${end}` })).bug), /ENOTDIR/)
})

for (const options of [
  { maxFile: 0 },
  { maxParts: -1 },
  { types: ["text/plain"] },
  { types: "image/png" },
  { maxFiles: 1 },
] as const) {
  parts(`c.parts() refuses the options ${JSON.stringify(options)}`, async () => {
    const { status, bug } = await upload({ text: whole, options: options as PartsOptions }, all)
    assert.is(status, 500)
    assert.match(String(bug), /^TypeError: c\.parts\(\)(?:: (?:files|max|types)| takes as its options)/)
  })
}

parts("a request without a body has no parts", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => {
    for await (const part of c.parts()) return c.string(200, part.name)
    return c.noContent()
  })
  assert.is((await app.request("/", { method: "POST" })).status, 204)
})

parts.run()
