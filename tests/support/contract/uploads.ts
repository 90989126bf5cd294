/** Contract cases: forms and files as browsers send them, and bytes that must arrive unchanged. */
import type { Context } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected, error } from "./case.ts"

const every = Uint8Array.from({ length: 256 }, (_, index) => index)
const large = new Uint8Array(300_000).map((_, index) => index * 7)

/** Returns a checksum of bytes. */
const sum = (bytes: Uint8Array) => bytes.reduce((hash, byte) => (hash * 31 + byte) >>> 0, bytes.length)
const summed = async (file: Blob) => sum(new Uint8Array(await file.arrayBuffer()))

/** Returns a form with a field for each entry, in order. */
function form(...entries: ReadonlyArray<readonly [name: string, value: string | File]>): FormData {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

const text = (name: string, content: string) => new File([content], name, { type: "text/plain" })

type Row = readonly [
  name: string,
  read: (c: Context) => unknown,
  body: NonNullable<Ask["body"]>,
  expect: Expected,
  type?: string,
]

const fileRows: readonly Row[] = [
  [
    "a field and a file are read",
    async (c) => [await c.formValue("a"), (await c.formFile("f"))?.name, await (await c.formFile("f"))?.text()],
    form(["a", "1"], ["f", text("x.txt", "content")]),
    { json: ["1", "x.txt", "content"] },
  ],
  [
    "a file keeps every possible byte",
    async (c) => summed((await c.formFile("f")) as File),
    form(["f", new File([every], "b.bin", { type: "application/octet-stream" })]),
    { json: sum(every) },
  ],
  [
    "a file of many packets is read",
    async (c) => summed((await c.formFile("f")) as File),
    form(["f", new File([large], "l.bin", { type: "image/png" })]),
    { json: sum(large) },
  ],
  [
    "an empty file has size 0",
    async (c) => {
      const file = await c.formFile("f")
      return [file?.name, file?.size]
    },
    form(["f", new File([], "e.bin", { type: "image/png" })]),
    { json: ["e.bin", 0] },
  ],
  [
    "several files with one name are read",
    async (c) => (await c.form()).getAll("f").map((file) => (file as File).name),
    form(["f", text("1", "a")], ["f", text("2", "b")]),
    { json: ["1", "2"] },
  ],
  [
    "names beyond ASCII are read",
    async (c) => [(await c.formFile("ü"))?.name, await c.formValue("日本")],
    form(["ü", text("naïve 日本.txt", "a")], ["日本", "é"]),
    { json: ["naïve 日本.txt", "é"] },
  ],
  [
    "a text field is not a file",
    async (c) => [await c.formFile("a"), await c.formValue("f")],
    form(["a", "1"], ["f", text("x", "y")]),
    { json: [null, ""] },
  ],
  [
    "a field of several lines is read",
    (c) => c.formValue("a"),
    form(["a", "one\r\ntwo\r\n--three"]),
    { json: "one\r\ntwo\r\n--three" },
  ],
  [
    "a file has its type",
    async (c) => (await c.formFile("f"))?.type,
    form(["f", new File(["x"], "x.png", { type: "image/png" })]),
    { json: "image/png" },
  ],
  ['a missing field is ""', (c) => c.formValue("none"), form(["a", "1"]), { json: "" }],
  [
    "a form and the bytes can be read together",
    async (c) => [await c.formValue("a"), await c.formValue("a"), (await c.bytes()).length > 0],
    form(["a", "1"]),
    { json: ["1", "1", true] },
  ],
]

const urlencoded = "application/x-www-form-urlencoded"
const plainRows: readonly Row[] = [
  ["plus and percent are decoded", (c) => c.formValue("a"), "a=b+c%2B%26&d=", { json: "b c+&" }, urlencoded],
  ["UTF-8 is decoded", (c) => c.formValue("a"), "a=%C3%A9%E6%97%A5", { json: "é日" }, urlencoded],
  ["the first of several values is given", (c) => c.formValue("a"), "a=1&a=2", { json: "1" }, urlencoded],
  ['a name without a value is ""', (c) => c.formValue("a"), "a&b=1", { json: "" }, `${urlencoded}; charset=utf-8`],
  ["an empty form has no fields", async (c) => [...(await c.form()).keys()], "", { json: [] }, urlencoded],
  ["a body keeps every possible byte", async (c) => sum(await c.bytes()), every, { json: sum(every) }, "a/b"],
  ["a body of many packets is read", async (c) => sum(await c.bytes()), large, { json: sum(large) }, "a/b"],
  [
    "a body of many packets is read as a stream",
    async (c) => {
      const { body } = c.request
      let size = 0
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length
      return size
    },
    large,
    { json: large.length },
    "a/b",
  ],
  [
    "a form with another Content-Type is a 415",
    (c) => c.formValue("a"),
    "a=1",
    {
      status: 415,
      ...error(
        "unsupported_media_type",
        "expected multipart/form-data or application/x-www-form-urlencoded, got a body of text/plain",
      ),
    },
    "text/plain",
  ],
]

export const uploadCases: readonly Case[] = [...fileRows, ...plainRows].flatMap(([name, read, body, expect, type]) =>
  [false, true].map(
    (chunked): Case => ({
      subject: "c.formFile()",
      name: `${name}${chunked ? ", in chunks" : ""}`,
      app: app((a) => a.post("/", async (c) => c.json(200, await read(c)))),
      request: {
        method: "POST",
        path: "/",
        body,
        chunked,
        ...(type === undefined ? {} : { headers: { "content-type": type } }),
      },
      expect,
    }),
  ),
)
