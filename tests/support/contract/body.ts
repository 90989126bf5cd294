/** Contract cases: bodies that are read in every way, and the answers to invalid ones. */
import type { Context, HandlerFunc, StandardSchema } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected, error, json, post } from "./case.ts"

const limit = 64
const echo = (read: (c: Context) => unknown) => {
  const handler: HandlerFunc = async (c) => c.json(200, (await read(c)) ?? null)
  return app(
    (a) => {
      a.post("/", handler)
      a.get("/", handler)
    },
    { bodyLimit: limit },
  )
}
const bind = (c: Context) => c.bind()
const bad = (message: string): Expected => ({ status: 400, ...error("bad_request", message) })
const large: Expected = {
  status: 413,
  ...error("payload_too_large", `the body is larger than ${limit} bytes`),
}
const multipart = (text: string) => post(text.replaceAll("\n", "\r\n"), "multipart/form-data; boundary=x")
const whole = '--x\nContent-Disposition: form-data; name="a"\n\n1\n--x--\n'

const formData = async (c: Context) => [...(await c.request.formData()).keys()]
const noForm = (type: string) => ({
  status: 415,
  ...error("unsupported_media_type", `expected multipart/form-data or application/x-www-form-urlencoded, got ${type}`),
})

/** If a program reads the form from the request itself, invalid input of a client does not count as a bug. */
const formDataRows: typeof rows = [
  [
    "request.formData() reads a form",
    formData,
    post("a=1&b=2", "application/x-www-form-urlencoded"),
    { json: ["a", "b"] },
  ],
  [
    "request.formData() of another type is a 415",
    formData,
    post("{}", "application/json"),
    noForm("a body of application/json"),
  ],
  ["request.formData() of a text is a 415", formData, post("a=1"), noForm("a body of text/plain")],
  ["request.formData() of an empty body is empty", formData, multipart(""), { json: [] }],
  [
    "request.formData() of an empty body in chunks is empty",
    formData,
    post("", "multipart/form-data; boundary=x", true),
    { json: [] },
  ],
  ["request.formData() without a body is empty", formData, "POST /", { json: [] }],
  ["request.formData() of GET is empty", formData, "GET /", { json: [] }],
  [
    "request.formData() after text is the same form",
    async (c) => [(await c.text()).length, await formData(c), await formData(c)],
    post("a=1&b=2", "application/x-www-form-urlencoded"),
    { json: [7, ["a", "b"], ["a", "b"]] },
  ],
]

/** The message has the position of the mistake if the engine reports it. */
const noJSON: Expected = {
  status: 400,
  body: /^\{"error":"bad_request","message":"the body is not valid JSON(?:: it ends too early| at line \d+, column \d+)?"\}$/,
}
const brokenJSON = ["{", '{"a":', "{'a':1}", '{"a":1}\n{"b":2}', "[1,]", "nul", "undefined", '"\n"']
const poison: ReadonlyArray<readonly [body: string, key: string]> = [
  ['{"__proto__":{"admin":true}}', "__proto__"],
  ['[{"a":[{"__proto__":1}]}]', "__proto__"],
  ['{"\\u005f_proto__":1}', "__proto__"],
  ['{"_\\u005Fproto__":null}', "__proto__"],
  ['{"constructor":{"prototype":{"a":1}}}', "constructor.prototype"],
  ['{"\\u0063onstructor":{"prototype":{}}}', "constructor.prototype"],
  ['{"c\\u006fnstructor":{"protot\\u0079pe":{}}}', "constructor.prototype"],
]

type Row = readonly [name: string, read: (c: Context) => unknown, request: Ask | string, expect: Expected]

const user: StandardSchema<{ name: string }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    async validate(value) {
      const { name } = (value ?? {}) as { name?: unknown }
      if (typeof name === "string") return { value: { name: name.trim() } }
      return {
        issues: [{ message: "expected a string", path: ["name", { key: 0 }, Symbol("s")] }, { message: "whole" }],
      }
    },
  },
}

const rows: readonly Row[] = [
  ...brokenJSON.map((body): Row => [`malformed JSON ${JSON.stringify(body)} is a 400`, bind, json("/", body), noJSON]),
  ["an empty body is not JSON, and a 400", bind, json("/", ""), bad("the body is empty, not JSON")],
  ...poison.map(
    ([body, key]): Row => [
      `a dangerous key in ${body} is a 400`,
      bind,
      json("/", body),
      bad(`the body has a key "${key}", which is not allowed`),
    ],
  ),
  [
    "a key constructor without a prototype in it is accepted",
    bind,
    json("/", '{"constructor":"Ford","prototype":{},"_":1}'),
    { json: { constructor: "Ford", prototype: {}, _: 1 } },
  ],
  [
    "JSON that is not UTF-8 is a 400",
    bind,
    post(new Uint8Array([0x22, 0xff, 0x22]), "application/json"),
    bad("the body is not valid UTF-8"),
  ],
  [
    "JSON with another Content-Type is a 415",
    bind,
    post("{}", "Text/Plain; charset=x"),
    {
      status: 415,
      ...error("unsupported_media_type", "expected application/json, got a body of text/plain"),
    },
  ],
  [
    "JSON without a Content-Type is a 415",
    bind,
    "POST /",
    {
      status: 415,
      ...error("unsupported_media_type", "expected application/json, got a body without a Content-Type"),
    },
  ],
  [
    "deeply nested JSON is read",
    async (c) => JSON.stringify(await c.bind()).length,
    json("/", `${"[".repeat(30)}${"]".repeat(30)}`),
    { json: 60 },
  ],
  [
    "a body that fits the schema is given as the schema returns it",
    (c) => c.bind(user),
    json("/", { name: " ada ", more: 1 }),
    { json: { name: "ada" } },
  ],
  [
    "a body that does not fit the schema is a 400 with issues",
    (c) => c.bind(user),
    json("/", { name: 1 }),
    {
      status: 400,
      ...error("bad_request", "the body is not valid", {
        issues: [{ message: "expected a string", path: ["name", 0, "Symbol(s)"] }, { message: "whole" }],
      }),
    },
  ],
  ["a whole multipart form is read", (c) => c.formValue("a"), multipart(whole), { json: "1" }],
  [
    "broken percent-encoding in a form stays as it is",
    (c) => c.formValue("a"),
    post("a=%zz&b=%", "application/x-www-form-urlencoded"),
    { json: "%zz" },
  ],
  ["a form with another Content-Type is a 415", (c) => c.form(), post("a=1"), { status: 415 }],
  ...[
    ["text", (c: Context) => c.text()],
    ["bytes", (c: Context) => c.bytes()],
    ["request", (c: Context) => c.request.text()],
    ["clone", (c: Context) => c.request.clone().text()],
    ["form", (c: Context) => c.form()],
  ].flatMap(([name, read]): Row[] => {
    const type = name === "form" ? "application/x-www-form-urlencoded" : "text/plain"
    return [
      [
        `${name} over the limit is a 413, with Content-Length`,
        read as Row[1],
        post("x".repeat(limit + 1), type),
        large,
      ],
      [`${name} over the limit is a 413, in chunks`, read as Row[1], post("x".repeat(limit + 1), type, true), large],
    ]
  }),
  [
    "a body as large as the limit is read, in chunks",
    (c) => c.text(),
    post("x".repeat(limit), "", true),
    { json: "x".repeat(limit) },
  ],
  [
    "a body as large as the limit is read, with Content-Length",
    (c) => c.text(),
    post("x".repeat(limit)),
    { json: "x".repeat(limit) },
  ],
  [
    "text, bytes, JSON and the request can be read one after another",
    async (c) => [await c.text(), (await c.bytes()).length, await c.bind(), await c.request.json()],
    json("/", '{"a":1}'),
    { json: ['{"a":1}', 7, { a: 1 }, { a: 1 }] },
  ],
  [
    "several readers can read at the same time",
    (c) => Promise.all([c.text(), c.text(), c.bind()]),
    json("/", "[1]"),
    { json: ["[1]", "[1]", [1]] },
  ],
  [
    "a form can be read several times",
    async (c) => [await c.formValue("a"), await c.formValue("b"), await c.text()],
    post("a=1&b=2", "application/x-www-form-urlencoded"),
    { json: ["1", "2", "a=1&b=2"] },
  ],
  [
    "text can be read after the method of the request, and the request after that",
    async (c) => [c.request.method, await c.text(), await c.request.text(), await c.request.text()],
    post("hi"),
    { json: ["POST", "hi", "hi", "hi"] },
  ],
  [
    "text can be read after a clone of the request",
    async (c) => [await c.request.clone().text(), await c.text()],
    post("hi"),
    { json: ["hi", "hi"] },
  ],
  [
    "text after the body of the request was read is an error that says why",
    async (c) => {
      await c.request.text()
      return c.text().catch((e: Error) => `${e.name}: ${e.message}`)
    },
    post("hi"),
    { json: "TypeError: the body was read through c.request or c.parts() already: read it in one way only" },
  ],
  ...formDataRows,
  [
    "the stream of the request has the whole body",
    async (c) => {
      let size = 0
      for await (const chunk of c.request.body as unknown as AsyncIterable<Uint8Array>) size += chunk.length
      return size
    },
    post("x".repeat(limit), "", true),
    { json: limit },
  ],
  [
    "a request without a body gives empty text and bytes",
    async (c) => [await c.text(), (await c.bytes()).length, c.request.body === null],
    "POST /",
    { json: ["", 0, true] },
  ],
  [
    "text that is not UTF-8 is a 400",
    (c) => c.text(),
    post(new Uint8Array([0xff])),
    bad("the body is not valid UTF-8"),
  ],
  [
    "a body over the limit that nobody reads is a 413, with Content-Length",
    (c) => c.path,
    post("x".repeat(limit + 1)),
    large,
  ],
  ["a body within the limit that nobody reads is accepted", (c) => c.path, post("x".repeat(limit)), { json: "/" }],
]

export const bodyCases: readonly Case[] = [
  ...rows.map(([name, read, request, expect]): Case => ({ subject: "body", name, app: echo(read), request, expect })),
]
