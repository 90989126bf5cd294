/** Contract cases: bodies in a content coding, such as gzip, which no reader decodes. */
import type { Context, StandardSchema } from "../../../lib/index.ts"
import { app, type Case, error } from "./case.ts"

const anything: StandardSchema<object> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) },
}

const form = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data; boundary=x"

/** The ways to read a body as what its type says, with a body that each accepts. */
const readers: ReadonlyArray<
  readonly [name: string, type: string, body: string, read: (c: Context) => unknown]
> = [
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

/** `{}` as gzip. A worker has no `node:zlib`. */
const gzipped = Uint8Array.from(atob("H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA=="), (char) => char.charCodeAt(0))

function caseOf(
  [name, type, body, read]: (typeof readers)[number],
  coding: string,
  expect: Case["expect"],
): Case {
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

/** The cases. */
export const bodyCodingCases: readonly Case[] = [
  ...readers.flatMap((reader) =>
    ["gzip", "br", "gzip, identity", "none"].map((coding) => caseOf(reader, coding, refused(coding))),
  ),
  ...readers
    .filter(([name]) => !name.includes("large"))
    .map((reader) => caseOf(reader, "Identity", { json: "read" })),
  caseOf(["bytes", "application/json", "{}", (c) => c.bytes()], "gzip", { json: "read" }),
  caseOf(["request.arrayBuffer", "text/plain", "{}", (c) => c.request.arrayBuffer()], "gzip", {
    json: "read",
  }),
  {
    ...caseOf(["text", "text/plain", "", (c) => c.text()], "x".repeat(500), refused(`${"x".repeat(200)}…`)),
    name: "a long Content-Encoding is shortened in the message",
    request: {
      method: "POST",
      path: "/",
      headers: { "content-encoding": "x".repeat(500) },
      body: "hello",
    },
  },
  {
    ...caseOf(["text", "text/plain", "", (c) => c.text()], "gzip", { json: "read" }),
    name: "a request without a body has no coding to refuse",
    request: { method: "POST", path: "/", headers: { "content-encoding": "gzip" } },
  },
]
