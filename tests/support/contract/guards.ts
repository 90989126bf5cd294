/** Contract cases: what the middleware of a group sees and hides, and mounted handlers. */
import { App, cors, proxy } from "../../../lib/index.ts"
import { app, type Case, error, json } from "./case.ts"
import { mark, marks, say } from "./marks.ts"

/** A guard with CORS around it, over one path in a group. */
const guarded = app((a) => {
  a.group("/api", (g) => {
    g.use(cors({ origins: ["https://shop.example"] }))
    g.use((next) => (c) => (c.header("authorization") ? next(c) : c.json(401, { error: "no" })))
    g.get("/thing/{id}", (c) => c.json(200, { id: c.param("id") }))
    g.put("/thing/{id}", (c) => c.noContent())
  })
})
const origin = { origin: "https://shop.example" }
const authorization = { authorization: "Bearer x" }

const outer = mark("outer")
const own = app((a) => {
  a.group("/g", (g) => {
    g.use(outer)
    g.get("/one/{id}", mark("own"), (c) => c.string(200, c.getString("marks") + c.param("id")))
    g.get("/two", mark("first"), mark("second"), marks)
    g.get("/plain", marks)
    g.registerRoute("PURGE", "/one/{id}", mark("purge"), marks)
    g.put("/one/{id}", (next) => (c) => (c.header("authorization") ? next(c) : c.json(401, {})), marks)
  })
})

/** One method with its own guard, registered before the public one. */
const guardedFirst = app((a) => {
  a.put("/thing/{id}", (next) => (c) => (c.header("authorization") ? next(c) : c.json(401, {})), say)
  a.get("/thing/{id}", say)
})

export const guardCases: readonly Case[] = [
  ...(
    [
      ["of a route runs inside that of its group", "/g/one/7", "outer(own(7"],
      ["of a route runs in its order, the first one outermost", "/g/two", "outer(first(second("],
      ["of a route does not wrap another route", "/g/plain", "outer("],
      ["of a method does not wrap another method", "PURGE /g/one/7", "outer(purge("],
    ] as const
  ).map(
    ([name, request, body]): Case => ({
      subject: "app.registerRoute()",
      name: `middleware ${name}`,
      app: own,
      request,
      expect: { body },
    }),
  ),
  {
    subject: "app.registerRoute()",
    name: "middleware of a method guards that method",
    app: own,
    request: "PUT /g/one/7",
    expect: { status: 401, json: {} },
  },
  ...(
    [
      ["GET /thing/7/", 308, { location: "../7" }],
      ["OPTIONS /thing/7", 204, { allow: "GET, HEAD, OPTIONS, PUT" }],
      ["DELETE /thing/7", 405, { allow: "GET, HEAD, OPTIONS, PUT" }],
      ["PUT /thing/7", 401, {}],
    ] as const
  ).map(
    ([request, status, headers]): Case => ({
      subject: "app.registerRoute()",
      name: `middleware of the first method of a path does not change others: ${request} is answered with ${status}`,
      app: guardedFirst,
      request,
      expect: { status, headers },
    }),
  ),
  {
    subject: "cors()",
    name: "cors() of a group answers preflights",
    app: guarded,
    request: {
      method: "OPTIONS",
      path: "/api/thing/1",
      headers: { ...origin, "access-control-request-method": "PUT" },
    },
    expect: {
      status: 204,
      headers: {
        "access-control-allow-origin": "https://shop.example",
        "access-control-allow-methods": /PUT/,
      },
    },
  },
  ...["DELETE /api/thing/1", "OPTIONS /api/thing/1", "GET /api/thing/1/", "GET /api/thing/1"].map(
    (request): Case => ({
      subject: "routing",
      name: `a guard hides from ${request} which methods exist`,
      app: guarded,
      request,
      expect: { status: 401, json: { error: "no" }, headers: { allow: null, location: null } },
    }),
  ),
  {
    subject: "routing",
    name: "behind the guard, a 405 has Allow",
    app: guarded,
    request: { method: "DELETE", path: "/api/thing/1", headers: authorization },
    expect: { status: 405, headers: { allow: "GET, HEAD, OPTIONS, PUT" } },
  },
  {
    subject: "routing",
    name: "behind the guard, a trailing slash is redirected with the query",
    app: guarded,
    request: { path: "/api/thing/%41/?a=%20", headers: authorization },
    expect: { status: 308, headers: { location: "../A?a=%20" } },
  },
  {
    subject: "routing",
    name: "a trailing slash is ignored for other methods",
    app: guarded,
    request: { ...json("/api/thing/1/", {}, "PUT"), headers: authorization },
    expect: { status: 204 },
  },
  {
    subject: "routing",
    name: "a trailing slash is a 405 if the path does not answer GET",
    app: app((a) => a.post("/x", say)),
    request: "/x/",
    expect: { status: 405 },
  },
  {
    subject: "routing",
    name: "middleware of a group can read the parameters of a request that is a 405",
    app: app((a) =>
      a.group("/u/{id}", (g) => {
        g.use((next) => (c) => {
          c.setHeader("x-id", c.param("id"))
          return next(c)
        })
        g.get("/", say)
      }),
    ),
    request: "POST /u/7",
    expect: { status: 405, headers: { "x-id": "7" } },
  },
  ...[
    ["/", "/"],
    ["/x", "/x"],
    ["/x/", "/x"],
  ].map(
    ([path, prefix]): Case => ({
      subject: "app.router",
      name: `a handler that is mounted at ${prefix} answers ${path} as /`,
      app: app((a) => a.router.mount(prefix as string, (r) => new Response(new URL(r.url).pathname))),
      request: path as string,
      expect: { body: "/" },
    }),
  ),
  {
    subject: "app.router",
    name: "the mounted handler sees method, rest of the path, query, headers and body",
    app: app((a) =>
      a.router.mount("/api/{v}", async (r) =>
        Response.json([r.method, new URL(r.url).pathname, new URL(r.url).search, r.headers.get("x-a"), await r.text()]),
      ),
    ),
    request: { method: "PUT", path: "/api/v1/%61/b%2fc/?q=1", headers: { "x-a": "1" }, body: "text" },
    expect: { json: ["PUT", "/a/b%2Fc/", "?q=1", "1", "text"] },
  },
  {
    subject: "app.router",
    name: "a mounted app runs its own routes, inside the outer middleware",
    app: app((a) => {
      const inner = new App({ logger: false })
      inner.get("/in/{x}", (c) => c.string(200, c.param("x")))
      a.use(mark("outer"))
      a.router.mount("/admin", inner.fetch)
    }),
    request: "/admin/in/7",
    expect: { body: "7", headers: { "x-after": "outer" } },
  },
  {
    subject: "app.router",
    name: "a route below the prefix wins over the mounted handler",
    app: app((a) => {
      a.router.mount("/m", () => new Response("mounted"))
      a.get("/m/own", say)
    }),
    request: "/m/own",
    expect: { body: "GET /m/own" },
  },
  {
    subject: "app.router",
    name: "an error that a mounted handler throws is a 500",
    app: app((a) =>
      a.router.mount("/m", () => {
        throw new Error("secret")
      }),
    ),
    request: "/m",
    expect: { status: 500, ...error("internal_server_error", "internal server error") },
  },
  {
    subject: "app.router",
    name: "a mounted handler sees the query of a rewrite",
    app: app((a) => {
      a.setProxy(() => proxy.rewrite("/m/x?b=2"))
      a.router.mount("/m", (r) => new Response(new URL(r.url).pathname + new URL(r.url).search))
    }),
    request: "/a?a=1",
    expect: { body: "/x?b=2" },
  },
]
