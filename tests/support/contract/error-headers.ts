/** Contract cases: headers and cookies on the answers to errors, and on answers that are created again. */
import { badRequest, type Context, type HandlerFunc, HttpError, proxy } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const bare: Expected = { status: 500, ...error("internal_server_error", "internal server error") }
const ok: HandlerFunc = (c) => c.string(200, "ok")
const describing = (c: Context) => {
  for (const name of [
    "Content-Type",
    "Content-Encoding",
    "Content-Language",
    "Content-Disposition",
    "ETag",
    "Last-Modified",
  ])
    c.setHeader(name, "x")
  c.setHeader("X-Kept", "1")
  c.setCookie({ name: "kept", value: "1" })
  throw badRequest("no")
}
const gone = {
  "content-encoding": null,
  "content-language": null,
  "content-disposition": null,
  etag: null,
  "last-modified": null,
}

/** The cases of headers and cookies that errors keep. */
export const errorHeaderCases: readonly Case[] = [
  {
    subject: "error headers",
    name: "headers of a body are dropped when an error answers, and all others are kept",
    app: app((a) => a.get("/", describing)),
    request: "/",
    expect: {
      status: 400,
      headers: { ...gone, "content-type": "application/json", "x-kept": "1" },
      cookies: ["kept=1; Path=/"],
    },
  },
  {
    subject: "error headers",
    name: "headers that a middleware sets before next() are sent with an error",
    app: app((a) => {
      a.use((next) => (c) => {
        c.setHeader("x-a", "1")
        c.setCookie({ name: "k", value: "v" })
        return next(c)
      })
      a.get("/", () => {
        throw new Error("x")
      })
    }),
    request: "/",
    expect: { ...bare, headers: { "x-a": "1" }, cookies: ["k=v; Path=/"] },
  },
  {
    subject: "error headers",
    name: "headers that a middleware sets after next() are sent with an error",
    app: app((a) => {
      a.use((next) => async (c) => {
        const r = await next(c)
        c.setHeader("x-a", "1")
        c.setCookie({ name: "k", value: "v" })
        return r
      })
      a.get("/", () => {
        throw new Error("x")
      })
    }),
    request: "/",
    expect: { ...bare, headers: { "x-a": "1" }, cookies: ["k=v; Path=/"] },
  },
  {
    subject: "error headers",
    name: "headers that a proxy sets are sent with its answer",
    app: app((a) =>
      a.setProxy((c) => {
        c.setHeader("x-a", "1")
        c.setCookie({ name: "k", value: "v" })
        return proxy.redirect("/x")
      }),
    ),
    request: "/",
    expect: { status: 302, headers: { location: "/x", "x-a": "1" }, cookies: ["k=v; Path=/"] },
  },
  {
    subject: "error headers",
    name: "headers are sent once, even if a middleware makes a new Response from the answer",
    app: app((a) => {
      a.use((next) => async (c) => {
        const r = await next(c)
        return new Response(r.body, r)
      })
      a.get("/", (c) => {
        c.setCookie({ name: "k", value: "v" })
        c.appendHeader("vary", "A")
        c.appendHeader("vary", "B")
        return ok(c)
      })
    }),
    request: "/",
    expect: { body: "ok", cookies: ["k=v; Path=/"], headers: { vary: "A, B" } },
  },
  {
    subject: "error headers",
    name: "a cookie that is set twice is sent twice",
    app: app((a) =>
      a.get("/", (c) => {
        c.setCookie({ name: "k", value: "v" })
        c.setCookie({ name: "k", value: "v" })
        return new Response("own")
      }),
    ),
    request: "/",
    expect: { body: "own", cookies: ["k=v; Path=/", "k=v; Path=/"] },
  },
  {
    subject: "error headers",
    name: "headers do not add up in a Response that all requests share",
    app: app((a) => {
      const shared = new Response(null, { status: 204 })
      a.get("/", (c) => {
        c.setCookie({ name: "user", value: c.query("u") || "me" })
        return shared
      })
      a.get("/go", async (c) => {
        await a.request("/?u=other")
        return c.json(200, (await a.request("/")).headers.getSetCookie())
      })
    }),
    request: "/go",
    expect: { json: ["user=me; Path=/"] },
  },
  {
    subject: "error headers",
    name: "Vary of the error is added to Vary of the context",
    app: app((a) => {
      a.use((next) => (c) => {
        c.appendHeader("Vary", "Origin")
        return next(c)
      })
      a.get("/", () => {
        throw new HttpError(406, "no", { headers: { Vary: "Accept" } })
      })
    }),
    request: "/",
    expect: { status: 406, headers: { vary: /^(?=.*Origin)(?=.*Accept)/ } },
  },
  {
    subject: "error headers",
    name: "a header of the error wins over the same header of the context",
    app: app((a) =>
      a.get("/", (c) => {
        c.setHeader("Cache-Control", "public")
        throw new HttpError(503, "later", { headers: { "cache-control": "no-store" } })
      }),
    ),
    request: "/",
    expect: { status: 503, headers: { "cache-control": "no-store" } },
  },
  {
    subject: "error headers",
    name: "headers are sent with a Response that a middleware answers instead, unless it has them itself",
    app: app((a) => {
      a.use((next) => async (c) => {
        await next(c)
        return new Response("new", { headers: { "x-b": "own" } })
      })
      a.get("/", (c) => {
        c.setHeader("x-a", "1")
        c.setHeader("x-b", "2")
        c.setCookie({ name: "k", value: "v" })
        return ok(c)
      })
    }),
    request: "/",
    expect: { body: "new", headers: { "x-a": "1", "x-b": "own" }, cookies: ["k=v; Path=/"] },
  },
]
