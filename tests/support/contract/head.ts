/**
 * Contract cases: an answer to HEAD has the headers of the answer to GET, and never the wrong length (RFC 9110
 * §8.6), whatever created it and whatever middleware is around it.
 */
import {
  App,
  type Context,
  compress,
  cors,
  etag,
  HttpError,
  type MiddlewareFunc,
  replaceResponse,
  secureHeaders,
  timeout,
} from "../../../lib/index.ts"
import { foreignResponse } from "../lib/foreign.ts"
import { app, type Case, type Expected } from "./case.ts"

const text = "text ".repeat(500)
const type = { "content-type": "text/plain" }
const bytes = () => new TextEncoder().encode(text)
const stream = () => new Response(text).body as ReadableStream<Uint8Array>

/** Matches any length except 0, because it depends on the runtime how the body is sent. */
const some = /^[1-9]/

/** A handler, its length, and true if `compress()` compresses it. */
type Row = readonly [
  name: string,
  answer: (c: Context) => Response | Promise<Response>,
  length: string | RegExp,
  isCompressed: boolean,
]

const rows: readonly Row[] = [
  ["c.string()", (c) => c.string(200, text), "2500", true],
  ["c.json()", (c) => c.json(200, { text }), "2511", true],
  ["c.html()", (c) => c.html(200, text), "2500", true],
  ["c.blob() of bytes", (c) => c.blob(200, "text/plain", bytes()), "2500", true],
  ["c.blob() of a Blob", (c) => c.blob(200, "text/plain", new Blob([text])), "2500", true],
  ["c.blob() of a stream", (c) => c.blob(200, "text/plain", stream()), some, true],
  ["c.stream()", (c) => c.stream(200, stream(), "text/plain"), some, false],
  [
    "c.stream() of a generator",
    (c) =>
      c.stream(
        200,
        (async function* () {
          yield text
        })(),
        "text/plain",
      ),
    some,
    false,
  ],
  ["c.sse()", (c) => c.sse((events) => events.send({ data: "a" })), some, false],
  ["new Response(text)", () => new Response(text, { headers: type }), "2500", true],
  ["new Response(bytes)", () => new Response(bytes(), { headers: type }), "2500", true],
  ["new Response(stream)", () => new Response(stream(), { headers: type }), some, true],
  [
    "new Response(stream) with its length",
    () => new Response(stream(), { headers: { ...type, "content-length": "2500" } }),
    "2500",
    true,
  ],
  ...["1e3", "0x10", "+9", "-1", "9, 9", "9.0"].map(
    (length): Row => [
      `new Response(stream) with the length ${length}`,
      () => new Response(stream(), { headers: { ...type, "content-length": length } }),
      "2500",
      true,
    ],
  ),
  ["Response.json()", () => Response.json({ text }, { headers: { "content-type": "application/json" } }), "2511", true],
  ["Response.redirect()", () => Response.redirect("http://other.example/", 302), "0", false],
  ["c.redirect()", (c) => c.redirect(303, "/x"), "0", false],
  ["c.string() of an empty text", (c) => c.string(200, ""), "0", false],
  ["new Response(null)", () => new Response(null), "0", false],
  [
    "an answer to HEAD of another server",
    () =>
      Object.defineProperty(new Response(null, { headers: { ...type, "content-length": "2500" } }), "url", {
        value: "http://other.example/",
      }),
    "2500",
    false,
  ],
  [
    "a coded answer to HEAD of another server",
    () =>
      Object.defineProperty(
        new Response(null, { headers: { ...type, "content-length": "56", "content-encoding": "gzip" } }),
        "url",
        { value: "http://other.example/" },
      ),
    some,
    false,
  ],
  ["a Response of another package", () => foreignResponse(new Response(text).body, new Headers(type)), some, true],
  [
    "an HttpError",
    () => {
      throw new HttpError(409, "taken")
    },
    "38",
    false,
  ],
]

/** Returns true for an answer that only a HEAD may have: for a GET it would be a mistake of the program. */
const isOfHead = (name: string) => name.includes("answer to HEAD")

const remake: MiddlewareFunc = (next) => async (c) => {
  const answer = await next(c)
  return new Response(answer.body, answer)
}
const replace: MiddlewareFunc = (next) => async (c) =>
  replaceResponse(c, await next(c), { headers: { "x-replaced": "1" } })
const touch: MiddlewareFunc = (next) => async (c) => {
  const answer = await next(c)
  c.setHeader("x-seen", String(answer.headers.get("content-type")))
  return answer
}

/** Middleware, and how it affects the length. */
const stacks: ReadonlyArray<
  readonly [name: string, list: readonly MiddlewareFunc[], makesStream: boolean, compresses: boolean]
> = [
  ["no middleware", [], false, false],
  ["etag() and headers", [etag(), cors(), secureHeaders()], false, false],
  ["a middleware that reads headers", [touch], false, false],
  ["timeout()", [timeout(60)], false, false],
  ["a middleware that makes the Response again", [remake], true, false],
  ["replaceResponse()", [replace], true, false],
  ["compress()", [compress()], false, true],
  ["all of them", [touch, compress(), etag(), remake, replace, timeout(60)], true, true],
]

const accepting = { "accept-encoding": "gzip" }

function createCase(name: string, make: Case["app"], length: string | RegExp, expect: Expected = {}): readonly Case[] {
  return (isOfHead(name) ? ["HEAD"] : ["GET", "HEAD"]).map((method) => ({
    subject: "HEAD",
    name: `${method} of ${name} has no wrong length`,
    app: make,
    request: { method, path: "/x", headers: accepting },
    expect: { ...expect, headers: { ...expect.headers, "content-length": length } },
  }))
}

const statuses: Readonly<Record<string, number>> = {
  "Response.redirect()": 302,
  "c.redirect()": 303,
  "an HttpError": 409,
}

const made = rows.flatMap(([name, answer, length, isCompressed]) =>
  stacks.flatMap(([stack, list, makesStream, compresses]) => {
    const isLost = compresses && (isCompressed || isOfHead(name))
    const isOpen = makesStream && compresses && length === "0"
    const shown = isOpen ? /^/ : isLost || (makesStream && length !== "0") ? some : length
    return createCase(
      `${name} below ${stack}`,
      app((a) => {
        for (const one of list) a.use(one)
        a.get("/x", answer)
      }),
      shown,
      {
        status: statuses[name] ?? 200,
        // A body of unknown length is compressed, however short it is.
        ...(!(makesStream && compresses) &&
          !isOfHead(name) && {
            headers: { "content-encoding": isLost ? "gzip" : null },
          }),
      },
    )
  }),
)

const mounted = rows.flatMap(([name, answer, length]) =>
  isOfHead(name)
    ? []
    : createCase(
        `${name} in a mounted app`,
        app((a) => {
          const inner = new App({ logger: false })
          inner.get("/", answer)
          a.mountHandler("/x", inner.fetch)
        }),
        length === "0" ? length : some,
        { status: statuses[name] ?? 200 },
      ),
)

/** Statuses without a body. RFC 9110 §8.6 forbids a length for 204, and §15.3.6 requires the length 0 for 205. */
const bodiless = [204, 205, 304].flatMap((status) =>
  [{}, { "content-length": "9" }, { "transfer-encoding": "chunked" }].flatMap((headers) =>
    createCase(
      `a Response of the status ${status} with ${JSON.stringify(headers)}`,
      app((a) => a.get("/x", () => new Response(null, { status, headers }))),
      status === 205 ? "0" : status === 304 && "content-length" in headers ? "9" : /^$/,
      { status, body: "" },
    ),
  ),
)

export const headCases: readonly Case[] = [...made, ...mounted, ...bodiless]
