/** Contract cases: `Vary` is a set with several sources, and only private caches may store answers with cookies. */
import { type Context, compress, cors, type HandlerFunc, HttpError, type MiddlewareFunc } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

const adds =
  (...values: readonly string[]): MiddlewareFunc =>
  (next) =>
  (c) => {
    for (const value of values) c.appendHeader("Vary", value)
    return next(c)
  }
const says =
  (...values: readonly string[]): HandlerFunc =>
  (c) => {
    for (const value of values) c.appendHeader("Vary", value)
    return c.string(200, "x".repeat(2000))
  }
const own =
  (vary: string): HandlerFunc =>
  () =>
    new Response("own", { headers: { vary } })
const origins = ["https://shop.example"]

type Row = readonly [name: string, middleware: readonly MiddlewareFunc[], handler: HandlerFunc, vary: string | null]
const rows: readonly Row[] = [
  ["one name", [], says("Accept"), "Accept"],
  ["a name that is set twice", [], says("Accept", "Accept"), "Accept"],
  ["a name that is set in different cases", [], says("Accept", "ACCEPT", "accept"), "Accept"],
  ["a list", [], says("Accept, Origin", "Origin , Cookie"), "Accept, Origin, Cookie"],
  ["a list that repeats a name", [], says("Accept, accept"), "Accept"],
  ["empty elements", [], says("Accept", ",, Origin,"), "Accept, Origin"],
  ["a star after a name", [], says("Accept", "*"), "*"],
  ["a name after a star", [], says("*", "Accept"), "*"],
  ["a star in a list", [], says("Accept, *, Origin"), "*"],
  ["middleware and the handler", [adds("Accept")], says("accept", "Cookie"), "Accept, Cookie"],
  ["middleware and a Response of the program", [adds("Accept", "Cookie")], own("accept"), "accept, Cookie"],
  ["middleware and a star in a Response of the program", [adds("Accept")], own("*"), "*"],
  ["cors() twice", [cors({ origins }), cors({ origins })], says(), "Origin"],
  ["cors() and a Response of the program", [cors({ origins })], own("Origin, Accept"), "Origin, Accept"],
  ["compress() and a handler", [compress()], says("accept-encoding"), "accept-encoding"],
  ["compress() twice", [compress(), compress()], says(), "Accept-Encoding"],
  ["cors() and compress()", [cors({ origins }), compress()], says("Accept"), "Origin, Accept, Accept-Encoding"],
  [
    "an HttpError",
    [adds("Accept")],
    () => {
      throw new HttpError(406, "no", { headers: { Vary: "accept, Cookie" } })
    },
    "Accept, Cookie",
  ],
  [
    "a copy of an answer",
    [
      (next) => async (c) =>
        new Response((await next(c)).body, { headers: { vary: "Accept", "content-type": "text/plain" } }),
    ],
    says("accept"),
    "Accept",
  ],
]

const sets: HandlerFunc = (c) => {
  c.setCookie({ name: "a", value: "1" })
  return c.string(200, "hello")
}
type Cookies = readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  expect: Readonly<Record<string, string | null>>,
]
const cookies: readonly Cookies[] = [
  ["without headers for caches", {}, { "cache-control": null }],
  ["that is public", { "Cache-Control": "public, max-age=60" }, { "cache-control": "private, max-age=60" }],
  [
    "with a lifetime",
    { "Cache-Control": "max-age=60, immutable" },
    { "cache-control": "private, max-age=60, immutable" },
  ],
  [
    "with a lifetime for shared caches",
    { "Cache-Control": "s-maxage=600, max-age=60, proxy-revalidate" },
    { "cache-control": "private, max-age=60" },
  ],
  ["that caches must check first", { "Cache-Control": "no-cache" }, { "cache-control": "private, no-cache" }],
  ["with a private part", { "Cache-Control": 'private="x-a", max-age=60' }, { "cache-control": "private, max-age=60" }],
  ["that is private", { "Cache-Control": "max-age=60, private" }, { "cache-control": "max-age=60, private" }],
  ["that is never stored", { "Cache-Control": "no-store" }, { "cache-control": "no-store" }],
  ["with Expires", { Expires: "Fri, 01 Jan 2100 00:00:00 GMT" }, { "cache-control": "private" }],
  ["with an ETag", { ETag: '"a"' }, { "cache-control": "private" }],
  ["with Last-Modified", { "Last-Modified": "Sat, 01 Jan 2000 00:00:00 GMT" }, { "cache-control": "private" }],
  [
    "with a lifetime for a CDN",
    { "CDN-Cache-Control": "max-age=60" },
    { "cache-control": "private", "cdn-cache-control": "no-store" },
  ],
  [
    "that is private, except for a CDN",
    { "Cache-Control": "private, max-age=5", "Surrogate-Control": "max-age=60" },
    { "cache-control": "private, max-age=5", "surrogate-control": "no-store" },
  ],
  [
    "that a CDN never stores",
    { "Cache-Control": "no-store", "CDN-Cache-Control": "no-store" },
    { "cache-control": "no-store", "cdn-cache-control": "no-store" },
  ],
]
const setting =
  (headers: Readonly<Record<string, string>>, when: "before" | "after"): MiddlewareFunc =>
  (next) =>
  async (c) => {
    const set = (c: Context) => {
      for (const [name, value] of Object.entries(headers)) c.setHeader(name, value)
    }
    if (when === "before") set(c)
    const response = await next(c)
    if (when === "after") set(c)
    return response
  }

export const varyCases: readonly Case[] = [
  ...rows.map(
    ([name, middleware, handler, vary]): Case => ({
      subject: "Vary",
      name: `${name}: the answer has ${JSON.stringify(vary)}`,
      app: app((a) => {
        for (const one of middleware) a.use(one)
        a.get("/", handler)
      }),
      request: "/",
      expect: { status: name === "an HttpError" ? 406 : 200, headers: { vary } },
    }),
  ),
  ...cookies.flatMap(([name, headers, expect]) =>
    (["before", "after"] as const).map(
      (when): Case => ({
        subject: "cookies and caches",
        name: `an answer ${name} that sets a cookie has the right headers, if middleware sets them ${when} next()`,
        app: app((a) => {
          a.use(setting(headers, when))
          a.get("/", sets)
        }),
        request: "/",
        expect: { headers: expect, cookies: ["a=1; Path=/"] },
      }),
    ),
  ),
  {
    subject: "cookies and caches",
    name: "c.flash() makes a public answer private",
    app: app((a) => {
      a.use(setting({ "Cache-Control": "public" }, "before"))
      a.get("/", (c) => {
        c.flash("Saved.")
        return c.string(200, "hello")
      })
    }),
    request: "/",
    expect: { headers: { "cache-control": "private" } },
  },
  {
    subject: "cookies and caches",
    name: "a Response of the program that has a cookie is sent as it is",
    app: app((a) =>
      a.get(
        "/",
        () => new Response("own", { headers: { "set-cookie": "a=1", "cache-control": "public, max-age=60" } }),
      ),
    ),
    request: "/",
    expect: { headers: { "cache-control": "public, max-age=60" }, cookies: ["a=1"] },
  },
  {
    subject: "cookies and caches",
    name: "a Response that several requests share is not changed by the cookie of one of them",
    app: app((a) => {
      const shared = new Response(null, { status: 204, headers: { "cache-control": "public, max-age=60" } })
      a.get("/plain", () => shared)
      a.get("/", async (c) => {
        c.setCookie({ name: "a", value: "1" })
        return shared
      })
      a.get("/go", async (c) => {
        const with1 = await a.request("/")
        const without = await a.request("/plain")
        return c.json(
          200,
          [with1, without].map(({ headers }) => headers.get("cache-control")),
        )
      })
    }),
    request: "/go",
    expect: { json: ["private, max-age=60", "public, max-age=60"] },
  },
]
