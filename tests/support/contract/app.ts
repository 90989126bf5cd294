/** Contract cases: registration of routes, groups and global middleware, and mounted handlers. */
import { app, type Case, error } from "./case.ts"
import { mark, marks, say } from "./marks.ts"

const methods = ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options"] as const
const call = (name: string) => name.toLowerCase() as "get"

export const appCases: readonly Case[] = [
  {
    subject: "new App()",
    name: "an app without routes answers every request with 404",
    app: app(() => {}),
    request: "/",
    expect: { status: 404, ...error("not_found", "no route matches GET /") },
  },
  ...methods.map(
    (name): Case => ({
      subject: `app.${call(name)}()`,
      name: "answers its method and reads parameters",
      app: app((a) =>
        a[call(name)]("/u/{id}", (c) => {
          c.setHeader("x-id", c.param("id"))
          return say(c)
        }),
      ),
      request: `${name.toUpperCase()} /u/7`,
      expect: { headers: { "x-id": "7" }, body: name === "Head" ? "" : `${name.toUpperCase()} /u/7` },
    }),
  ),
  ...methods.slice(0, 5).map(
    (name): Case => ({
      subject: `group.${call(name)}()`,
      name: "joins the paths of its groups",
      app: app((a) =>
        a.group("/api/v1", (g) =>
          g.group("/users", (users) => users[call(name)]("/{id}", (c) => c.string(200, c.param("id")))),
        ),
      ),
      request: `${name.toUpperCase()} /api/v1/users/7`,
      expect: { body: "7" },
    }),
  ),
  ...["/users/{id}", "/users/:id", "/users/[id]", "/users/{id}/"].map(
    (pattern): Case => ({
      subject: "app.get()",
      name: `reads ${pattern}`,
      app: app((a) => a.get(pattern, (c) => c.string(200, c.param("id")))),
      request: "/users/7",
      expect: { body: "7" },
    }),
  ),
  ...["/f/*", "/f/[...path]"].map(
    (pattern): Case => ({
      subject: "app.get()",
      name: `${pattern} needs a segment`,
      app: app((a) => a.get(pattern, say)),
      request: "/f/",
      expect: { status: 404 },
    }),
  ),
  {
    subject: "app.registerRoute()",
    name: "takes any method name",
    app: app((a) => a.registerRoute("PURGE", "/{x}", say)),
    request: "PURGE /a",
    expect: { body: "PURGE /a" },
  },
  {
    subject: "app.registerRoute()",
    name: "takes the usual methods in upper and lower case",
    app: app((a) => a.registerRoute("get", "/", say)),
    request: "/",
    expect: { body: "GET /" },
  },
  {
    subject: "app.registerRoute()",
    name: "other methods are answered with 405",
    app: app((a) => a.registerRoute("PURGE", "/", say)),
    request: "/",
    expect: {
      status: 405,
      headers: { allow: "OPTIONS, PURGE" },
      ...error("method_not_allowed", "/ does not answer GET"),
    },
  },
  {
    subject: "app.head()",
    name: "without a HEAD handler, HEAD runs the GET handler",
    app: app((a) => a.get("/", (c) => c.string(201, "body"))),
    request: "HEAD /",
    expect: { status: 201, body: "", headers: { "content-type": "text/plain; charset=utf-8" } },
  },
  {
    subject: "app.options()",
    name: "without an OPTIONS handler, OPTIONS is answered with Allow",
    app: app((a) => {
      a.get("/{x}", say)
      a.post("/a", say)
    }),
    request: "OPTIONS /a",
    expect: { status: 204, headers: { allow: "GET, HEAD, OPTIONS, POST" }, body: "" },
  },
  {
    subject: "app.use()",
    name: "runs in the order added, outermost first",
    app: app((a) => {
      a.use(mark("a"))
      a.use(mark("b"))
      a.get("/", marks)
    }),
    request: "/",
    expect: { body: "a(b(", headers: { "x-after": "b, a" } },
  },
  {
    subject: "app.use()",
    name: "wraps routes that were there before",
    app: app((a) => {
      a.get("/", marks)
      a.use(mark("a"))
    }),
    request: "/",
    expect: { body: "a(" },
  },
  ...["GET /none", "DELETE /", "OPTIONS /", "GET /%", "GET /x/"].map(
    (request): Case => ({
      subject: "app.use()",
      name: `wraps also the answer to ${request}`,
      app: app((a) => {
        a.use(mark("a"))
        a.get("/", say)
        a.get("/x", say)
      }),
      request,
      expect: {
        status: { "GET /none": 404, "DELETE /": 405, "OPTIONS /": 204, "GET /%": 400 }[request] ?? 308,
        headers: { "x-after": "a" },
      },
    }),
  ),
  {
    subject: "app.use()",
    name: "a middleware may answer without calling next",
    app: app((a) => {
      a.use(() => (c) => c.string(203, "mine"))
      a.get("/", say)
    }),
    request: "/",
    expect: { status: 203, body: "mine" },
  },
  {
    subject: "app.group()",
    name: "global middleware runs first, then that of the outer group, then that of the inner one",
    app: app((a) => {
      a.use(mark("app"))
      a.group("/o", (o) => {
        o.use(mark("outer"))
        o.group("i", (i) => {
          i.use(mark("inner"))
          i.get("/", marks)
        })
      })
    }),
    request: "/o/i",
    expect: { body: "app(outer(inner(", headers: { "x-after": "inner, outer, app" } },
  },
  {
    subject: "group.use()",
    name: "wraps only that group",
    app: app((a) => {
      a.group("/o", (o) => {
        o.use(mark("o"))
        o.get("/", marks)
      })
      a.get("/other", marks)
    }),
    request: "/other",
    expect: { body: "", headers: { "x-after": null } },
  },
  {
    subject: "group.use()",
    name: "middleware of an inner group does not wrap the outer group's routes",
    app: app((a) =>
      a.group("/o", (o) => {
        o.group("/i", (i) => {
          i.use(mark("i"))
          i.get("/", marks)
        })
        o.get("/", marks)
      }),
    ),
    request: "/o",
    expect: { body: "" },
  },
  {
    subject: "group.group()",
    name: "a parameter in the prefix reaches the handler",
    app: app((a) =>
      a.group("/t/{team}", (g) =>
        g.group(":user", (u) => u.get("/", (c) => c.json(200, [c.param("team"), c.param("user")]))),
      ),
    ),
    request: "/t/a/b",
    expect: { json: ["a", "b"] },
  },
]
