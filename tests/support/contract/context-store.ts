/** Contract cases: what a context reads from the body, and the values that it stores. */
import type { Context } from "../../../lib/index.ts"
import { type Ask, app, type Case, error, json } from "./case.ts"
import { type Row, reading, readingCases } from "./reading.ts"

function form(fields: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") data.append(name, value)
    else data.append(name, value, value.name)
  }
  return data
}

const upload: Ask = {
  method: "POST",
  path: "/",
  body: form({ title: "ü & 1", file: new File(["héllo"], "né.txt", { type: "text/plain" }) }),
}
const fields: Ask = {
  method: "POST",
  path: "/",
  body: new URLSearchParams("email=a%40b.c&__proto__=x&email=second&plus=1+1"),
}

const headers = (headers: Record<string, string>): Ask => ({ path: "/", headers })

const read: readonly Row[] = [
  [
    "c.request",
    "is a WHATWG Request, always the same",
    (c) => [c.request instanceof Request, c.request.method, c.request.url, new Set([c.request, c.request]).size],
    "PURGE /?a=1",
    [true, "PURGE", "http://localhost/?a=1", 1],
  ],
  ["c.request", "has the headers", (c) => c.request.headers.get("X-A"), headers({ "x-a": "1" }), "1"],
  [
    "c.request",
    "has the body",
    async (c) => [c.request.body !== null, await c.request.text()],
    { method: "POST", path: "/", body: "héllo" },
    [true, "héllo"],
  ],
  ["c.request", "has no body if none was sent", (c) => c.request.body === null, "/", true],
  ["c.bind()", "parses the JSON body", (c) => c.bind(), json("/", '{"a":[1,null,"ü"]}'), { a: [1, null, "ü"] }],
  ["c.bind()", "takes a byte order mark", (c) => c.bind(), json("/", '\ufeff{"a":1}'), { a: 1 }],
  ["c.bind()", "takes any JSON value", (c) => c.bind(), json("/", "null"), null],
  [
    "c.formValue()",
    "is a value of a urlencoded form",
    async (c) => [await c.formValue("email"), await c.formValue("plus")],
    fields,
    ["a@b.c", "1 1"],
  ],
  ["c.formValue()", "is a value of a multipart form", (c) => c.formValue("title"), upload, "ü & 1"],
  [
    "c.formValue()",
    'is "" when absent, also for names in Object.prototype',
    async (c) => [await c.formValue("x"), await c.formValue("constructor"), await c.formValue("__proto__")],
    fields,
    ["", "", "x"],
  ],
  ["c.formValue()", 'is "" for a file', (c) => c.formValue("file"), upload, ""],
  ["c.formValue()", 'is "" without a body', (c) => c.formValue("x"), "POST /", ""],
  [
    "c.formFile()",
    "gives name, size in bytes, type and content",
    async (c) => {
      const file = await c.formFile("file")
      return file && [file instanceof File, file.name, file.size, file.type, await file.text()]
    },
    upload,
    [true, "né.txt", 6, "text/plain", "héllo"],
  ],
  ["c.formFile()", "is null when absent", (c) => c.formFile("other"), upload, null],
  ["c.formFile()", "is null for a text field", (c) => c.formFile("title"), upload, null],
  [
    "c.set()",
    "keeps any value under any key",
    (c) => {
      c.set("__proto__", 1)
      c.set("a", { b: 2 })
      return [c.get("__proto__"), c.get("a"), c.get("toString") === undefined]
    },
    "/",
    [1, { b: 2 }, true],
  ],
  ["c.get()", "is undefined when absent", (c) => c.get("a") === undefined, "/", true],
  [
    "c.getString()",
    'is "" if the value is not a string',
    (c) => typed(c, (key) => c.getString(key)),
    "/",
    ["s", "", "", ""],
  ],
  ["c.getInt()", "is 0 if the value is not an integer", (c) => typed(c, (key) => c.getInt(key)), "/", [0, 7, 0, 0]],
  [
    "c.getBool()",
    "is false if the value is not true",
    (c) => typed(c, (key) => c.getBool(key)),
    "/",
    [false, false, true, false],
  ],
]

function typed(c: Context, get: (key: string) => unknown): unknown[] {
  for (const [key, value] of [
    ["s", "s"],
    ["i", 7],
    ["b", true],
  ] as const)
    c.set(key, value)
  return ["s", "i", "b", "absent"].map(get)
}

export const contextStore: readonly Case[] = [
  ...readingCases(read),
  {
    subject: "c.set()",
    name: "keeps a value until the end of the request",
    app: app((a) => {
      a.use((next) => (c) => {
        const stale = c.get("user") !== undefined
        c.set("user", "ada")
        c.setHeader("x-stale", String(stale))
        return next(c)
      })
      a.get("/", async (c) => {
        const inner = c.header("x-inner") ? "" : await (await a.request("/", { headers: { "x-inner": "1" } })).text()
        return c.string(200, `${c.getString("user")} ${inner}`)
      })
    }),
    request: "/",
    expect: { body: "ada ada ", headers: { "x-stale": "false" } },
  },
  {
    subject: "c.bind()",
    name: "an error that bind() throws is the answer",
    app: reading((c) => c.bind()),
    request: json("/", "{"),
    expect: {
      status: 400,
      headers: { "content-type": "application/json" },
      body: /^\{"error":"bad_request","message":"the body is not valid JSON/,
    },
  },
  {
    subject: "c.formFile()",
    name: "a body that is not a form is a 415",
    app: reading((c) => c.formFile("x")),
    request: json("/", "{}"),
    expect: {
      status: 415,
      ...error(
        "unsupported_media_type",
        "expected multipart/form-data or application/x-www-form-urlencoded, got a body of application/json",
      ),
    },
  },
]
