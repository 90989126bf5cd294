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
  ["text has a tag", hello, {}, full],
  ["and bytes have the same", (c) => c.blob(200, "text/plain", new TextEncoder().encode("hello")), {}, full],
  ["a weak one where that is asked for", hello, {}, { headers: { etag: `W/${tag}` } }, { weak: true }],
  ["another text has another", (c) => c.string(200, "hallo"), {}, { headers: { etag: /^"(?!LPJN).{22}"$/ } }],
  ["the client has it", hello, { "if-none-match": tag }, notModified],
  ["as one of several", hello, { "if-none-match": `"x", W/${tag}` }, notModified],
  ["the client has anything", hello, { "if-none-match": "*" }, notModified],
  ["the client has another", hello, { "if-none-match": '"x"' }, full],
  ["a tag without quotes is ignored", hello, { "if-none-match": tag.slice(1, -1) }, full],
  ["the program's own tag is kept", say({ ETag: '"mine"' }), {}, { headers: { etag: '"mine"' } }],
  [
    "and decides",
    say({ ETag: '"mine"' }),
    { "if-none-match": '"mine"' },
    { status: 304, headers: { etag: '"mine"' } },
  ],
  ["only a date", say({ "Last-Modified": early }), { "if-modified-since": early }, { status: 304 }],
  ["a date that is over", say({ "Last-Modified": late }), { "if-modified-since": early }, full],
  [
    "tags decide over dates",
    say({ "Last-Modified": early }),
    { "if-none-match": '"x"', "if-modified-since": late },
    full,
  ],
  ["no-store needs none", say({ "Cache-Control": "private, no-store" }), {}, none],
  ["a stream is not read for it", (c) => c.blob(200, "text/plain", new Blob(["hello"]).stream()), {}, none],
  ["nor a Response of the program's own", () => new Response("hello"), {}, none],
  [
    "but its tag counts",
    () => new Response("hello", { headers: { etag: '"r"' } }),
    { "if-none-match": '"r"' },
    { status: 304, body: "", headers: { etag: '"r"', "content-type": null } },
  ],
  [
    "what is not there has none",
    (c) => c.string(404, "hello"),
    { "if-none-match": "*" },
    { ...none, status: 404 },
  ],
  ["nor has what was made", (c) => c.string(201, "hello"), {}, { ...none, status: 201 }],
  [
    "cookies reach the client all the same",
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
    name: "HEAD has the same tag",
    app: tagged(hello),
    request: "HEAD /",
    expect: { body: "", headers: { etag: tag } },
  },
  {
    subject: "etag()",
    name: "HEAD is answered 304 too",
    app: tagged(hello),
    request: { method: "HEAD", path: "/", headers: { "if-none-match": tag } },
    expect: { status: 304, headers: { etag: tag } },
  },
  {
    subject: "etag()",
    name: "POST is not",
    app: tagged(hello),
    request: { method: "POST", path: "/", headers: { "if-none-match": "*" } },
    expect: none,
  },
]
