/**
 * Contract cases: which answers `compress()` compresses, and which headers they get. `compress.test.ts` reads the
 * bodies.
 */
import { compress, etag, type HandlerFunc } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected } from "./case.ts"

/** A text that is longer than the threshold. */
export const long = "All work and no play makes Jack a dull boy. ".repeat(50)

const bytes = new TextEncoder().encode(long)
/** Returns a stream whose second piece comes later. */
const streamed = () => {
  const half = bytes.byteLength / 2
  const pieces = [bytes.slice(0, half), bytes.slice(half)]
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}
const pages = { "content-type": "text/html" }
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
/** The expected answer without compression, of which another client might get a compressed one. */
const identity: Expected = { headers: { "content-encoding": null, vary: "Accept-Encoding" }, body: long }
const alone: Expected = { headers: { "content-encoding": null, vary: null }, body: long }

type Row = readonly [name: string, handler: HandlerFunc, accept: string | null, expect: Expected]

const rows: readonly Row[] = [
  ["text is compressed", text, "gzip", gzip],
  ["a browser gets gzip", text, "gzip, deflate, br, zstd", gzip],
  ["a client that accepts only deflate gets deflate", text, "deflate", { headers: { "content-encoding": "deflate" } }],
  ["a client that accepts gzip and deflate gets gzip", text, "deflate, gzip", gzip],
  [
    "the weights of the client decide",
    text,
    "gzip;q=0.5, deflate;q=0.8",
    { headers: { "content-encoding": "deflate" } },
  ],
  ["a client that accepts anything gets gzip", text, "*", gzip],
  ["a client that accepts x-gzip gets gzip", text, "x-gzip", gzip],
  ["a client without Accept-Encoding gets no compression", text, null, identity],
  ["gzip;q=0 is not compressed", text, "gzip;q=0", identity],
  ["gzip;q=0.000 is not compressed", text, "gzip;q=0.000, br", identity],
  ["*;q=0 is not compressed", text, "*;q=0", identity],
  ["a client that prefers identity gets no compression", text, "gzip;q=0.5, identity", identity],
  ["an invalid weight is not compressed", text, "gzip;q=high", identity],
  ["a client that accepts only codings that fw does not have gets no compression", text, "br, zstd", identity],
  ["an error is compressed", (c) => c.json(422, { error: long }), "gzip", { ...gzip, status: 422 }],
  ["problem+json is compressed", typed("application/problem+json; charset=utf-8"), "gzip", gzip],
  ["SVG is compressed", typed("image/svg+xml"), "gzip", gzip],
  ["WebAssembly is compressed", typed("application/wasm"), "gzip", gzip],
  ["a Blob is compressed", (c) => c.blob(200, "text/csv", new Blob([long])), "gzip", gzip],
  ["a stream of unknown length is not compressed", (c) => c.blob(200, "text/csv", streamed()), "gzip", alone],
  [
    "a stream of a Response of the program is not compressed",
    () => new Response(streamed(), { headers: pages }),
    "gzip",
    alone,
  ],
  ["a text of a Response of the program is compressed", () => new Response(long, { headers: pages }), "gzip", gzip],
  ["bytes of a Response of the program are compressed", () => new Response(bytes, { headers: pages }), "gzip", gzip],
  [
    "JSON of a Response of the program is compressed",
    () => Response.json(long, { headers: { "content-type": "application/json" } }),
    "gzip",
    gzip,
  ],
  [
    "a Response of the program names Accept-Encoding for every client",
    () => new Response(long, { headers: pages }),
    null,
    identity,
  ],
  [
    "a Response of the program under the threshold is not compressed",
    () => new Response("hello, world", { headers: pages }),
    "gzip",
    { headers: { "content-encoding": null, vary: null }, body: "hello, world" },
  ],
  [
    "a Response of the program that states its length is compressed",
    () => new Response(long, { headers: { ...pages, "content-length": String(long.length) } }),
    "gzip",
    gzip,
  ],
  ["an event stream is not compressed", typed("text/event-stream"), "gzip", alone],
  [
    "an event stream is not compressed, whatever the case of its type",
    typed("Text/Event-Stream ; charset=utf-8"),
    "gzip",
    alone,
  ],
  ["a stream of JSON is not compressed", typed("application/stream+json"), "gzip", alone],
  ["lines of JSON are not compressed", typed("application/x-ndjson"), "gzip", alone],
  ["gRPC is not compressed", typed("application/grpc-web+json"), "gzip", alone],
  [
    "a stream with X-Accel-Buffering: no is not compressed",
    typed("text/plain", { "X-Accel-Buffering": "no" }),
    "gzip",
    {
      headers: { "content-encoding": null },
    },
  ],
  ["an image is not compressed", typed("image/png"), "gzip", alone],
  ["a woff2 font is not compressed", typed("font/woff2"), "gzip", alone],
  [
    "an answer with Content-Encoding is not compressed again",
    typed("text/plain", { "Content-Encoding": "br" }),
    "gzip",
    {
      headers: { "content-encoding": "br", vary: null },
    },
  ],
  [
    "an answer with no-transform is not compressed",
    typed("text/plain", { "Cache-Control": "public, No-Transform" }),
    "gzip",
    alone,
  ],
  ...["Content-Digest", "Repr-Digest", "Digest", "Content-MD5"].map(
    (name): Row => [
      `an answer with ${name} is not compressed`,
      typed("text/plain", { [name]: "sha-256=:x:" }),
      "gzip",
      alone,
    ],
  ),
  [
    "a small answer is not compressed",
    (c) => c.string(200, "small"),
    "gzip",
    { headers: { "content-encoding": null, vary: null }, body: "small" },
  ],
  [
    "a part of a file is not compressed",
    typed("text/plain", { "Content-Range": "bytes 0-9/100" }, 206),
    "gzip",
    { ...alone, status: 206 },
  ],
  [
    "a 204 is not compressed",
    (c) => c.noContent(),
    "gzip",
    { status: 204, headers: { "content-encoding": null, vary: null } },
  ],
  [
    "a redirect is not compressed",
    (c) => c.redirect(302, "/x"),
    "gzip",
    { status: 302, headers: { "content-encoding": null } },
  ],
  ["an answer without Content-Type is not compressed", () => new Response(bytes), "gzip", alone],
  [
    "Accept-Encoding is not added to Vary twice",
    typed("text/plain", { Vary: "Origin, accept-encoding" }),
    "gzip",
    {
      headers: { vary: "Origin, accept-encoding", "content-encoding": "gzip" },
    },
  ],
  ["Vary: * stays", typed("text/plain", { Vary: "*" }), "gzip", { headers: { vary: "*" } }],
  [
    "Accept-Encoding is added to other names in Vary",
    typed("text/plain", { Vary: "Origin" }),
    "gzip",
    { headers: { vary: "Origin, Accept-Encoding" } },
  ],
  [
    "the ETag of a compressed answer becomes weak",
    typed("text/plain", { ETag: '"a"' }),
    "gzip",
    { headers: { etag: 'W/"a"' } },
  ],
  ["a weak ETag stays", typed("text/plain", { ETag: 'W/"a"' }), "gzip", { headers: { etag: 'W/"a"' } }],
  [
    "the ETag of an answer that is not compressed stays strong",
    typed("text/plain", { ETag: '"a"' }),
    null,
    { headers: { etag: '"a"' } },
  ],
  ["a Content-Length that the program set is removed", typed("text/plain", { "Content-Length": "2200" }), "gzip", gzip],
  [
    "Accept-Ranges is removed",
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
    name: "HEAD has the headers of GET",
    app: app((a) => {
      a.use(compress())
      a.get("/", typed("text/plain", { ETag: '"a"' }))
    }),
    request: tagged({}, "HEAD"),
    expect: { ...gzip, body: "", headers: { ...gzip.headers, etag: 'W/"a"' } },
  },
  {
    subject: "compress()",
    name: "headers of an outer middleware are sent once",
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
    name: "a 304 has the headers of the compressed answer",
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
  ...["gzip", "identity"].map(
    (coding): Case => ({
      subject: "compress()",
      name: `a 304 for the ETag of the uncompressed answer has Vary if the client accepts ${coding}`,
      app: app((a) => {
        a.use(compress())
        a.use(etag())
        a.get("/", typed("text/plain", { ETag: '"a"' }))
      }),
      request: tagged({ "if-none-match": '"a"', "accept-encoding": coding }),
      expect: { status: 304, body: "", headers: { etag: '"a"', vary: "Accept-Encoding" } },
    }),
  ),
]
