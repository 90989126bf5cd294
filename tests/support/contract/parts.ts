/**
 * Contract cases: forms that are read part by part while they arrive, and forms and queries that a schema checks.
 */
import { bodyLimit, type Context, type Part, type PartsOptions, type StandardSchema } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected, error } from "./case.ts"

const large = new Uint8Array(300_000).map((_, index) => index * 7)
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])

function form(...entries: ReadonlyArray<readonly [name: string, value: string | File]>): FormData {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

const file = (name: string, bytes: Uint8Array<ArrayBuffer>) => new File([bytes], name, { type: "text/plain" })

/** Returns the name, file name, type by content, and size of each part, whose bytes are read as a stream. */
async function streamed(c: Context, options?: PartsOptions): Promise<unknown> {
  const found: unknown[] = []
  for await (const part of c.parts(options)) {
    let size = 0
    const reader = part.body.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length
    found.push([part.name, part.filename ?? null, part.type, size])
  }
  return found
}

async function texts(c: Context): Promise<unknown> {
  const found: string[] = []
  for await (const part of c.parts()) found.push(await part.text())
  return found
}

/** Saves the first part. Without a disk, this is an error of the program. */
async function saved(c: Context): Promise<unknown> {
  const { TMPDIR = "/tmp" } = c.env as { TMPDIR?: string }
  for await (const part of c.parts()) {
    const size = await part.save(`${TMPDIR}/fw-contract/part.bin`).catch(({ code }) => String(code))
    return size === large.length || size === "platform"
  }
  return "no part"
}

const readBefore = "TypeError: the body was read through c.request or c.parts() already: read it in one way only"
const readPart = 'TypeError: the field "a" was read already: a part can be read once'

async function readTwice(c: Context): Promise<unknown> {
  const names: string[] = []
  for await (const { name } of c.parts()) names.push(name)
  return [...names, await texts(c).catch(String)]
}

async function readAfterLeaving(c: Context): Promise<unknown> {
  for await (const part of c.parts()) if (part.name === "a") break
  return texts(c).catch(String)
}

async function textOfFirst(c: Context): Promise<unknown> {
  for await (const part of c.parts()) return part.text()
  return "no part"
}

const contact: StandardSchema<{ name: string }> = {
  "~standard": {
    version: 1,
    vendor: "contract",
    validate(value) {
      const { name } = value as { name?: unknown }
      if (typeof name === "string" && name.length > 1) return { value: { name } }
      return { issues: [{ message: "too short", path: ["name"] }] }
    },
  },
}

const both = form(["a", "é\r\n--b"], ["f", file("日本.png", png)], ["l", file("../large.bin", large)])

/** Title, method that reads, form, and the answer. */
const rows: ReadonlyArray<
  readonly [name: string, read: (c: Context) => unknown, body: NonNullable<Ask["body"]>, expect: Expected]
> = [
  [
    "parts arrive in order, each with its name, its file's name without directories, and its type by content if that is known",
    (c) => streamed(c),
    both,
    {
      json: [
        ["a", null, "", 7],
        ["f", "日本.png", "image/png", 10],
        ["l", "large.bin", "text/plain", 300_000],
      ],
    },
  ],
  [
    "parts that nobody reads are skipped",
    async (c) => {
      const names: string[] = []
      for await (const { name } of c.parts()) names.push(name)
      return names
    },
    both,
    { json: ["a", "f", "l"] },
  ],
  ["a second loop over c.parts() is an error", readTwice, both, { json: ["a", "f", "l", readBefore] }],
  [
    "a second loop over c.parts() is an error, also if the first loop was left",
    readAfterLeaving,
    both,
    { json: readBefore },
  ],
  [
    "a loop over c.parts() after reading the body of the request is an error",
    async (c) => {
      await c.request.arrayBuffer()
      return texts(c).catch(String)
    },
    both,
    { json: readBefore },
  ],
  [
    "c.parts() can be used after c.form(), and several times",
    async (c) => [[...(await c.form()).keys()], await texts(c), await texts(c)],
    form(["a", "1"], ["b", "2"]),
    {
      json: [
        ["a", "b"],
        ["1", "2"],
        ["1", "2"],
      ],
    },
  ],
  [
    "a text that is returned from the loop without an await is whole",
    (c) => textOfFirst(c),
    form(["a", "x".repeat(2500)], ["b", "2"]),
    { json: "x".repeat(2500) },
  ],
  [
    "texts that are awaited after the loop are whole",
    async (c) => {
      const found: Promise<string>[] = []
      for await (const part of c.parts()) found.push(part.text())
      return Promise.all(found)
    },
    form(["a", "x".repeat(1500)], ["b", "2"], ["c", "3"]),
    { json: ["x".repeat(1500), "2", "3"] },
  ],
  [
    "a stream that still reads when the next part is asked for takes nothing of it",
    async (c) => {
      const found: unknown[] = []
      for await (const part of c.parts()) {
        const reader = part.body.getReader()
        if (found.length > 0) found.push((await reader.read()).value?.length)
        else
          found.push(
            reader
              .read()
              .then(() => reader.read())
              .then(() => reader.read())
              .catch(String),
          )
      }
      return Promise.all(found)
    },
    form(["a", ""], ["b", "22"]),
    { json: [{ done: true }, 2] },
  ],
  [
    "reading a part after the loop was left is an error that says why",
    async (c) => {
      let left: Part | undefined
      for await (const part of c.parts()) {
        left = part
        break
      }
      return left?.text().catch(String)
    },
    form(["a", "1"], ["b", "2"]),
    { json: 'TypeError: the field "a" has ended: read a part before you ask for the next one' },
  ],
  [
    "reading a part a second time is an error that says why",
    async (c) => {
      const found: unknown[] = []
      for await (const part of c.parts())
        found.push(await part.text(), await part.text().catch(String), await part.bytes().catch(String))
      return found
    },
    form(["a", ""]),
    { json: ["", readPart, readPart] },
  ],
  ["the text of a part is read", texts, form(["a", "1"], ["b", "é"]), { json: ["1", "é"] }],
  ["a part is saved where there is a disk", saved, form(["l", file("l.bin", large)]), { json: true }],
  [
    "a file of another type is a 415",
    (c) => streamed(c, { types: ["image/jpeg"] }),
    form(["f", file("x.jpg", png)]),
    { status: 415, body: /Only JPEG images are allowed/ },
  ],
  [
    "a file that is too large is a 413",
    (c) => streamed(c, { maxFile: 9 }),
    form(["f", file("x", png)]),
    { status: 413 },
  ],
  [
    "a form with too many parts is a 413",
    (c) => streamed(c, { maxParts: 1 }),
    form(["a", "1"], ["b", "2"]),
    { status: 413, ...error("payload_too_large", "the form has more than 1 parts") },
  ],
  [
    "texts that are larger than what may be kept are a 413",
    texts,
    form(["a", "x".repeat(2000)], ["b", "y".repeat(2000)]),
    { status: 413 },
  ],
  ["a form is bound by a schema", (c) => c.bindForm(contact), form(["name", "Ada"]), { json: { name: "Ada" } }],
  [
    "a form that the schema refuses is a 400",
    (c) => c.bindForm(contact),
    form(["name", "A"]),
    { status: 400, body: /"issues":\[\{"message":"too short","path":\["name"\]\}\]/ },
  ],
  [
    "a refused form is read with its values and its issues",
    (c) => c.readForm(contact),
    new URLSearchParams({ name: "A", password: "secret" }),
    { json: { ok: false, values: { name: "A" }, lists: { name: ["A"] }, issues: { name: "too short" } } },
  ],
]

const photo = (size: number) => file("p.png", large.slice(0, size))

/** Title, form of more than 3,000 bytes, the values that are shown again, and the issues. */
const largeForms: ReadonlyArray<
  readonly [name: string, FormData, values: Record<string, string>, issues: Record<string, string>]
> = [
  [
    "one file",
    form(["name", "Ada"], ["photo", photo(4000)], ["note", "é"], ["password", "x"]),
    { name: "Ada", note: "é" },
    { photo: "The file is larger than 3 kB." },
  ],
  [
    "more than twice the limit",
    form(["name", "Ada"], ["photo", photo(300_000)], ["note", "not read"]),
    { name: "Ada" },
    { photo: "The file is larger than 3 kB." },
  ],
  [
    "several files",
    form(["a", photo(1200)], ["b", photo(1600)], ["c", photo(10)], ["name", "Ada"]),
    { name: "Ada" },
    { b: "The files are larger than 3 kB together." },
  ],
  [
    "only text",
    form(["name", "Ada"], ["text", "x".repeat(4000)]),
    { name: "Ada" },
    { "": "The form is larger than 3 kB." },
  ],
]

/**
 * The title of a way to read a form that is too large, its path, and the issues if the client does not send the
 * size.
 */
const largeReaders: ReadonlyArray<
  readonly [name: string, path: string, expect: (values: unknown, issues: unknown) => Expected]
> = [
  ["is shown again", "/form", (values, issues) => ({ status: 422, json: { ok: false, values, issues } })],
  [
    "is refused by c.bindForm()",
    "/bind",
    () => ({ status: 413, ...error("payload_too_large", "the body is larger than 3000 bytes") }),
  ],
  [
    "is refused by c.parts()",
    "/parts",
    // The second text is for a body whose size is not sent.
    () => ({
      status: 413,
      body: /"message":"(?:The form is larger than 3 kB\.|the body is larger than 3000 bytes)"/,
    }),
  ],
]
const readLarge = app(
  (a) => {
    a.post("/form", async (c) => {
      const { ok, values, issues } = await c.readForm(contact)
      return c.json(422, { ok, values, issues })
    })
    a.post("/bind", async (c) => c.json(200, await c.bindForm(contact)))
    a.post("/parts", async (c) => c.json(200, await texts(c)))
  },
  { bodyLimit: 3000 },
)

const largeCases: readonly Case[] = [
  ...largeReaders.flatMap(([title, path, expect]) =>
    largeForms.flatMap(([name, body, values, issues]) =>
      [false, true].map(
        (chunked): Case => ({
          subject: "forms",
          name: `a form that is too large ${title}: ${name}${chunked ? ", in chunks" : ""}`,
          app: readLarge,
          request: { method: "POST", path, body, chunked },
          expect: chunked ? expect({}, { "": "The form is larger than 3 kB." }) : expect(values, issues),
          // A Request of a program does not have a size.
          ...(chunked ? {} : { via: "socket" }),
        }),
      ),
    ),
  ),
  {
    subject: "forms",
    name: "a form that is too large is shown again after c.request was read",
    // The chunks are smaller than the limit. The chunk that exceeds it is not passed on.
    app: app(
      (a) => {
        a.post("/", async (c) => {
          const { method } = c.request
          const { ok, values, issues } = await c.readForm(contact)
          return c.json(422, { method, ok, values, issues })
        })
      },
      { bodyLimit: 200_000 },
    ),
    request: { method: "POST", path: "/", body: form(["name", "Ada"], ["photo", photo(300_000)]) },
    expect: {
      status: 422,
      json: {
        method: "POST",
        ok: false,
        values: { name: "Ada" },
        issues: { photo: "The file is larger than 200 kB." },
      },
    },
    via: "socket",
  },
]

export const partCases: readonly Case[] = largeCases.concat(
  rows.flatMap(([name, read, body, expect]) =>
    [false, true].map(
      (chunked): Case => ({
        subject: "c.parts()",
        name: `${name}${chunked ? ", in chunks" : ""}`,
        app: app((a) => a.post("/", bodyLimit(1_000_000, { buffered: 3000 }), async (c) => c.json(200, await read(c)))),
        request: { method: "POST", path: "/", body, chunked },
        expect,
      }),
    ),
  ),
)
