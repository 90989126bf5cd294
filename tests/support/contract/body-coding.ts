/**
 * Contract cases: bodies with a content coding such as gzip, which are refused, or decoded if the route says so.
 */
import { bodyLimit, type Context, combine, type HandlerFunc, type StandardSchema } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const anything: StandardSchema<object> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) },
}

const form = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data; boundary=x"

/** The methods that parse a body by its type, each with a body that it accepts. */
const readers: ReadonlyArray<readonly [name: string, type: string, body: string, read: (c: Context) => unknown]> = [
  ["bind", "application/json", "{}", (c) => c.bind()],
  ["bind with a schema", "application/problem+json", "{}", (c) => c.bind(anything)],
  ["text", "text/plain", "hello", (c) => c.text()],
  ["form", form, "a=1", (c) => c.form()],
  ["formValue", form, "a=1", (c) => c.formValue("a")],
  ["formFile", multipart, "--x--\r\n", (c) => c.formFile("a")],
  ["bindForm", form, "a=1", (c) => c.bindForm(anything)],
  ["readForm", form, "a=1", (c) => c.readForm(anything)],
  ["readForm of a large form", form, `a=${"1".repeat(500)}`, (c) => c.readForm(anything)],
  ["readForm of a large form with parts", multipart, "-".repeat(500), (c) => c.readForm(anything)],
  ["request.formData", form, "a=1", (c) => c.request.formData()],
  [
    "parts",
    multipart,
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    async (c) => {
      for await (const part of c.parts()) await part.text()
    },
  ],
]

/** The text `{}` in gzip. */
const gzipped = Uint8Array.from(atob("H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA=="), (char) => char.charCodeAt(0))

function createCase([name, type, body, read]: (typeof readers)[number], coding: string, expect: Case["expect"]): Case {
  return {
    subject: "request",
    name: `${name} of a body with the Content-Encoding ${coding} is a ${expect.status ?? 200}`,
    app: app(
      (a) =>
        a.post("/", async (c) => {
          await read(c)
          return c.json(200, "read")
        }),
      { bodyLimit: 400 },
    ),
    request: {
      method: "POST",
      path: "/",
      headers: { "content-type": type, "content-encoding": coding },
      body: coding === "gzip" ? gzipped : body,
    },
    expect,
  }
}

const refused = (coding: string): Case["expect"] => ({
  status: 415,
  headers: { "accept-encoding": "identity" },
  ...error(
    "unsupported_media_type",
    `the body has the Content-Encoding ${coding}, which is not decoded: send it without one`,
  ),
})

/** Decodes base64. A worker has no `node:zlib`. */
const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

/** The form `a=1&b=é`. */
const encodedForm = bytes("H4sIAAAAAAAAA0u0NVRLsj28EgD4YzHDCAAAAA==")
/** A form with the field `a`, without a line break at the end. */
const encodedParts = bytes(
  "H4sIAAAAAAAAA9PVreDlcs7PK0nNK9F1ySwuyC/OLMnMz7NSSMsvytVNSSxJtFbIS8xNtVVKVOLl4uUy5OXS1a3Q1QUA0YBJBjkAAAA=",
)
const encodedJSON = bytes("H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA")
/** The JSON in the zlib format, which is the coding deflate. */
const zlibJSON = bytes("eJyrVkpUsjKsBQAIKgIJ")
/** 200,000 spaces. */
const bomb = bytes(
  "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IM/kABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAK8BMWFiEEANAwA=",
)
/** 5,000 letters. */
const exact = bytes("H4sIAAAAAAACA+3BMQEAAADCoNqLbwo/oAAAAACAtwEm8NsAiBMAAA==")
const flipped = encodedJSON.slice()
flipped[flipped.length - 6] = 1 ^ (flipped.at(-6) as number)

const decoding = (read: (c: Context) => unknown): HandlerFunc =>
  bodyLimit(5000, { decompress: true, buffered: 4000 })(async (c) => c.json(200, (await read(c)) ?? null))

async function texts(c: Context): Promise<string[]> {
  const found: string[] = []
  for await (const part of c.parts()) found.push(await part.text())
  return found
}

const size = async (c: Context) => new Uint8Array(await c.request.arrayBuffer()).length
const damaged: Expected = {
  status: 400,
  ...error("bad_request", "the body is not valid gzip, or it ends too early"),
}
const notDecoded = (coding: string): Expected => ({
  status: 415,
  headers: { "accept-encoding": "gzip, deflate" },
  ...error(
    "unsupported_media_type",
    `the body has the Content-Encoding ${coding}, which is not decoded: send it in gzip, in deflate or without one`,
  ),
})
const tooLarge = (limit: number): Expected => ({
  status: 413,
  ...error("payload_too_large", `the body is larger than ${limit} bytes`),
})

/** Title, reader, coding, body, Content-Type, and the answer. */
const decoded: ReadonlyArray<
  readonly [
    title: string,
    read: (c: Context) => unknown,
    coding: string,
    body: Uint8Array<ArrayBuffer>,
    type: string,
    expect: Expected,
  ]
> = [
  ["bind", (c) => c.bind(), "gzip", encodedJSON, "application/json", { json: { a: 1 } }],
  ["bind with a schema", (c) => c.bind(anything), "gzip", encodedJSON, "application/json", { json: { a: 1 } }],
  ["text", (c) => c.text(), "gzip", encodedJSON, "text/plain", { json: '{"a":1}' }],
  ["bytes", async (c) => (await c.bytes()).length, "gzip", encodedJSON, "a/b", { json: 7 }],
  ["the stream", size, "gzip", encodedJSON, "a/b", { json: 7 }],
  [
    "form",
    async (c) => [...(await c.form())],
    "gzip",
    encodedForm,
    form,
    {
      json: [
        ["a", "1"],
        ["b", "é"],
      ],
    },
  ],
  ["formValue", (c) => c.formValue("b"), "gzip", encodedForm, form, { json: "é" }],
  ["bindForm", (c) => c.bindForm(anything), "gzip", encodedForm, form, { json: { a: "1", b: "é" } }],
  ["readForm", async (c) => (await c.readForm(anything)).ok, "gzip", encodedForm, form, { json: true }],
  ["request.formData", async (c) => [...(await c.request.formData())].length, "gzip", encodedForm, form, { json: 2 }],
  ["parts", texts, "gzip", encodedParts, multipart, { json: ["1"] }],
  [
    "reading the text and then the request, which no longer has a Content-Encoding,",
    async (c) => [
      await c.text(),
      await c.request.text(),
      c.request.headers.get("content-encoding"),
      c.request.headers.get("content-length"),
      c.header("content-encoding"),
    ],
    "gzip",
    encodedJSON,
    "text/plain",
    { json: ['{"a":1}', '{"a":1}', null, null, "gzip"] },
  ],
  ["x-gzip", (c) => c.bind(), "x-gzip", encodedJSON, "application/json", { json: { a: 1 } }],
  ["upper case", (c) => c.bind(), "GZIP", encodedJSON, "application/json", { json: { a: 1 } }],
  ["identity and gzip", (c) => c.bind(), "identity, gzip", encodedJSON, "application/json", { json: { a: 1 } }],
  ["deflate", (c) => c.bind(), "deflate", zlibJSON, "application/json", { json: { a: 1 } }],
  ["identity", (c) => c.text(), "identity", new Uint8Array([97]), "text/plain", { json: "a" }],
  ["no coding", (c) => c.text(), "", new Uint8Array([97]), "text/plain", { json: "a" }],
  ...(
    [
      ["text", (c) => c.text()],
      ["bytes", (c) => c.bytes()],
      ["the stream", size],
    ] as const satisfies readonly (readonly [string, (c: Context) => unknown])[]
  ).flatMap(([reader, read]): (typeof decoded)[number][] => [
    [`text that is not gzip, to ${reader}`, read, "gzip", new Uint8Array([123, 125]), "text/plain", damaged],
    [`gzip that is cut off, to ${reader}`, read, "gzip", encodedJSON.slice(0, -3), "text/plain", damaged],
    [`the beginning of gzip, to ${reader}`, read, "gzip", encodedJSON.slice(0, 4), "text/plain", damaged],
    [`gzip with a wrong checksum, to ${reader}`, read, "gzip", flipped, "text/plain", damaged],
    [`text after gzip, to ${reader}`, read, "gzip", new Uint8Array([...encodedJSON, 1, 2, 3]), "text/plain", damaged],
    [`deflate that calls itself gzip, to ${reader}`, read, "gzip", zlibJSON, "text/plain", damaged],
    [`gzip, gzip, to ${reader}`, read, "gzip, gzip", encodedJSON, "text/plain", notDecoded("gzip, gzip")],
    [`br, to ${reader}`, read, "br", encodedJSON, "text/plain", notDecoded("br")],
  ]),
  ["a small body that becomes too large, to text", (c) => c.text(), "gzip", bomb, "text/plain", tooLarge(4000)],
  ["a small body that becomes too large, to bind", (c) => c.bind(), "gzip", bomb, "application/json", tooLarge(4000)],
  ["a small body that becomes too large, to the stream", size, "gzip", bomb, "a/b", tooLarge(5000)],
  ["a small body that becomes too large, to parts", texts, "gzip", bomb, multipart, tooLarge(5000)],
  [
    "a small body that becomes too large, to readForm",
    async (c) => (await c.readForm(anything)).issues[""],
    "gzip",
    bomb,
    form,
    { json: "The form is larger than 4 kB." },
  ],
  ["a body with as many decoded bytes as the limit", size, "gzip", exact, "a/b", { json: 5000 }],
  [
    "a body with more encoded bytes than the limit",
    (c) => c.text(),
    "gzip",
    new Uint8Array(6000),
    "text/plain",
    { status: 413 },
  ],
]

const decodedCases: readonly Case[] = [
  ...decoded.flatMap(([title, read, coding, body, type, expect]) =>
    [false, true].map(
      (chunked): Case => ({
        subject: "bodyLimit()",
        name: `a body that is decoded${chunked ? ", in chunks" : ""}: ${title} is answered with ${expect.status ?? 200}`,
        app: app((a) => a.post("/", decoding(read))),
        request: {
          method: "POST",
          path: "/",
          headers: { "content-type": type, "content-encoding": coding },
          body,
          chunked,
        },
        expect,
      }),
    ),
  ),
  ...[combine.every((next) => next, bodyLimit(5000, { decompress: true })), bodyLimit(5000, { decompress: true })].map(
    (middleware, at): Case => ({
      subject: "bodyLimit()",
      name: `a middleware with decompress decodes ${at === 0 ? "the bodies of the routes below it" : "no bodies of a route with a bodyLimit() of its own"}`,
      app: app((a) => {
        a.use(middleware)
        a.post("/", async (c) => c.json(200, await c.bind()))
        a.router.mount("/mounted", async (request) => new Response(await request.text()))
        a.post(
          "/own",
          bodyLimit(100)(async (c) => c.json(200, await c.bind())),
        )
      }),
      request: {
        method: "POST",
        path: ["/mounted", "/own"][at] as string,
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: encodedJSON,
      },
      expect: at === 0 ? { body: '{"a":1}' } : refused("gzip"),
    }),
  ),
]

export const bodyCodingCases: readonly Case[] = [
  ...decodedCases,
  ...readers.flatMap((reader) =>
    ["gzip", "br", "gzip, identity", "none"].map((coding) => createCase(reader, coding, refused(coding))),
  ),
  ...readers
    .filter(([name]) => !name.includes("large"))
    .map((reader) => createCase(reader, "Identity", { json: "read" })),
  createCase(["bytes", "application/json", "{}", (c) => c.bytes()], "gzip", { json: "read" }),
  createCase(["request.arrayBuffer", "text/plain", "{}", (c) => c.request.arrayBuffer()], "gzip", {
    json: "read",
  }),
  {
    ...createCase(["text", "text/plain", "", (c) => c.text()], "x".repeat(500), refused(`${"x".repeat(200)}…`)),
    name: "a long Content-Encoding is shortened in the message",
    request: {
      method: "POST",
      path: "/",
      headers: { "content-encoding": "x".repeat(500) },
      body: "hello",
    },
  },
  {
    ...createCase(["text", "text/plain", "", (c) => c.text()], "gzip", { json: "read" }),
    name: "a request without a body has no coding to refuse",
    request: { method: "POST", path: "/", headers: { "content-encoding": "gzip" } },
  },
]
