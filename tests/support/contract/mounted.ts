/**
 * Contract cases: a mounted tree as code generation creates it, with routes, middleware by directory, pages, the
 * proxy and error pages.
 */
import { type Html, html } from "../../../lib/html.ts"
import { App, type Context, forbidden, type Next, proxy, type Routes, type RouteTree } from "../../../lib/index.ts"
import { type Ask, type Case, type Expected, error } from "./case.ts"

const mark = (name: string) => () => (next: Next) => async (c: Context) => {
  c.set("marks", `${c.getString("marks")}${name}`)
  return next(c)
}
const marks = (c: Context) => c.json(200, [c.getString("marks"), c.param("id"), c.param("slug")])
const route = (method: string, pattern: string, file: string, more: object = {}) => ({
  method,
  pattern,
  file,
  export: (method[0] + method.slice(1).toLowerCase()) as "Get",
  line: 1,
  middleware: [] as number[],
  ...more,
})
const page = (pattern: string, file: string, more: object = {}) => ({
  pattern,
  file,
  middleware: [] as number[],
  title: "Untitled",
  ...more,
})

const tree: RouteTree = {
  appDir: "app",
  routes: [
    route("GET", "/api/users/{id}", "app/api/users/[id]/route.ts", { middleware: [0, 1] }),
    route("DELETE", "/api/users/{id}", "app/api/users/[id]/route.ts", { middleware: [0, 1] }),
    route("GET", "/api/docs/*", "app/api/docs/[...slug]/route.ts", { rest: "slug", middleware: [0] }),
    route("GET", "/open", "app/open/route.ts"),
  ],
  middleware: [
    { path: "/api", file: "app/api/middleware.ts" },
    { path: "/api/users", file: "app/api/users/middleware.ts" },
  ],
  pages: [
    page("/", "app/page.tpl", { layout: 0 }),
    page("/bare", "app/bare/page.tpl"),
    page("/broken", "app/broken/page.tpl", { layout: 0 }),
    page("/closed", "app/closed/page.tpl", { layout: 0 }),
    page("/users/{id}", "app/users/[id]/page.tpl", { layout: 0 }),
  ],
  layouts: [{ path: "/", file: "app/layout.tpl" }],
  proxy: { file: "app/proxy.ts", matchers: ["/blocked/:path*", "/moved"], excludes: ["/blocked/not"] },
  notFound: { file: "app/not-found.tpl" },
  error: { file: "app/error.tpl" },
}

const routes: Routes = {
  tree,
  modules: {
    "app/api/users/[id]/route.ts": { Get: marks, Delete: (c: Context) => c.noContent() },
    "app/api/docs/[...slug]/route.ts": { Get: marks },
    "app/open/route.ts": { Get: marks },
    "app/api/middleware.ts": { Middleware: mark("api(") },
    "app/api/users/middleware.ts": { Middleware: mark("users(") },
    "app/page.tpl": { Page: () => html`<p>home</p>`, title: "Home" },
    "app/bare/page.tpl": { Page: () => html`<p>bare</p>` },
    "app/broken/page.tpl": {
      Page: () => {
        throw new Error("secret")
      },
    },
    "app/closed/page.tpl": {
      Page: () => {
        throw forbidden("<closed>")
      },
    },
    "app/users/[id]/page.tpl": {
      Page: (c: Context) => html`<p title="${c.param("id")}">${c.param("id")}</p>`,
    },
    "app/layout.tpl": {
      Layout: (title: string, _: Context, children: Html) => html`<title>${title}</title>${children}`,
    },
    "app/proxy.ts": {
      Proxy: (c: Context) =>
        c.path === "/moved" ? proxy.rewrite("/api/users/7") : proxy.responseJSON(451, { path: c.path }),
    },
    "app/not-found.tpl": { NotFound: (c: Context) => html`<p>no ${c.path}</p>` },
    "app/error.tpl": {
      Failure: (_: Context, status: number, message: string) => html`<p>${status} ${message}</p>`,
      title: "Sorry",
    },
  },
}

const mounted = async () => {
  const app = new App({ logger: false })
  await app.mount(routes)
  return app
}
const browser = { accept: "text/html,*/*;q=0.8" }
const htmx = { "hx-request": "true" }
const at = (path: string, headers: Record<string, string>): Ask => ({ path, headers })

type Row = readonly [name: string, request: string | Ask, expect: Expected]
const rows: readonly Row[] = [
  ["a route is wrapped by the middleware of its directories", "/api/users/7", { json: ["api(users(", "7", ""] }],
  ["another method of a route file is answered", "DELETE /api/users/7", { status: 204 }],
  ["a catch-all has the name of its directory", "/api/docs/a/b%2Fc", { json: ["api(", "", "a/b%2Fc"] }],
  ["a route in another directory has no such middleware", "/open", { json: ["", "", ""] }],
  [
    "a method that a route file does not export is a 405",
    "PUT /api/users/7",
    { status: 405, headers: { allow: "DELETE, GET, HEAD, OPTIONS" } },
  ],
  ["the proxy answers paths of its matcher", "/blocked/a", { status: 451, json: { path: "/blocked/a" } }],
  ["the proxy does not run for paths that it excludes", "/blocked/not", { status: 404 }],
  ["the proxy can rewrite to a route", "/moved", { json: ["api(users(", "7", ""] }],
  [
    "a page is sent in its layout",
    "/",
    {
      body: "<title>Home</title><p>home</p>",
      headers: { "content-type": "text/html; charset=utf-8", vary: /HX-Request/ },
    },
  ],
  ["HEAD of a page has no body", "HEAD /", { body: "", headers: { "content-length": "30" } }],
  ["a page without a layout is sent on its own", "/bare", { body: "<p>bare</p>", headers: { vary: null } }],
  [
    "a page prints a parameter escaped",
    "/users/%22%3C",
    {
      body: /<p title="&#34;&lt;">&#34;&lt;<\/p>|<p title="&quot;&lt;">&quot;&lt;<\/p>|<p title="&quot;&lt;">"&lt;<\/p>/,
    },
  ],
  ["htmx gets a page as a fragment", at("/", htmx), { body: "<p>home</p>" }],
  ["a boosted link of htmx gets the whole page", at("/", { ...htmx, "hx-boosted": "true" }), { body: /<title>/ }],
  [
    "a browser gets an error page for a page that fails",
    at("/broken", browser),
    { status: 500, body: /<title>Sorry<\/title><p>500 [^<]*<\/p>/ },
  ],
  [
    "a program gets JSON for a page that fails",
    "/broken",
    { status: 500, ...error("internal_server_error", "internal server error") },
  ],
  [
    "a browser gets an error page for an HttpError",
    at("/closed", browser),
    { status: 403, body: /<p>403 &lt;closed&gt;<\/p>|<p>403 &lt;closed><\/p>/ },
  ],
  ["a program gets JSON for an HttpError", "/closed", { status: 403, ...error("forbidden", "<closed>") }],
  ["a browser gets the not-found page", at("/none", browser), { status: 404, body: /<p>no \/none<\/p>/ }],
  ["a program gets a 404 as JSON", "/none", { status: 404, ...error("not_found", "no route matches GET /none") }],
  ["a page with a slash too many is redirected", "/bare/", { status: 308, headers: { location: "../bare" } }],
  ["POST to a page is a 405", "POST /bare", { status: 405 }],
]

/** Values of an app's own properties. */
const facts: ReadonlyArray<readonly [subject: string, tell: (app: App) => unknown, told: unknown]> = [
  [
    "app.routeTree",
    (a) => a.routeTree?.routes.map(({ pattern }) => pattern),
    ["/api/users/{id}", "/api/users/{id}", "/api/docs/*", "/open"],
  ],
  ["app.hasProxy", (a) => a.hasProxy, true],
  [
    "app.config",
    (a) => a.config,
    { appDir: "app", staticDir: "static", bodyLimit: 10485760, formPartLimit: 1000, trustedProxies: [] },
  ],
]

export const mountedCases: readonly Case[] = [
  ...rows.map(([name, request, expect]): Case => ({ subject: "app.mount()", name, app: mounted, request, expect })),
  ...facts.map(
    ([subject, tell, told]): Case => ({
      subject,
      name: "is right for an app that is mounted from files",
      async app() {
        const made = new App({ logger: false })
        made.get("/facts", (c) => c.json(200, tell(made)))
        await made.mount(routes)
        return made
      },
      request: "/facts",
      expect: { json: told },
    }),
  ),
]
