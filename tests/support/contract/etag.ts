/** Contract cases: which answers get an ETag from `etag()`, and which become a 304. */
import { type App, compress, type ETagOptions, etag, type HandlerFunc } from "../../../lib/index.ts"
import { app, type Case, type Expected } from "./case.ts"

/** The ETag of the text `hello`: the first 22 characters of its SHA-256 in base64. */
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
const failed: Expected = {
  status: 412,
  headers: { etag: null, "content-language": null, "content-type": "application/json" },
  body: /"error":"precondition_failed"/,
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
  ["another text gets another ETag", (c) => c.string(200, "hallo"), {}, { headers: { etag: /^"(?!LPJN).{22}"$/ } }],
  ["a request with the same ETag is a 304", hello, { "if-none-match": tag }, notModified],
  ["a request with the ETag among several is a 304", hello, { "if-none-match": `"x", W/${tag}` }, notModified],
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
  ["a stream is not read and gets no ETag", (c) => c.blob(200, "text/plain", new Blob(["hello"]).stream()), {}, none],
  ["a Response that the program made gets no ETag", () => new Response("hello"), {}, none],
  [
    "the ETag of a Response that the program made is compared",
    () => new Response("hello", { headers: { etag: '"r"' } }),
    { "if-none-match": '"r"' },
    { status: 304, body: "", headers: { etag: '"r"', "content-type": null } },
  ],
  ...(
    [
      ["If-Match with another ETag", hello, { "if-match": '"x"' }],
      [
        "If-Match with another ETag, and If-None-Match with the same",
        hello,
        { "if-match": '"x"', "if-none-match": tag },
      ],
      ["If-Match with a weak ETag", hello, { "if-match": `W/${tag}` }],
      ["If-Match for a response without an ETag", () => new Response("hello"), { "if-match": tag }],
      ["If-Unmodified-Since before Last-Modified", say({ "Last-Modified": late }), { "if-unmodified-since": early }],
      [
        "If-Match for another version of the program",
        say({ ETag: '"mine"', "Content-Language": "de" }),
        { "if-match": '"other"' },
      ],
    ] as const
  ).map(([name, handler, request]): Row => [`${name} is a 412`, handler, request, failed]),
  ["If-Match with the same ETag gets the whole answer", hello, { "if-match": `"x", ${tag}` }, full],
  ["If-Match: * gets the whole answer", hello, { "if-match": "*" }, full],
  [
    "If-Match wins over If-Unmodified-Since",
    say({ "Last-Modified": late }),
    { "if-match": tag, "if-unmodified-since": early },
    full,
  ],
  [
    "If-Match and If-None-Match with the same ETag are a 304",
    hello,
    { "if-match": tag, "if-none-match": tag },
    notModified,
  ],
  ["If-Unmodified-Since without Last-Modified is ignored", hello, { "if-unmodified-since": early }, full],
  [
    "If-None-Match: * is a 304 for a response without an ETag",
    () => new Response("hello"),
    { "if-none-match": "*" },
    { status: 304, body: "", headers: { etag: null } },
  ],
  [
    "a stream is compared by its Last-Modified",
    (c) => {
      c.setHeader("Last-Modified", early)
      return c.blob(200, "text/plain", new Blob(["hello"]).stream())
    },
    { "if-modified-since": early },
    { status: 304, body: "" },
  ],
  [
    "a partial answer gets no ETag",
    (c) => {
      c.setHeader("Content-Range", "bytes 0-4/9")
      return c.string(206, "hello")
    },
    {},
    { ...none, status: 206 },
  ],
  [
    "a partial answer with the same ETag is a 304",
    (c) => {
      c.setHeader("ETag", '"mine"')
      c.setHeader("Content-Range", "bytes 0-4/9")
      return c.string(206, "hello")
    },
    { "if-none-match": '"mine"' },
    { status: 304, headers: { etag: '"mine"', "content-range": null } },
  ],
  [
    "a 304 has Vary and Content-Location, but no other headers about a body",
    say({
      "Content-Language": "de",
      "Content-Disposition": "attachment",
      "Content-Location": "/a",
      Vary: "Accept",
    }),
    { "if-none-match": "*" },
    {
      status: 304,
      headers: {
        "content-language": null,
        "content-disposition": null,
        "content-location": "/a",
        vary: "Accept",
      },
    },
  ],
  ["an error is not compared", (c) => c.string(404, "hello"), { "if-match": '"x"' }, { ...none, status: 404 }],
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
    name: "HEAD with another ETag in If-Match is a 412",
    app: tagged(hello),
    request: { method: "HEAD", path: "/", headers: { "if-match": '"x"' } },
    expect: { status: 412, body: "" },
  },
  {
    subject: "etag()",
    name: "POST is not compared",
    app: tagged(hello),
    request: { method: "POST", path: "/", headers: { "if-match": '"x"' } },
    expect: none,
  },
  ...(
    [
      ["compress() around etag()", (a: App) => a.use(compress(), etag())],
      ["etag() around compress()", (a: App) => a.use(etag(), compress())],
    ] as const
  ).flatMap(([order, use]) =>
    (
      [
        [
          "a compressed answer has a weak ETag",
          { "accept-encoding": "gzip" },
          { headers: { etag: 'W/"mine"', "content-encoding": "gzip" } },
        ],
        [
          "an answer that is not compressed has the strong ETag",
          {},
          { headers: { etag: '"mine"', "content-encoding": null } },
        ],
        [
          "a request with the weak ETag is a 304",
          { "accept-encoding": "gzip", "if-none-match": 'W/"mine"' },
          { status: 304, headers: { etag: 'W/"mine"', vary: "Accept-Encoding" } },
        ],
        [
          "a request with the weak ETag in a list is a 304",
          { "accept-encoding": "gzip", "if-none-match": '"x", W/"mine"' },
          { status: 304 },
        ],
        ["If-Match with another ETag is a 412", { "accept-encoding": "gzip", "if-match": '"x"' }, { status: 412 }],
        [
          "If-Match with the weak ETag is a 412",
          { "accept-encoding": "gzip", "if-match": 'W/"mine"' },
          { status: 412 },
        ],
      ] as const
    ).map(
      ([name, headers, expect]): Case => ({
        subject: "etag()",
        name: `${order}: ${name}`,
        app: app((a) => {
          use(a)
          a.get("/", (c) => {
            c.setHeader("ETag", '"mine"')
            return c.string(200, "All work and no play. ".repeat(100))
          })
        }),
        request: { path: "/", headers },
        expect,
      }),
    ),
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
