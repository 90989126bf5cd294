/**
 * Contract cases: HEAD, OPTIONS and 405 for all types of routes, and the headers of an answer to HEAD about the
 * missing body.
 */
import { bodyLimit, type Context, HttpError, proxy } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const bytes = new Uint8Array([104, 195, 169])
const stream = () => new Response("streamed").body as ReadableStream<Uint8Array>

const filled = app((a) => {
  a.get("/json", (c) => c.json(200, { a: "é" }))
  a.get("/string", (c) => c.string(200, "né"))
  a.get("/html", (c) => c.html(203, "<p>"))
  a.get("/bytes", (c) => c.blob(200, "a/b", bytes))
  a.get("/blob", (c) => c.blob(200, "a/b", new Blob(["four"])))
  a.get("/stream", (c) => c.blob(200, "a/b", stream()))
  a.get("/own", () => new Response("own", { headers: { "x-own": "1" } }))
  a.get("/empty", (c) => c.string(200, ""))
  a.get("/none", (c) => c.noContent())
  a.get("/redirect", (c) => c.redirect(303, "/json"))
  a.get("/set", (c) => {
    c.setHeader("x-set", "1")
    c.setCookie({ name: "k", value: "v" })
    return c.string(200, "x")
  })
  a.get("/error", () => {
    throw new HttpError(409, "taken")
  })
  a.get("/bug", () => {
    throw new Error("secret")
  })
  a.get("/own-head", (c) => c.string(200, "get"))
  a.head("/own-head", (c) => {
    c.setHeader("x-head", "1")
    return c.noContent()
  })
  a.post("/post", (c) => c.string(200, c.method))
})

/** A HEAD request and its answer. The length is that of the body of GET. */
const heads: ReadonlyArray<readonly [path: string, expect: Expected]> = [
  ["/json", { headers: { "content-type": "application/json", "content-length": "10" } }],
  ["/string", { headers: { "content-type": "text/plain; charset=utf-8", "content-length": "3" } }],
  ["/html", { status: 203, headers: { "content-length": "3" } }],
  ["/bytes", { headers: { "content-type": "a/b", "content-length": "3" } }],
  ["/blob", { headers: { "content-type": "a/b" } }],
  ["/stream", { headers: { "content-type": "a/b" } }],
  ["/own", { headers: { "x-own": "1" } }],
  ["/empty", { headers: { "content-type": "text/plain; charset=utf-8" } }],
  ["/none", { status: 204 }],
  ["/redirect", { status: 303, headers: { location: "/json" } }],
  ["/set", { headers: { "x-set": "1", "content-length": "1" }, cookies: ["k=v; Path=/"] }],
  ["/error", { status: 409, headers: { "content-type": "application/json", "content-length": "38" } }],
  ["/bug", { status: 500, headers: { "content-type": "application/json", "content-length": "67" } }],
  ["/own-head", { status: 204, headers: { "x-head": "1" } }],
  ["/post", { status: 405, headers: { allow: "OPTIONS, POST" } }],
  ["/nowhere", { status: 404, headers: { "content-type": "application/json" } }],
  ["/json/", { status: 308, headers: { location: "../json" } }],
]

const allowed: ReadonlyArray<readonly [path: string, allow: string]> = [
  ["/json", "GET, HEAD, OPTIONS"],
  ["/own-head", "GET, HEAD, OPTIONS"],
  ["/post", "OPTIONS, POST"],
]

/** Methods whose names contain another method's name. */
const holdGet = ["TARGET", "WIDGET", "GETTER", "FORGET"]

const everything = ["get", "post", "put", "patch", "delete"] as const
const full = app((a) => {
  for (const method of everything) a[method]("/all/{id}", (c: Context) => c.string(200, c.method))
  a.options("/own", (c) => c.string(200, "options"))
  a.registerRoute("PURGE", "/cache/*", (c) => c.string(200, c.param("*")))
  for (const method of holdGet) a.registerRoute(method, `/${method}`, (c) => c.string(200, c.method))
})

/** An app with a handler for every method, next to handlers for single methods and around a more exact pattern. */
const every = app((a) => {
  a.get("/own", (c) => c.string(200, "get"))
  a.all("/own", (c) => c.string(200, `all ${c.method}`))
  a.options("/own", (c) => c.string(200, "options"))
  a.all("/every/{id}", (c) => c.string(200, `${c.method} ${c.param("id")}`))
  a.get("/tree/leaf", (c) => c.string(200, "leaf"))
  a.all("/tree/*", (c) => c.string(200, `${c.method} ${c.param("*")}`))
  a.group("/group", (g) => {
    g.use(() => (c) => c.string(401, "guarded"))
    g.all("", (c) => c.noContent())
  })
})

const everyAnswer: ReadonlyArray<readonly [request: string, expect: Expected]> = [
  ...["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"].map(
    (method) => [`${method} /every/7`, { status: 200, body: `${method} 7` }] as const,
  ),
  ["HEAD /every/7", { status: 200, body: "", headers: { "content-length": "6" } }],
  ["GET /own", { body: "get" }],
  ["HEAD /own", { body: "", headers: { "content-length": "3" } }],
  ["OPTIONS /own", { body: "options" }],
  ["POST /own", { body: "all POST" }],
  ["GET /tree/leaf", { body: "leaf" }],
  ["POST /tree/leaf", { body: "POST leaf" }],
  ["OPTIONS /tree/leaf", { body: "OPTIONS leaf" }],
  ["GET /tree", { status: 404 }],
  ["GET /every/7/", { body: "GET 7" }],
  ["DELETE /group", { status: 401, body: "guarded" }],
]

export const methodCases: readonly Case[] = [
  ...everyAnswer.map(
    ([request, expect]): Case => ({
      subject: "app.all()",
      name: `${request} is answered with ${expect.status ?? 200}`,
      app: every,
      request,
      expect,
    }),
  ),
  ...heads.map(
    ([path, expect]): Case => ({
      subject: "app.head()",
      name: `HEAD ${path} is answered with ${expect.status ?? 200} and no body`,
      app: filled,
      request: `HEAD ${path}`,
      expect: { body: "", ...expect },
    }),
  ),
  ...allowed.flatMap(([path, allow]): Case[] => [
    {
      subject: "app.options()",
      name: `OPTIONS ${path} allows ${allow}`,
      app: filled,
      request: `OPTIONS ${path}`,
      expect: { status: 204, headers: { allow }, body: "" },
    },
    {
      subject: "routing",
      name: `DELETE ${path} is answered with 405`,
      app: filled,
      request: `DELETE ${path}`,
      expect: {
        status: 405,
        headers: { allow },
        ...error("method_not_allowed", `${path} does not answer DELETE`),
      },
    },
  ]),
  ...everything.map(
    (name): Case => ({
      subject: "app.registerRoute()",
      name: `${name} works on a pattern that all the other methods have too`,
      app: full,
      request: `${name.toUpperCase()} /all/1`,
      expect: { body: name.toUpperCase() },
    }),
  ),
  {
    subject: "app.options()",
    name: "an OPTIONS handler answers instead of fw",
    app: full,
    request: "OPTIONS /own",
    expect: { body: "options" },
  },
  {
    subject: "app.options()",
    name: "without a handler, OPTIONS lists every method",
    app: full,
    request: "OPTIONS /all/x",
    expect: { status: 204, headers: { allow: "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" } },
  },
  {
    subject: "app.registerRoute()",
    name: "a method of any name works with a catch-all",
    app: full,
    request: "PURGE /cache/a/b",
    expect: { body: "a/b" },
  },
  ...holdGet.flatMap((name) =>
    ["GET", "HEAD"].map(
      (method): Case => ({
        subject: "routing",
        name: `${method} of a path that answers only ${name} is a 405`,
        app: full,
        request: `${method} /${name}`,
        expect: { status: 405, headers: { allow: [name, "OPTIONS"].sort().join(", "), upgrade: null } },
      }),
    ),
  ),
  {
    subject: "proxy",
    name: "the answer of a proxy to HEAD has no body",
    app: app((a) => a.setProxy(() => proxy.responseJSON(401, { error: "no" }))),
    request: "HEAD /x",
    expect: { status: 401, body: "", headers: { "content-length": "14" } },
  },
  {
    subject: "methods",
    name: "middleware sees the body of the answer to HEAD",
    app: app((a) => {
      a.use((next) => async (c) => {
        const response = await next(c)
        const text = await response.clone().text()
        c.setHeader("x-text", text)
        return response
      })
      a.get("/", (c) => c.string(200, "text"))
    }),
    request: "HEAD /",
    expect: { headers: { "x-text": "text" }, body: "" },
  },
  {
    subject: "body",
    name: "DELETE may have a body",
    app: app((a) => a.delete("/", async (c) => c.json(200, await c.bind()))),
    request: { method: "DELETE", path: "/", body: "[1]", headers: { "content-type": "application/json" } },
    expect: { json: [1] },
  },
  {
    subject: "body",
    name: "a bodyLimit() of another group does not apply",
    app: app((a) => {
      a.group("/small", (g) => {
        g.use(bodyLimit(1))
        g.post("/", (c) => c.noContent())
      })
      a.post("/", async (c) => c.string(200, await c.text()))
    }),
    request: { method: "POST", path: "/", body: "long" },
    expect: { body: "long" },
  },
]
