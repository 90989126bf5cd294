/**
 * Contract cases: answers that come from another program, and Responses that are invalid. An answer of `fetch()` is
 * imitated by its URL; `tests/runtimes/gateway.test.ts` has real ones.
 */
import { type Context, compress, etag, type MiddlewareFunc, peekResponse, replaceResponse } from "../../../lib/index.ts"
import { foreignResponse } from "../lib/foreign.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const bug: Expected = { status: 500, ...error("internal_server_error", "internal server error") }
const text = "hello world ".repeat(100)

/** Returns a Response as `fetch()` returns it after decoding the body. */
function fetched(body: string | null, headers: Record<string, string>, status = 200): Response {
  const made = new Response(body, { status, headers: { "content-type": "text/plain", ...headers } })
  return Object.defineProperty(made, "url", { value: "http://other.example/" })
}

const settingSecret: MiddlewareFunc = (next) => async (c) => {
  const answer = await next(c)
  c.setHeader("x-secret", "of middleware")
  return answer
}

/** Values of `Connection` that name `X-Secret`, and others that do not. */
const connections: ReadonlyArray<readonly [connection: string, secret: string | null]> = [
  ["x-secret", null],
  ["X-SECRET", null],
  ["close, x-secret", null],
  [" ,,\tX-Secret\t,", null],
  ["keep-alive,x-other,x-secret", null],
  ["x-secret2, x-secre", "1"],
  ["keep-alive", "1"],
  ["close", "1"],
  ["", "1"],
  ['a b, "c", x-secret', null],
  ['a b, "x-secret", x-secret;q=1, ü', "1"],
]

/** Functions that create an app whose answer has these headers. */
const makers: Readonly<Record<string, (headers: Record<string, string>) => Case["app"]>> = {
  "of the program": (headers) => app((a) => a.get("/m", () => new Response("x", { headers }))),
  "of fetch()": (headers) => app((a) => a.get("/m", () => fetched("x", headers))),
  "of a mounted handler": (headers) => app((a) => a.mountHandler("/m", () => new Response("x", { headers }))),
  "of fetch() in a mounted handler": (headers) => app((a) => a.mountHandler("/m", () => fetched("x", headers))),
  "of a middleware": (headers) => app((a) => a.use(() => () => fetched("x", headers))),
  "of app.onError()": (headers) => app((a) => a.onError(() => fetched("x", headers))),
  "of app.notFound()": (headers) => app((a) => a.notFound(() => fetched("x", headers))),
  "of another package": (headers) =>
    app((a) => a.get("/m", () => foreignResponse(new Response("x").body, new Headers(headers), 200))),
}

const connectionCases = Object.entries(makers).flatMap(([name, make]) =>
  connections.map(
    ([connection, secret]): Case => ({
      subject: "gateway",
      name: `an answer ${name} with Connection: ${JSON.stringify(connection)} is sent ${secret ? "with" : "without"} X-Secret`,
      app: make({ connection, "x-secret": "1", "x-kept": "1", "content-type": "text/plain" }),
      request: "/m",
      expect: { body: "x", headers: { "x-secret": secret, "x-kept": "1", "content-type": "text/plain" } },
    }),
  ),
)

const ofConnection = {
  "keep-alive": "timeout=5",
  "proxy-connection": "keep-alive",
  te: "trailers",
  trailer: "x-sum",
  "transfer-encoding": "chunked",
  upgrade: "h2c",
}
const ofProxy = {
  "proxy-authenticate": "Basic",
  "proxy-authentication-info": "a=1",
  "proxy-authorization": "Basic YTpi",
}
const none = (headers: object) => Object.fromEntries(Object.keys(headers).map((name) => [name, null]))

type Row = readonly [
  name: string,
  answer: (c: Context) => Response,
  expect: Expected,
  before?: MiddlewareFunc | undefined,
  via?: "socket",
]

const rows: readonly Row[] = [
  [
    "the fields of another connection are not sent",
    () => fetched("x", { ...ofConnection, ...ofProxy, age: "1", via: "1.1 a" }),
    { body: "x", headers: { ...none(ofConnection), ...none(ofProxy), age: "1", via: "1.1 a" } },
  ],
  [
    "a program that is a proxy itself may send headers of a proxy",
    () => new Response("x", { status: 407, headers: { "proxy-authenticate": "Basic" } }),
    { status: 407, headers: { "proxy-authenticate": "Basic" } },
  ],
  [
    "another server cannot take away what middleware adds",
    () => fetched("x", { connection: "x-secret", "x-secret": "1" }),
    { body: "x", headers: { "x-secret": "of middleware" } },
    settingSecret,
  ],
  [
    "the Connection of a Response cannot take away what middleware adds",
    () => new Response("x", { headers: { connection: "x-secret", "content-type": "text/plain" } }),
    { body: "x", headers: { "x-secret": "of middleware" } },
    settingSecret,
  ],
  [
    "Connection set on the context names fields, too",
    (c) => {
      c.setHeader("connection", "x-secret")
      c.setHeader("x-secret", "1")
      return c.string(200, "x")
    },
    { body: "x", headers: { "x-secret": null } },
    undefined,
    // Only a server knows the headers of a connection.
    "socket",
  ],
  [
    "cookies and lists of another server are sent as they are",
    () =>
      Object.defineProperty(
        new Response("x", {
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
            ["content-type", "text/plain"],
            ["vary", "A"],
            ["vary", "B"],
            ["keep-alive", "1"],
          ],
        }),
        "url",
        { value: "http://other.example/" },
      ),
    { body: "x", cookies: ["a=1", "b=2"], headers: { vary: "A, B", "keep-alive": null } },
  ],
  [
    "status and reason of another server are sent",
    () => fetched(null, { "keep-alive": "1", location: "/x" }, 302),
    { status: 302, body: "", headers: { location: "/x" } },
  ],
  [
    "headers and cookies of the context are added to an answer of fetch()",
    (c) => {
      c.setHeader("x-own", "1")
      c.setCookie({ name: "k", value: "v" })
      return fetched("x", { "keep-alive": "1" })
    },
    { body: "x", headers: { "x-own": "1", "keep-alive": null }, cookies: ["k=v; Path=/"] },
  ],
]

/** Headers of a body that `fetch()` has decoded, on every runtime. */
const coded = {
  "content-encoding": "gzip",
  "content-length": "40",
  "accept-ranges": "bytes",
  etag: '"tag"',
  "content-digest": "sha-256=:YQ==:",
  "content-md5": "YQ==",
  vary: "Accept-Encoding",
}
const decoded = {
  "content-encoding": null,
  "content-length": String(text.length),
  "accept-ranges": null,
  etag: 'W/"tag"',
  "content-digest": null,
  "content-md5": null,
  vary: "Accept-Encoding",
}

const decodedRows: readonly Row[] = [
  ["a decoded body has no fields of the coded one", () => fetched(text, coded), { body: text, headers: decoded }],
  [
    "the fields of a body without a coding are kept",
    () => fetched("abc", { "content-length": "3", etag: '"tag"', "accept-ranges": "bytes" }),
    { body: "abc", headers: { "content-length": "3", etag: '"tag"', "accept-ranges": "bytes" } },
  ],
  [
    "a coding that fetch() does not know is kept",
    () => fetched("abc", { "content-encoding": "aes128gcm", etag: '"tag"', "keep-alive": "1" }),
    { body: "abc", headers: { "content-encoding": "aes128gcm", etag: '"tag"', "keep-alive": null } },
  ],
  [
    "identity is kept",
    () => fetched("abc", { "content-encoding": "identity", "content-length": "3" }),
    { body: "abc", headers: { "content-encoding": "identity", "content-length": "3" } },
  ],
  [
    "a weak tag stays as it is",
    () => fetched("abc", { "content-encoding": "gzip", etag: 'W/"tag"' }),
    { body: "abc", headers: { etag: 'W/"tag"' } },
  ],
  [
    "a part of a coded body is a bug of the program",
    () => fetched("abc", { "content-encoding": "gzip", "content-range": "bytes 0-2/9" }, 206),
    bug,
  ],
  [
    "a part of a body without a coding is sent",
    () => fetched("abc", { "content-range": "bytes 0-2/9" }, 206),
    { status: 206, body: "abc", headers: { "content-range": "bytes 0-2/9" } },
  ],
  [
    "a 304 of another server is sent",
    () => fetched(null, { etag: '"tag"', "keep-alive": "1" }, 304),
    { status: 304, body: "", headers: { etag: '"tag"' } },
  ],
  [
    "compress() compresses a decoded body again",
    () => fetched(text, coded),
    { body: text, headers: { "content-encoding": "gzip", etag: 'W/"tag"' } },
    compress(),
  ],
  ["etag() leaves the tag of another server", () => fetched(text, coded), { body: text, headers: decoded }, etag()],
  [
    "replaceResponse() changes the answer of another server",
    (c) =>
      replaceResponse(c, fetched(text, { ...coded, connection: "x-a", "x-a": "1" }), {
        headers: { "x-b": "2" },
      }),
    { body: text, headers: { ...decoded, "x-a": null, "x-b": "2" } },
  ],
  [
    "middleware sees the answer that is sent",
    () => fetched(text, coded),
    { body: text, headers: { "x-seen": '- W/"tag"' } },
    (next) => async (c) => {
      const answer = await next(c)
      const { header } = peekResponse(c, answer)
      c.setHeader("x-seen", `${header("content-encoding") || "-"} ${header("etag")}`)
      return answer
    },
  ],
  [
    "a body that the program compressed is sent as it is",
    (c) => {
      c.setHeader("content-encoding", "gzip")
      c.setHeader("etag", '"tag"')
      return c.blob(200, "text/plain", new Response("abc").body?.pipeThrough(new CompressionStream("gzip")) as never)
    },
    { body: "abc", headers: { "content-encoding": "gzip", etag: '"tag"' } },
  ],
]

/** Returns a Response with getters that return other values. */
function odd(members: PropertyDescriptorMap): Response {
  return Object.defineProperties(new Response("x"), members)
}
const constant = (value: unknown) => ({ value })
const like = (members: object) =>
  ({ status: 200, headers: {}, body: null, arrayBuffer() {}, ...members }) as unknown as Response

/** Returns a Response with the status 101, which Bun and Deno allow. Node and Workers refuse it. */
function switching(): Response {
  try {
    return new Response(null, { status: 101 })
  } catch {
    return Object.defineProperty(new Response(null), "status", { value: 101 })
  }
}

/** Responses that cannot be sent. */
const unsendable: ReadonlyArray<readonly [name: string, answer: () => Response]> = [
  ...["x\r\nA: b", "x\n", "\0", "\x7f", "✓", "\u0100", "😀"].flatMap((reason) => [
    [`the statusText ${JSON.stringify(reason)}`, () => odd({ statusText: constant(reason) })] as const,
    [`an object with the statusText ${JSON.stringify(reason)}`, () => like({ statusText: reason })] as const,
  ]),
  [
    "a statusText of a subclass",
    () => {
      class Odd extends Response {}
      // TypeScript declares a property, which an accessor cannot override.
      Object.defineProperty(Odd.prototype, "statusText", { get: () => "x\r\nA: b" })
      return new Odd("x")
    },
  ],
  ...[99, 100, 102, 199, 600, 999, 1000, -1, 200.5, Number.NaN, "200", null, undefined, {}].flatMap((status) => [
    [`the status ${String(status)}`, () => odd({ status: constant(status) })] as const,
    [`an object with the status ${String(status)}`, () => like({ status })] as const,
  ]),
  ["Response.error()", () => Response.error()],
  ["a 101 that nobody asked for", switching],
  ["an object with the status 101", () => like({ status: 101 })],
  ["an object with the status 0", () => like({ status: 0 })],
  ...["a\r\nb: c", "a\n", "\0", "✓"].map(
    (value) =>
      [`an object with the header value ${JSON.stringify(value)}`, () => like({ headers: { "x-a": value } })] as const,
  ),
  ...["x a", "x:a", "", "é", "x\r\na"].map(
    (name) => [`an object with the header ${JSON.stringify(name)}`, () => like({ headers: [[name, "1"]] })] as const,
  ),
  ["an object with a number as a header", () => like({ headers: { "x-a": 1 } })],
]

/** Responses of other packages that can be sent. */
const foreign: readonly Row[] = [
  ["an object without headers", () => like({ headers: undefined }), { body: "" }],
  ["an object with headers as a record", () => like({ headers: { "X-A": "1" } }), { headers: { "x-a": "1" } }],
  ["headers as a Map", () => like({ headers: new Map([["x-a", "1"]]) }), { headers: { "x-a": "1" } }],
  [
    "headers as in node-fetch",
    () => like({ headers: { raw: () => ({ "set-cookie": ["a=1", "b=2"], "x-a": ["1"] }) } }),
    { headers: { "x-a": "1" }, cookies: ["a=1", "b=2"] },
  ],
  [
    "an async iterable as a body, as in node-fetch",
    () =>
      like({
        headers: { "content-type": "text/plain" },
        body: (async function* () {
          yield new TextEncoder().encode("a")
          yield new TextEncoder().encode("b")
        })(),
      }),
    { body: "ab" },
  ],
  ["a 204 with a body", () => like({ status: 204, body: new Response("x").body }), { status: 204, body: "" }],
  [
    "an answer with a URL and a coding",
    () =>
      like({
        url: "http://other.example/",
        headers: { "content-encoding": "gzip", "content-type": "text/plain", connection: "x-a", "x-a": "1" },
        body: new Response("abc").body,
      }),
    { body: "abc", headers: { "content-encoding": null, "x-a": null } },
  ],
  ["a statusText in Latin-1", () => new Response("x", { statusText: "é" }), { body: "x" }],
]

const createCases = (subject: string, list: readonly Row[]) =>
  list.map(
    ([name, answer, expect, before, via]): Case => ({
      subject,
      name,
      app: app((a) => {
        if (before) a.use(before)
        a.get("/", answer)
      }),
      request: { path: "/", headers: { "accept-encoding": "gzip" } },
      expect,
      ...(via && { via }),
    }),
  )

export const gatewayCases: readonly Case[] = [
  ...connectionCases,
  ...createCases("gateway", [...rows, ...decodedRows]),
  ...createCases("a Response of another package", foreign),
  ...createCases(
    "a Response that cannot be sent is a bug",
    unsendable.map(([name, answer]) => [name, answer, bug] as const),
  ),
]
