/**
 * Contract cases: headers about a body and about caches belong to the answer for which they were set, and an error
 * has its own.
 */
import {
  App,
  badRequest,
  basicAuth,
  bodyLimit,
  type Context,
  type HandlerFunc,
  HttpError,
  type MiddlewareFunc,
  proxy,
  rateLimit,
  replaceResponse,
  timeout,
} from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected } from "./case.ts"
import { staticDirectory } from "./files.ts"

const year = "public, max-age=31536000, immutable"
const future = "Fri, 01 Jan 2100 00:00:00 GMT"

/** Headers that are removed from the answer to an error. */
const set: Readonly<Record<string, string>> = {
  "cache-control": year,
  "cdn-cache-control": "max-age=600",
  "surrogate-control": "max-age=600",
  expires: future,
  age: "1",
  etag: '"a"',
  "last-modified": "Sat, 01 Jan 2000 00:00:00 GMT",
  "content-language": "de",
  "content-location": "/a",
  "content-disposition": "attachment",
  "content-encoding": "br",
  "accept-ranges": "bytes",
}
const gone = Object.fromEntries(Object.keys(set).map((name) => [name, null]))
/** Headers that stay on the answer to an error. */
const kept: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "content-security-policy": "default-src 'none'",
  "server-timing": "db;dur=1",
  "x-request-id": "1",
}

const setAll = (c: Context, headers: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(headers)) c.setHeader(name, value)
}
const before: MiddlewareFunc = (next) => (c) => {
  setAll(c, { ...set, ...kept })
  return next(c)
}
const after: MiddlewareFunc = (next) => async (c) => {
  const response = await next(c)
  setAll(c, { ...set, ...kept })
  return response
}

const full = { hit: () => ({ count: 2, reset: 9 }) }
const ends: HandlerFunc = (c) =>
  new Promise((_, reject) => c.signal.addEventListener("abort", () => reject(c.signal.reason)))

type Source = readonly [name: string, fill: (app: App) => void, request: string | Ask, status: number]

const sources: readonly Source[] = [
  ["no route", () => {}, "/none", 404],
  ["no file", () => {}, "/static/none.js", 404],
  ["another method", (a) => a.get("/", ok), "POST /", 405],
  ["another method for a file", () => {}, "POST /static/a.css", 405],
  ["an error that is thrown", (a) => a.get("/", () => Promise.reject(badRequest("no"))), "/", 400],
  ["an error that is returned", (a) => a.get("/", () => new HttpError(410, "gone")), "/", 410],
  ["a bug", (a) => a.get("/", () => Promise.reject(new Error("away"))), "/", 500],
  ["timeout()", (a) => a.get("/", timeout(0.01), ends), "/", 503],
  ["basicAuth()", (a) => a.get("/", basicAuth({ users: { ada: "secret-word" } }), ok), "/", 401],
  ["rateLimit()", (a) => a.get("/", rateLimit({ limit: 1, key: () => "all", store: full }), ok), "/", 429],
  [
    "bodyLimit()",
    (a) => a.post("/", bodyLimit(1), async (c) => c.string(200, await c.text())),
    { method: "POST", path: "/", body: "abc" },
    413,
  ],
  [
    "bind()",
    (a) => a.post("/", async (c) => c.json(200, await c.bind())),
    { method: "POST", path: "/", body: "x", headers: { "content-type": "text/plain" } },
    415,
  ],
  ["a path that is not valid", () => {}, "/%zz", 400],
  ["c.json() of a handler", (a) => a.get("/", (c) => c.json(404, {})), "/", 404],
  ["a Response of a handler", (a) => a.get("/", () => new Response("no", { status: 500 })), "/", 500],
  ["a mounted handler", (a) => a.mountHandler("/m", () => new Response("no", { status: 404 })), "/m/x", 404],
  ["a mounted app", (a) => a.mountHandler("/m", new App({ logger: false }).fetch), "/m/x", 404],
  ["an answer of the proxy", (a) => a.setProxy(() => proxy.responseJSON(401, {})), "/", 401],
  ["an error of the proxy", (a) => a.setProxy(() => Promise.reject(badRequest("no"))), "/", 400],
  [
    "onError()",
    (a) => {
      a.onError((c) => c.html(500, "own"))
      a.get("/", () => Promise.reject(new Error()))
    },
    "/",
    500,
  ],
  [
    "onError() with another status",
    (a) => {
      a.onError((c) => c.redirect(303, "/login"))
      a.get("/", () => Promise.reject(badRequest("no")))
    },
    "/",
    303,
  ],
  ["notFound()", (a) => a.notFound((c) => c.string(404, "own")), "/none", 404],
  [
    "a copy of an error",
    (a) => {
      a.use((next) => async (c) => {
        const response = await next(c)
        return new Response(response.body, response)
      })
    },
    "/none",
    404,
  ],
  [
    "an error that replaceResponse() changes",
    (a) => {
      a.use((next) => async (c) => replaceResponse(c, await next(c), { body: "own" }))
    },
    "/none",
    404,
  ],
]

function ok(c: Context): Response {
  return c.string(200, "ok")
}

const options = { staticDir: staticDirectory }
const text = (value: string | RegExp | null, status = 404): Expected => ({
  status,
  headers: { "cache-control": value },
})

type Row = readonly [name: string, fill: (app: App) => void, expect: Expected, request?: string | Ask]

const cached =
  (value: string): MiddlewareFunc =>
  (next) =>
  (c) => {
    c.setHeader("Cache-Control", value)
    return next(c)
  }

/** A value that middleware sets for an answer, and the value that an error is sent with. */
const values: ReadonlyArray<readonly [given: string, sent: string | null]> = [
  ["no-store", "no-store"],
  ["private, no-store", "private, no-store"],
  ["no-cache", "no-cache"],
  ["private", "private"],
  ["max-age=0", "max-age=0"],
  ["max-age=60", null],
  ["Public, Max-Age=60", null],
  ['max-age="60"', null],
  ["s-maxage=60", null],
  ["public", null],
  ["immutable", null],
  ["max-age=60, must-revalidate", null],
  ["public, max-age=0, must-revalidate", "max-age=0, must-revalidate"],
  ["private, max-age=60", "private"],
  ["no-cache, stale-if-error=60", "no-cache"],
  ["max-age=0, s-maxage=60", "max-age=0"],
  ["public, max-age=60, no-transform", "no-transform"],
  ["must-revalidate", "must-revalidate"],
]

const rows: readonly Row[] = [
  ...values.map(
    ([given, sent]): Row => [
      `Cache-Control: ${given} of a middleware becomes ${sent ?? "nothing"} on an error`,
      (a) => a.use(cached(given)),
      text(sent),
      "/none",
    ],
  ),
  [
    "an Expires in the past that middleware sets is sent with an error",
    (a) =>
      a.use((next) => (c) => {
        c.setHeader("Expires", "0")
        return next(c)
      }),
    { status: 404, headers: { expires: "0" } },
    "/none",
  ],
  [
    "an HttpError is sent with its own headers for caches",
    (a) => {
      a.use(cached(year))
      a.get("/", () => {
        throw new HttpError(404, "none", { headers: { "Cache-Control": "max-age=60", ETag: '"e"' } })
      })
    },
    { status: 404, headers: { "cache-control": "max-age=60", etag: '"e"' } },
  ],
  [
    "a Response with an error status is sent with its own headers for caches",
    (a) => {
      a.use(cached(year))
      a.get("/", () => new Response("no", { status: 404, headers: { "cache-control": "max-age=60" } }))
    },
    text("max-age=60"),
  ],
  [
    "a Cache-Control that the handler sets is sent with an error status that the handler answers",
    (a) => {
      a.use(cached(year))
      a.get("/", (c) => {
        c.setHeader("Cache-Control", "max-age=60")
        return c.json(404, {})
      })
    },
    text("max-age=60"),
  ],
  [
    "a Cache-Control that the handler sets is not sent with an error that the handler throws",
    (a) =>
      a.get("/", (c) => {
        c.setHeader("Cache-Control", "max-age=60")
        throw badRequest("no")
      }),
    text(null, 400),
  ],
  [
    "a Cache-Control that onError() sets is sent with the answer of onError()",
    (a) => {
      a.use(cached(year))
      a.onError((c) => {
        c.setHeader("Cache-Control", "max-age=60")
        return c.json(500, {})
      })
      a.get("/", () => {
        throw new Error("away")
      })
    },
    text("max-age=60", 500),
  ],
  [
    "a Cache-Control that notFound() sets is sent with the answer of notFound()",
    (a) => {
      a.use(cached(year))
      a.notFound((c) => {
        c.setHeader("Cache-Control", "max-age=60")
        return c.json(404, {})
      })
    },
    text("max-age=60"),
    "/none",
  ],
  [
    "a Cache-Control that the proxy sets is sent with the answer of the proxy",
    (a) => {
      a.use(cached(year))
      a.setProxy((c) => {
        c.setHeader("Cache-Control", "max-age=60")
        return proxy.responseJSON(403, {})
      })
    },
    text("max-age=60", 403),
  ],
  [
    "a Cache-Control that a guard sets is sent with the refusal of the guard",
    (a) =>
      a.get(
        "/",
        () => (c: Context) => {
          c.setHeader("Cache-Control", "max-age=60")
          return c.json(403, {})
        },
        ok,
      ),
    text("max-age=60", 403),
  ],
  [
    "headers that a middleware adds to an error with replaceResponse() are sent",
    (a) => {
      a.use(cached(year))
      a.use((next) => async (c) => replaceResponse(c, await next(c), { headers: { "cache-control": "max-age=60" } }))
    },
    text("max-age=60"),
    "/none",
  ],
  [
    "an answer that replaceResponse() turns into an error may not be kept by caches",
    (a) => {
      a.use(cached(`private, ${year}`))
      a.use((next) => async (c) => replaceResponse(c, await next(c), { status: 500 }))
      a.get("/", ok)
    },
    text("private", 500),
  ],
  [
    "an answer that replaceResponse() turns into an error has the headers in the arguments of replaceResponse()",
    (a) => {
      a.use(cached(year))
      const changes = { status: 404, headers: { "cache-control": "max-age=60" } }
      a.use((next) => async (c) => replaceResponse(c, await next(c), changes))
      a.get("/", ok)
    },
    text("max-age=60", 404),
  ],
  [
    "an answer in place of an error has the Cache-Control that middleware set for answers",
    (a) => {
      a.use(cached(year))
      a.use((next) => async (c) => {
        await next(c)
        return c.string(200, "instead")
      })
    },
    text(year, 200),
    "/none",
  ],
  [
    "a redirect has the Cache-Control that middleware set for answers",
    (a) => {
      a.use(cached("max-age=60"))
      a.get("/", (c) => c.redirect(301, "/x"))
    },
    text("max-age=60", 301),
  ],
  [
    "a range that cannot be satisfied has a Cache-Control of its own",
    (a) => a.use(cached(year)),
    { status: 416, headers: { "cache-control": "no-cache", etag: null, "content-range": "bytes */17" } },
    { path: "/static/a.css", headers: { range: "bytes=99-" } },
  ],
  [
    "a condition that does not hold has a Cache-Control of its own",
    (a) => a.use(cached(year)),
    text("no-cache", 412),
    { path: "/static/a.css", headers: { "if-match": '"x"' } },
  ],
  [
    "a 304 has the headers for caches that middleware set, and no headers about a body",
    (a) =>
      a.use((next) => (c) => {
        setAll(c, { ...set, "content-type": "text/css" })
        return next(c)
      }),
    {
      status: 304,
      headers: {
        "cache-control": year,
        expires: future,
        etag: '"a"',
        "content-location": "/a",
        "content-language": null,
        "content-disposition": null,
        "content-encoding": null,
        "content-type": null,
        "accept-ranges": null,
      },
    },
    { path: "/static/a.css", headers: { "if-none-match": "*" } },
  ],
]

export const outcomeCases: readonly Case[] = [
  ...sources.flatMap(([name, fill, request, status]) =>
    (["before", "after"] as const).map(
      (when): Case => ({
        subject: "outcomes",
        name: `${name}: headers about bodies and caches that middleware sets ${when} next() are not sent with an error`,
        app: app((a) => {
          a.use(when === "before" ? before : after)
          fill(a)
        }, options),
        request,
        expect: { status, headers: { ...gone, ...kept } },
      }),
    ),
  ),
  ...rows.map(
    ([name, fill, expect, request = "/"]): Case => ({
      subject: "outcomes",
      name,
      app: app(fill, options),
      request,
      expect,
    }),
  ),
]
