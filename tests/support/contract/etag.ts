/** Contract cases: which answers `etag()` tags, and which it turns into a 304. */
import { type ETagOptions, etag, type HandlerFunc } from "../../../lib/index.ts"
import { app, type Case, type Expected } from "./case.ts"

/** The tag of the text `hello`: the first 22 characters of its SHA-256 in base 64. */
const tag = '"LPJNul+wow4m6Dsqxbninh"'
const hello: HandlerFunc = (c) => {
  c.setHeader("Cache-Control", "max-age=5")
  return c.string(200, "hello")
}
const say =
  (headers: Record<string, string>): HandlerFunc =>
  (c) => {
    for (const [name, value] of Object.entries(headers)) c.setHeader(name, value)
    return c.string(200, "hello")
  }
const full: Expected = { body: "hello", headers: { etag: tag } }
const none: Expected = { body: "hello", headers: { etag: null } }
const notModified: Expected = {
  status: 304,
  body: "",
  headers: { etag: tag, "content-type": null, "cache-control": "max-age=5" },
}
const late = "Fri, 01 Jan 2100 00:00:00 GMT"
const early = "Sat, 01 Jan 2000 00:00:00 GMT"

type Row = readonly [
  name: string,
  handler: HandlerFunc,
  request: Readonly<Record<string, string>>,
  expect: Expected,
  options?: ETagOptions,
]

const rows: readonly Row[] = [
  ["text gets an ETag", hello, {}, full],
  [
    "bytes get the same ETag as the same text",
    (c) => c.blob(200, "text/plain", new TextEncoder().encode("hello")),
    {},
    full,
  ],
  ["the option weak makes a weak ETag", hello, {}, { headers: { etag: `W/${tag}` } }, { weak: true }],
  [
    "another text gets another ETag",
    (c) => c.string(200, "hallo"),
    {},
    { headers: { etag: /^"(?!LPJN).{22}"$/ } },
  ],
  ["a request with the same ETag is a 304", hello, { "if-none-match": tag }, notModified],
  [
    "a request with the ETag among several is a 304",
    hello,
    { "if-none-match": `"x", W/${tag}` },
    notModified,
  ],
  ["a request with If-None-Match: * is a 304", hello, { "if-none-match": "*" }, notModified],
  ["a request with another ETag gets the whole answer", hello, { "if-none-match": '"x"' }, full],
  ["an ETag without quotes is ignored", hello, { "if-none-match": tag.slice(1, -1) }, full],
  ["an ETag that the program sets is kept", say({ ETag: '"mine"' }), {}, { headers: { etag: '"mine"' } }],
  [
    "an ETag that the program sets is compared",
    say({ ETag: '"mine"' }),
    { "if-none-match": '"mine"' },
    { status: 304, headers: { etag: '"mine"' } },
  ],
  [
    "If-Modified-Since with the date of Last-Modified is a 304",
    say({ "Last-Modified": early }),
    { "if-modified-since": early },
    { status: 304 },
  ],
  [
    "If-Modified-Since before Last-Modified gets the whole answer",
    say({ "Last-Modified": late }),
    { "if-modified-since": early },
    full,
  ],
  [
    "If-None-Match wins over If-Modified-Since",
    say({ "Last-Modified": early }),
    { "if-none-match": '"x"', "if-modified-since": late },
    full,
  ],
  ["an answer with no-store gets no ETag", say({ "Cache-Control": "private, no-store" }), {}, none],
  [
    "a stream is not read and gets no ETag",
    (c) => c.blob(200, "text/plain", new Blob(["hello"]).stream()),
    {},
    none,
  ],
  ["a Response that the program made gets no ETag", () => new Response("hello"), {}, none],
  [
    "the ETag of a Response that the program made is compared",
    () => new Response("hello", { headers: { etag: '"r"' } }),
    { "if-none-match": '"r"' },
    { status: 304, body: "", headers: { etag: '"r"', "content-type": null } },
  ],
  ["a 404 gets no ETag", (c) => c.string(404, "hello"), { "if-none-match": "*" }, { ...none, status: 404 }],
  ["a 201 gets no ETag", (c) => c.string(201, "hello"), {}, { ...none, status: 201 }],
  [
    "a 304 still sets cookies",
    (c) => {
      c.setCookie({ name: "a", value: "b" })
      return c.string(200, "hello")
    },
    { "if-none-match": tag },
    { status: 304, cookies: ["a=b; Path=/"] },
  ],
]

const tagged = (handler: HandlerFunc, options?: ETagOptions) =>
  app((a) => {
    a.use(etag(options))
    a.get("/", handler)
    a.post("/", handler)
  })

/** The cases. */
export const etagCases: readonly Case[] = [
  ...rows.map(
    ([name, handler, headers, expect, options]): Case => ({
      subject: "etag()",
      name,
      app: tagged(handler, options),
      request: { path: "/", headers },
      expect,
    }),
  ),
  {
    subject: "etag()",
    name: "HEAD gets the same ETag",
    app: tagged(hello),
    request: "HEAD /",
    expect: { body: "", headers: { etag: tag } },
  },
  {
    subject: "etag()",
    name: "HEAD with the same ETag is a 304",
    app: tagged(hello),
    request: { method: "HEAD", path: "/", headers: { "if-none-match": tag } },
    expect: { status: 304, headers: { etag: tag } },
  },
  {
    subject: "etag()",
    name: "POST gets no ETag and no 304",
    app: tagged(hello),
    request: { method: "POST", path: "/", headers: { "if-none-match": "*" } },
    expect: none,
  },
]
