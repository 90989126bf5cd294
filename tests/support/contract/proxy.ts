/** Contract cases: the proxy's actions and matchers, and that it runs before all routes. */
import { type App, type Context, forbidden, type ProxyConfig, type ProxyFunc, proxy } from "../../../lib/index.ts"
import { app, type Case, error } from "./case.ts"

const told = (c: Context) => c.json(200, [c.method, c.path, c.query("q"), c.param("id")])

/** Returns an app with a proxy before routes that answer with the request. */
const behind = (run: ProxyFunc, config?: ProxyConfig) =>
  app((a) => {
    a.setProxy(run, config)
    a.get("/", told)
    a.get("/users/{id}", told)
    a.post("/users/{id}", told)
  })

const bare = { status: 500, ...error("internal_server_error", "internal server error") }

const actions: readonly Case[] = [
  {
    subject: "proxy.continue()",
    name: "goes on to the route, and keeps headers and values",
    app: app((a) => {
      a.setProxy((c) => {
        c.set("who", "ada")
        c.setHeader("x-proxy", "1")
        return proxy.continue()
      })
      a.get("/", (c) => c.string(200, c.getString("who")))
    }),
    request: "/",
    expect: { body: "ada", headers: { "x-proxy": "1" } },
  },
  {
    subject: "proxy.continue()",
    name: "can be returned by an async function",
    app: behind(async () => proxy.continue()),
    request: "/users/1?q=2",
    expect: { json: ["GET", "/users/1", "2", "1"] },
  },
  {
    subject: "proxy.continue()",
    name: "runs before a route is found, so there are no route parameters",
    app: app((a) => {
      a.setProxy((c) => proxy.responseJSON(200, [c.param("id"), c.path]))
      a.get("/users/{id}", told)
    }),
    request: "/users/1",
    expect: { json: ["", "/users/1"] },
  },
  {
    subject: "proxy.redirect()",
    name: "redirects with the given status",
    app: behind(() => proxy.redirect("https://x.example/", 301)),
    request: "/",
    expect: { status: 301, headers: { location: "https://x.example/" }, body: "" },
  },
  {
    subject: "proxy.redirect()",
    name: "redirects with 302 by default",
    app: behind(() => proxy.redirect("/login")),
    request: "/none",
    expect: { status: 302, headers: { location: "/login" } },
  },
  {
    subject: "proxy.redirect()",
    name: "refuses a line break",
    app: behind(() => proxy.redirect("/a\r\nset-cookie: a=b")),
    request: "/",
    expect: { ...bare, cookies: [] },
  },
  {
    subject: "proxy.redirect()",
    name: "refuses a status that is not a redirect",
    app: behind(() => proxy.redirect("/a", 200)),
    request: "/",
    expect: bare,
  },
  {
    subject: "proxy.rewrite()",
    name: "runs the route of the new path",
    app: behind((c) => (c.path === "/me" ? proxy.rewrite("/users/7") : proxy.responseJSON(500, c.path))),
    request: "/me?q=1",
    expect: { json: ["GET", "/users/7", "1", "7"] },
  },
  {
    subject: "proxy.rewrite()",
    name: "replaces the query of the request",
    app: behind((c) => proxy.rewrite(`/users/${c.query("q")}?q=new`)),
    request: "/me?q=old",
    expect: { json: ["GET", "/users/old", "new", "old"] },
  },
  {
    subject: "proxy.rewrite()",
    name: "replaces the query with an empty one",
    app: behind(() => proxy.rewrite("/users/1?")),
    request: "/me?q=old",
    expect: { json: ["GET", "/users/1", "", "1"] },
  },
  {
    subject: "proxy.rewrite()",
    name: "uses the canonical form of the new path",
    app: behind(() => proxy.rewrite("/a/../users/%61%2Fb")),
    request: "/",
    expect: { json: ["GET", "/users/a%2Fb", "", "a/b"] },
  },
  {
    subject: "proxy.rewrite()",
    name: "keeps the method",
    app: behind(() => proxy.rewrite("/users/1")),
    request: "POST /x",
    expect: { json: ["POST", "/users/1", "", "1"] },
  },
  {
    subject: "proxy.rewrite()",
    name: "is a 404 for a path without a route",
    app: behind(() => proxy.rewrite("/none")),
    request: "/",
    expect: { status: 404, ...error("not_found", "no route matches GET /none") },
  },
  {
    subject: "proxy.rewrite()",
    name: "is a 400 for a path that is not validly encoded",
    app: behind(() => proxy.rewrite("/%zz")),
    request: "/",
    expect: { status: 400, ...error("bad_request", "the path is not valid percent-encoded UTF-8") },
  },
  {
    subject: "proxy.rewrite()",
    name: "is a bug for a value that is not a path",
    app: behind(() => proxy.rewrite("https://x.example/")),
    request: "/",
    expect: bare,
  },
  {
    subject: "proxy.responseJSON()",
    name: "answers without running the route",
    app: behind(() => proxy.responseJSON(401, { error: "unauthorized" })),
    request: "/users/1",
    expect: { status: 401, json: { error: "unauthorized" } },
  },
  {
    subject: "proxy.responseJSON()",
    name: "answers OPTIONS of a path without a route",
    app: behind(() => proxy.responseJSON(401, {})),
    request: "OPTIONS /none",
    expect: { status: 401 },
  },
  {
    subject: "proxy",
    name: "an HttpError that the proxy throws is the answer",
    app: behind(() => {
      throw forbidden("not you")
    }),
    request: "/",
    expect: { status: 403, ...error("forbidden", "not you") },
  },
  {
    subject: "proxy",
    name: "a proxy that returns nothing is a 500, and the route does not run",
    app: behind((() => undefined) as never),
    request: "/",
    expect: bare,
  },
  {
    subject: "proxy",
    name: "an object that only looks like a result is a 500",
    app: behind((() => ({ action: "continue" })) as never),
    request: "/",
    expect: bare,
  },
  {
    subject: "proxy",
    name: "global middleware wraps the answer of the proxy",
    app: app((a) => {
      a.use((next) => async (c) => {
        const r = await next(c)
        c.setHeader("x-status", String(r.status))
        return r
      })
      a.setProxy(() => proxy.responseJSON(401, {}))
    }),
    request: "/",
    expect: { status: 401, headers: { "x-status": "401" } },
  },
  {
    subject: "proxy",
    name: "a path that has no canonical form is a 400, and the proxy does not run",
    app: behind(() => proxy.responseJSON(200, "seen")),
    request: "/%",
    expect: { status: 400 },
  },
]

type Match = readonly [config: ProxyConfig, guarded: readonly string[], open: readonly string[]]

/** Paths for which the proxy runs, and paths for which it does not. */
const matches: Readonly<Record<string, readonly Match[]>> = {
  "ProxyConfig matchers": [
    [{}, ["/", "/a", "/a//b", "//"], []],
    [{ matchers: [] }, ["/", "/a"], []],
    [
      { matchers: ["/api/*"] },
      ["/api", "/api/", "/api/a", "/api/a/b/", "/%61pi/a"],
      ["/", "/apis", "/API/a", "/x/api/a"],
    ],
    [{ matchers: ["/*"] }, ["/", "/a", "/a/b"], []],
    [{ matchers: ["/"] }, ["/"], ["/a"]],
    [{ matchers: ["/a", "/b/"] }, ["/a", "/a/", "/b", "/b/"], ["/a/b", "/c"]],
    [{ matchers: ["/%61/ü"] }, ["/a/%C3%BC"], ["/%2561/%C3%BC"]],
    [{ matchers: ["/u/{id}/x"] }, ["/u/1/x", "/u/%2F/x/"], ["/u/x", "/u/1/2/x", "/u/1"]],
    [{ matchers: ["/u/[id]"] }, ["/u/1"], ["/u", "/u/1/2"]],
    [{ matchers: ["/u/:id"] }, ["/u/1"], ["/u", "/u/1/2"]],
    [{ matchers: ["/u/[...rest]"] }, ["/u", "/u/1", "/u/1/2"], ["/v"]],
  ],
  "ProxyConfig matcher": [
    [{ matcher: ["/api/:path*"] }, ["/api", "/api/", "/api/a/b"], ["/apix", "/"]],
    [{ matcher: ["/api/:path+"] }, ["/api/a", "/api/a/b/"], ["/api", "/api/"]],
    [{ matcher: ["/:path*"] }, ["/", "/a/b"], []],
    [{ matcher: ["/a"], matchers: ["/b"] }, ["/a", "/b"], ["/c"]],
    [{ matcher: ["/:lang(en|de)/x"] }, ["/en/x", "/de/x/"], ["/fr/x"]],
    [{ matcher: ["/files/:name.png"] }, ["/files/a.png", "/files/a.png/"], ["/files/a.jpg"]],
    [{ matcher: ["/v{/:n}?/x"] }, ["/v/x", "/v/2/x"], ["/v/2/3/x"]],
    [{ matcher: ["/user-:id"] }, ["/user-1"], ["/user"]],
    [{ matcher: ["/a-*"] }, ["/a-", "/a-b/c"], ["/a"]],
    [{ matcher: ["/(admin|root)/"] }, ["/admin", "/admin/", "/root"], ["/admin/x"]],
    [{ matcher: ["/((?!public).*)"] }, ["/", "/private", "/x/public"], ["/public", "/public/a"]],
    [{ matcher: ["/x.y/:a?"] }, ["/x.y", "/x.y/1", "/x.y/"], ["/xzy"]],
  ],
  "ProxyConfig excludes": [
    [{ excludes: ["/login"] }, ["/", "/login/x"], ["/login", "/login/"]],
    [
      { matchers: ["/api/*"], excludes: ["/api/health", "/api/open/*"] },
      ["/api", "/api/x"],
      ["/api/health", "/api/open", "/api/open/x", "/other"],
    ],
    [{ matchers: ["/api/*"], excludes: ["/api/:v(\\d+)/open"] }, ["/api/v/open", "/api/1"], ["/api/1/open"]],
  ],
}

const open = (a: App, config: ProxyConfig) => {
  a.setProxy(() => proxy.responseJSON(401, {}), config)
  a.notFound((c) => c.noContent())
}

export const proxyCases: readonly Case[] = [
  ...actions,
  ...Object.entries(matches).flatMap(([subject, list]) =>
    list.flatMap(([config, guarded, free]) =>
      [...guarded, ...free].map(
        (path): Case => ({
          subject,
          name: `${JSON.stringify(config)} ${guarded.includes(path) ? "guards" : "does not guard"} ${path}`,
          app: app((a) => open(a, config)),
          request: path,
          expect: { status: guarded.includes(path) ? 401 : 204 },
        }),
      ),
    ),
  ),
]
