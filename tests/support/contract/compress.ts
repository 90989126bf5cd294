/** Contract cases: what `compress()` compresses, what it leaves alone, and what it says of it. Bodies are read in `compress.test.ts`. */
import { compress, etag, type HandlerFunc } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected } from "./case.ts"

/** Over the threshold. */
export const long = "All work and no play makes Jack a dull boy. ".repeat(50)

const bytes = new TextEncoder().encode(long)
const streamed = () => new Blob([long]).stream()
const text: HandlerFunc = (c) => c.string(200, long)
const typed =
  (type: string, headers: Record<string, string> = {}, status = 200): HandlerFunc =>
  (c) => {
    for (const [name, value] of Object.entries(headers)) c.setHeader(name, value)
    return c.blob(status, type, bytes)
  }

const gzip: Expected = {
  headers: { "content-encoding": "gzip", vary: "Accept-Encoding", "content-length": null },
}
/** As it is, though another client may get it otherwise. */
const identity: Expected = { headers: { "content-encoding": null, vary: "Accept-Encoding" }, body: long }
const alone: Expected = { headers: { "content-encoding": null, vary: null }, body: long }

const rows: ReadonlyArray<
  readonly [name: string, handler: HandlerFunc, accept: string | null, expect: Expected]
> = [
  ["text", text, "gzip", gzip],
  ["as browsers ask", text, "gzip, deflate, br, zstd", gzip],
  [
    "deflate for a client that takes only that",
    text,
    "deflate",
    { headers: { "content-encoding": "deflate" } },
  ],
  ["the better of two", text, "deflate, gzip", gzip],
  ["as the weights say", text, "gzip;q=0.5, deflate;q=0.8", { headers: { "content-encoding": "deflate" } }],
  ["anything", text, "*", gzip],
  ["gzip by its old name", text, "x-gzip", gzip],
  ["a client that accepts none", text, null, identity],
  ["gzip refused", text, "gzip;q=0", identity],
  ["gzip refused by a long zero", text, "gzip;q=0.000, br", identity],
  ["everything else refused", text, "*;q=0", identity],
  ["identity preferred", text, "gzip;q=0.5, identity", identity],
  ["an invalid weight", text, "gzip;q=high", identity],
  ["what this server has not", text, "br, zstd", identity],
  ["an error", (c) => c.json(422, { error: long }), "gzip", { ...gzip, status: 422 }],
  ["JSON of a kind", typed("application/problem+json; charset=utf-8"), "gzip", gzip],
  ["SVG", typed("image/svg+xml"), "gzip", gzip],
  ["WebAssembly", typed("application/wasm"), "gzip", gzip],
  ["a stream of unknown length", (c) => c.blob(200, "text/csv", streamed()), "gzip", gzip],
  [
    "a Response of the program's own",
    () =>
      new Response(long, { headers: { "content-type": "text/html", "content-length": String(long.length) } }),
    "gzip",
    gzip,
  ],
  ["an event stream is left alone", typed("text/event-stream"), "gzip", alone],
  ["however it is spelled", typed("Text/Event-Stream ; charset=utf-8"), "gzip", alone],
  ["a stream of JSON", typed("application/stream+json"), "gzip", alone],
  ["lines of JSON", typed("application/x-ndjson"), "gzip", alone],
  ["gRPC", typed("application/grpc-web+json"), "gzip", alone],
  [
    "a stream that is not to be held back",
    typed("text/plain", { "X-Accel-Buffering": "no" }),
    "gzip",
    {
      headers: { "content-encoding": null },
    },
  ],
  ["an image", typed("image/png"), "gzip", alone],
  ["a font that is compressed", typed("font/woff2"), "gzip", alone],
  [
    "what is encoded already",
    typed("text/plain", { "Content-Encoding": "br" }),
    "gzip",
    {
      headers: { "content-encoding": "br", vary: null },
    },
  ],
  ["no-transform", typed("text/plain", { "Cache-Control": "public, No-Transform" }), "gzip", alone],
  ["bytes that a digest names", typed("text/plain", { "Content-Digest": "sha-256=:x:" }), "gzip", alone],
  [
    "what is small",
    (c) => c.string(200, "small"),
    "gzip",
    { headers: { "content-encoding": null, vary: null }, body: "small" },
  ],
  [
    "a part",
    typed("text/plain", { "Content-Range": "bytes 0-9/100" }, 206),
    "gzip",
    { ...alone, status: 206 },
  ],
  ["204", (c) => c.noContent(), "gzip", { status: 204, headers: { "content-encoding": null, vary: null } }],
  [
    "a redirect",
    (c) => c.redirect(302, "/x"),
    "gzip",
    { status: 302, headers: { "content-encoding": null } },
  ],
  ["no Content-Type", () => new Response(bytes), "gzip", alone],
  [
    "Vary is not said twice",
    typed("text/plain", { Vary: "Origin, accept-encoding" }),
    "gzip",
    {
      headers: { vary: "Origin, accept-encoding", "content-encoding": "gzip" },
    },
  ],
  ["nor added to *", typed("text/plain", { Vary: "*" }), "gzip", { headers: { vary: "*" } }],
  [
    "but added to others",
    typed("text/plain", { Vary: "Origin" }),
    "gzip",
    { headers: { vary: "Origin, Accept-Encoding" } },
  ],
  ["an ETag becomes weak", typed("text/plain", { ETag: '"a"' }), "gzip", { headers: { etag: 'W/"a"' } }],
  ["a weak one stays", typed("text/plain", { ETag: 'W/"a"' }), "gzip", { headers: { etag: 'W/"a"' } }],
  ["uncompressed it stays strong", typed("text/plain", { ETag: '"a"' }), null, { headers: { etag: '"a"' } }],
  ["a length that the program said goes", typed("text/plain", { "Content-Length": "2200" }), "gzip", gzip],
  [
    "parts of it cannot be asked for",
    typed("text/plain", { "Accept-Ranges": "bytes" }),
    "gzip",
    {
      headers: { "accept-ranges": null },
    },
  ],
]

const tagged = (headers: Record<string, string>, method = "GET"): Ask => ({
  method,
  path: "/",
  headers: { "accept-encoding": "gzip", ...headers },
})

/** The cases. */
export const compressCases: readonly Case[] = [
  ...rows.map(
    ([name, handler, accept, expect]): Case => ({
      subject: "compress()",
      name,
      app: app((a) => {
        a.use(compress())
        a.get("/", handler)
      }),
      request: { path: "/", headers: accept === null ? {} : { "accept-encoding": accept } },
      expect,
    }),
  ),
  {
    subject: "compress()",
    name: "HEAD says what GET would",
    app: app((a) => {
      a.use(compress())
      a.get("/", typed("text/plain", { ETag: '"a"' }))
    }),
    request: tagged({}, "HEAD"),
    expect: { ...gzip, body: "", headers: { ...gzip.headers, etag: 'W/"a"' } },
  },
  {
    subject: "compress()",
    name: "what an outer middleware sets is there too, once",
    app: app((a) => {
      a.use((next) => async (c) => {
        c.appendHeader("Link", "<a>")
        const answer = await next(c)
        c.appendHeader("Link", "<b>")
        return new Response(answer.body, answer)
      })
      a.use(compress())
      a.get("/", typed("text/plain", { "Content-Length": "2200", ETag: '"a"' }))
    }),
    request: tagged({}),
    expect: {
      headers: { link: "<a>, <b>", etag: 'W/"a"', "content-encoding": "gzip", "content-length": null },
    },
  },
  {
    subject: "compress()",
    name: "a 304 stands for the compressed answer",
    app: app((a) => {
      a.use(compress())
      a.use(etag())
      a.get("/", typed("text/plain", { ETag: '"a"' }))
    }),
    request: tagged({ "if-none-match": 'W/"a"' }),
    expect: {
      status: 304,
      body: "",
      headers: { etag: 'W/"a"', vary: "Accept-Encoding", "content-encoding": null },
    },
  },
]
