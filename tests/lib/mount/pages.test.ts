/** Tests of pages: the nearest layout, titles, fragments for htmx, and the pages with which browsers get errors. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { FwError, HttpError, notFound } from "../../../lib/errors.ts"
import { type Html, html } from "../../../lib/html.ts"
import type { Routes, TreePage } from "../../../lib/tree.ts"

const fragment = "HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request, HX-Target"
const layout = (name: string) => (title: string, c: Context, children: Html) =>
  html`[${name}|${title}|${c.path}|${children}]`
const page = (pattern: string, file: string, more: Partial<TreePage> = {}): TreePage => ({
  pattern,
  file,
  middleware: [],
  title: "From the directory",
  ...more,
})

/** Returns a tree with a layout at the top and one below, with all types of pages. */
function routes(changes: { readonly modules?: Record<string, Record<string, unknown>> } = {}): Routes {
  const pages = [
    page("/", "app/page.tpl", { layout: 0 }),
    page("/bare", "app/bare/page.tpl"),
    page("/missing", "app/missing/page.tpl"),
    page("/docs/*", "app/docs/[...slug]/page.tpl", { layout: 1, rest: "slug" }),
    page("/named", "app/named/page.tpl", { layout: 0, middleware: [0] }),
    page("/loaded/{id}", "app/loaded/[id]/page.tpl", { layout: 0 }),
    page("/untitled", "app/untitled/page.tpl", { layout: 0 }),
    page("/response", "app/response/page.ts", { layout: 0 }),
    page("/text", "app/text/page.ts", { layout: 0 }),
    page("/gone", "app/gone/page.tpl", { layout: 0 }),
    page("/bug", "app/bug/page.tpl", { layout: 0 }),
    page("/whole", "app/whole/page.tpl", { layout: 0 }),
    page("/search", "app/search/page.tpl", { layout: 0 }),
  ]
  const modules: Record<string, Record<string, unknown>> = {
    "app/layout.tpl": { Layout: layout("top"), $fwBodyID: "page" },
    "app/docs/layout.tpl": {
      Layout: async (...given: Parameters<ReturnType<typeof layout>>) => layout("docs")(...given),
    },
    "app/page.tpl": { Page: () => html`<p>home</p>`, title: "Home" },
    "app/bare/page.tpl": { Page: () => html`<p>bare</p>` },
    "app/docs/[...slug]/page.tpl": { Page: async (c: Context) => html`<p>${c.param("slug")}</p>` },
    "app/named/page.tpl": { Page: () => html`<p>named</p>`, title: (c: Context) => `Q ${c.query("q")}` },
    "app/loaded/[id]/page.tpl": {
      Page: async (c: Context) => {
        c.set("task", await Promise.resolve(`Task ${c.param("id")}`))
        return html`<p>${c.getString("task")}</p>`
      },
      title: async (c: Context) => `Loaded ${await Promise.resolve(c.getString("task"))}`,
    },
    "app/untitled/page.tpl": { Page: () => html``, title: async () => undefined },
    "app/named/middleware.ts": {
      Middleware: () => [
        (next: (c: Context) => Promise<Response>) => async (c: Context) => {
          c.setHeader("x-outer", "1")
          return next(c)
        },
        (next: (c: Context) => Promise<Response>) => async (c: Context) => {
          c.appendHeader("x-outer", "2")
          return next(c)
        },
      ],
    },
    "app/response/page.ts": { Page: (c: Context) => c.redirect(302, "/") },
    "app/text/page.ts": { Page: () => "<b>text</b>" },
    "app/gone/page.tpl": {
      Page: () => {
        throw new HttpError(410, "it <is> gone", { headers: { "x-why": "old" } })
      },
    },
    "app/bug/page.tpl": {
      Page: () => {
        throw new Error("a secret")
      },
    },
    "app/whole/page.tpl": { Page: () => html`<p>whole</p>`, fragment: false },
    "app/search/page.tpl": {
      Page: () => html`<p>search</p>`,
      title: "Search",
      fragment: (c: Context) => c.header("hx-target") === "results",
    },
    "app/docs/route.ts": {
      Post: (c: Context) => c.page(422, "Again", html`<p>form</p>`),
      Put: (c: Context) => c.page(200, "Whole", Promise.resolve(html`<p>put</p>`), { fragment: false }),
      Patch: (c: Context) => c.page(200, "Alone", html`<p>patch</p>`, { fragment: true }),
      Delete: (c: Context) => c.page(200, "Bad", "text" as never),
    },
    "app/bare/route.ts": { Post: (c: Context) => c.page(200, "Bare", html`<p>bare</p>`) },
    "app/missing/page.tpl": {
      Page: () => {
        throw notFound("no <such> ticket")
      },
    },
    "app/not-found.tpl": {
      NotFound: (c: Context, message: string) => html`<p>${message || `nothing at ${c.path}`}</p>`,
    },
    "app/error.tpl": {
      Failure: (_: Context, status: number, message: string) => html`<p>${status} ${message}</p>`,
      title: "Sorry",
    },
    ...changes.modules,
  }
  return {
    tree: {
      appDir: "app",
      routes: [
        ...(["Post", "Put", "Patch", "Delete"] as const).map((name) => ({
          method: name.toUpperCase(),
          pattern: "/docs/form",
          file: "app/docs/route.ts",
          export: name,
          line: 1,
          layout: 1,
          middleware: [],
        })),
        {
          method: "POST",
          pattern: "/bare",
          file: "app/bare/route.ts",
          export: "Post",
          line: 1,
          middleware: [],
        },
      ],
      middleware: [{ path: "/named", file: "app/named/middleware.ts" }],
      pages,
      layouts: [
        { path: "/", file: "app/layout.tpl" },
        { path: "/docs", file: "app/docs/layout.tpl" },
      ],
      notFound: { file: "app/not-found.tpl" },
      error: { file: "app/error.tpl" },
    },
    modules,
  }
}

async function mounted(given = routes()): Promise<App> {
  const app = new App({ logger: { level: "off", write: () => {} } })
  await app.mount(given)
  return app
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const errorVary = `Accept, ${fragment}`

const cases: ReadonlyArray<{
  name: string
  path: string
  headers?: Record<string, string>
  status?: number
  body: string
  vary?: string | null
}> = [
  {
    name: "a page is sent in its layout, with its own title",
    path: "/",
    body: "[top|Home|/|<p>home</p>]",
    vary: fragment,
  },
  {
    name: "a page without a layout is sent on its own, without Vary",
    path: "/bare",
    body: "<p>bare</p>",
    vary: null,
  },
  {
    name: "a page is wrapped only by the nearest layout, with the title of the directory",
    path: "/docs/a/b",
    body: "[docs|From the directory|/docs/a/b|<p>a/b</p>]",
  },
  {
    name: "a title function may be async, and gets the data of the page",
    path: "/loaded/7",
    body: "[top|Loaded Task 7|/loaded/7|<p>Task 7</p>]",
  },
  { name: "a title function gets the context", path: "/named?q=x", body: "[top|Q x|/named|<p>named</p>]" },
  { name: "a Response that a page returns is sent unchanged", path: "/response", status: 302, body: "" },
  {
    name: "htmx 2 gets a fragment",
    path: "/",
    headers: { "hx-request": "true" },
    body: "<p>home</p>",
    vary: fragment,
  },
  {
    name: "a boosted link gets the page",
    path: "/",
    headers: { "hx-request": "true", "hx-boosted": "true" },
    body: "[top|Home|/|<p>home</p>]",
  },
  {
    name: "a restored history entry gets the page",
    path: "/",
    headers: { "hx-request": "true", "hx-history-restore-request": "true" },
    body: "[top|Home|/|<p>home</p>]",
  },
  {
    name: "htmx 4 that asks for a part gets a fragment",
    path: "/",
    headers: { "hx-request": "true", "hx-request-type": "partial" },
    body: "<p>home</p>",
  },
  {
    name: "htmx 4 that asks for the whole page gets the page",
    path: "/",
    headers: { "hx-request": "true", "hx-request-type": "full" },
    body: "[top|Home|/|<p>home</p>]",
  },
  {
    name: "a browser gets the not-found page",
    path: "/nope",
    headers: browser,
    status: 404,
    body: "[top|Not found|/nope|<p>nothing at /nope</p>]",
    vary: errorVary,
  },
  {
    name: "the not-found page shows the escaped message of the program",
    path: "/missing",
    headers: browser,
    status: 404,
    body: "[top|Not found|/missing|<p>no &lt;such&gt; ticket</p>]",
    vary: errorVary,
  },
  {
    name: "a program gets a JSON error",
    path: "/nope",
    headers: { accept: "*/*" },
    status: 404,
    body: '{"error":"not_found","message":"no route matches GET /nope"}',
    vary: "Accept",
  },
  {
    name: "a client that prefers JSON gets a JSON error",
    path: "/nope",
    headers: { accept: "text/html;q=0.5, application/json" },
    status: 404,
    body: '{"error":"not_found","message":"no route matches GET /nope"}',
  },
  {
    name: "htmx that restores history gets the page, whatever it accepts",
    path: "/nope",
    headers: { "hx-history-restore-request": "true" },
    status: 404,
    body: "[top|Not found|/nope|<p>nothing at /nope</p>]",
  },
  {
    name: "an error page shows the status and the escaped message",
    path: "/gone",
    headers: browser,
    status: 410,
    body: "[top|Sorry|/gone|<p>410 it &lt;is&gt; gone</p>]",
    vary: errorVary,
  },
  {
    name: "the page of a bug shows no details",
    path: "/bug",
    headers: browser,
    status: 500,
    body: "[top|Sorry|/bug|<p>500 internal server error</p>]",
  },
  {
    name: "a title that is not a string is a bug",
    path: "/untitled",
    headers: { accept: "*/*" },
    status: 500,
    body: '{"error":"internal_server_error","message":"internal server error"}',
  },
  {
    name: "the title function is not called for a fragment",
    path: "/untitled",
    headers: { "hx-request": "true" },
    body: "",
  },
  {
    name: "a page that returns a string is a 500",
    path: "/text",
    headers: { accept: "*/*" },
    status: 500,
    body: '{"error":"internal_server_error","message":"internal server error"}',
  },
]

const pages = suite("pages")

/** Headers that htmx sends, and true if the page is sent without its layout. */
const swaps: ReadonlyArray<readonly [what: string, headers: Record<string, string>, alone: boolean]> = [
  ["htmx 4 that asks for a part", { "hx-request": "true", "hx-request-type": "partial" }, true],
  ["htmx 4 that asks for the body", { "hx-request": "true", "hx-request-type": "full" }, false],
  ["htmx 2 that replaces an element", { "hx-request": "true", "hx-target": "results" }, true],
  ["htmx 2 that replaces an element without an id", { "hx-request": "true" }, true],
  ["htmx 2 that replaces the body, by its id", { "hx-request": "true", "hx-target": "page" }, false],
  ["htmx 2 that follows a boosted link", { "hx-request": "true", "hx-boosted": "true", "hx-target": "main" }, false],
  ["htmx 2 that restores a page of the history", { "hx-request": "true", "hx-history-restore-request": "true" }, false],
  ["a browser", {}, false],
  ["a request with a target and without htmx", { "hx-target": "results" }, false],
]
for (const [what, headers, alone] of swaps) {
  for (const path of ["/", "/docs/a"]) {
    pages(`${what} gets ${path} ${alone ? "without" : "in"} its layout`, async () => {
      const response = await (await mounted()).request(path, { headers })
      assert.is((await response.text()).startsWith("["), !alone)
    })
  }
  pages(`${what} gets c.page() ${alone ? "without" : "in"} the route's layout`, async () => {
    const response = await (await mounted()).request("/docs/form", { method: "POST", headers })
    assert.is(response.status, 422)
    assert.is(await response.text(), alone ? "<p>form</p>" : "[docs|Again|/docs/form|<p>form</p>]")
    assert.is(response.headers.get("vary"), fragment)
  })
}

pages("a page that is rendered at build time is complete for htmx too, and has no Vary header", async () => {
  const { tree, modules } = routes()
  const made = <Item extends object>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, prerender: true as const }))
  const app = await mounted({ modules, tree: { ...tree, pages: made(tree.pages), routes: made(tree.routes) } })
  for (const [method, path, whole] of [
    ["GET", "/", "[top|Home|/|<p>home</p>]"],
    ["POST", "/docs/form", "[docs|Again|/docs/form|<p>form</p>]"],
  ] as const) {
    const response = await app.request(path, { method, headers: { "hx-request": "true", "hx-target": "results" } })
    assert.is(await response.text(), whole)
    assert.is(response.headers.get("vary"), null)
  }
})

/** Headers that a page or a call sets itself. */
const own: ReadonlyArray<readonly [method: string, path: string, target: string, body: string, vary: string | null]> = [
  ["GET", "/whole", "results", "[top|From the directory|/whole|<p>whole</p>]", null],
  ["GET", "/search", "results", "<p>search</p>", fragment],
  ["GET", "/search", "other", "[top|Search|/search|<p>search</p>]", fragment],
  ["PUT", "/docs/form", "results", "[docs|Whole|/docs/form|<p>put</p>]", null],
  ["PATCH", "/docs/form", "", "<p>patch</p>", null],
  ["POST", "/bare", "", "<p>bare</p>", null],
]
for (const [method, path, target, body, vary] of own) {
  pages(`${method} ${path} for ${target ? `the target ${target}` : "no target"} is answered with ${body}`, async () => {
    const headers: Record<string, string> = target ? { "hx-request": "true", "hx-target": target } : {}
    const response = await (await mounted()).request(path, { method, headers })
    assert.is(await response.text(), body)
    assert.is(response.headers.get("vary"), vary)
  })
}

pages("c.page() with a string is a bug that says what to write", async () => {
  const app = new App({ logger: false })
  const seen: unknown[] = []
  app.onError((_, error) => {
    seen.push(error)
    return undefined as never
  })
  await app.mount(routes())
  assert.is((await app.request("/docs/form", { method: "DELETE" })).status, 500)
  assert.match(String(seen[0]), /c\.page\(\) takes Html, not a string: use a template/)
})

for (const wrong of [true, "no", 1, null]) {
  pages(`a page that exports fragment = ${JSON.stringify(wrong)} is an error that names the file`, async () => {
    const given = routes({ modules: { "app/page.tpl": { Page: () => html``, fragment: wrong } } })
    const error = await mounted(given).then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.instance(error, FwError)
    assert.match(String(error), /app\/page\.tpl exports fragment as .*\n.*Make it false/)
  })
}

for (const { name, path, headers = {}, status = 200, body, vary } of cases) {
  pages(name, async () => {
    const response = await (await mounted()).request(path, { headers, redirect: "manual" })
    assert.is(response.status, status)
    assert.is(await response.text(), body)
    if (vary !== undefined) assert.is(response.headers.get("vary"), vary)
  })
}

pages("the directory's middleware wraps a page, and several run in their order", async () => {
  const response = await (await mounted()).request("/named")
  assert.is(response.headers.get("x-outer"), "1, 2")
})

pages("the headers of an error are sent with the error page", async () => {
  const response = await (await mounted()).request("/gone", { headers: browser })
  assert.is(response.headers.get("x-why"), "old")
  assert.is(response.headers.get("content-type"), "text/html; charset=utf-8")
})

const broken = () => {
  throw new Error("a secret again")
}
const broke = async () => broken()
const down = () => {
  throw new HttpError(503, "the <database> is down", { headers: { "retry-after": "7" } })
}
const last = (text: string) => new RegExp(`^<!doctype html>.*<title>${text}</title>.*<h1>${text}</h1>`, "s")
const plain = last("500 internal server error")
const alone = /^<p>500 internal server error<\/p>$/
/** What fails, the path to request, and the status and body that a browser gets. */
const failing: ReadonlyArray<
  readonly [what: string, modules: Record<string, Record<string, unknown>>, path: string, status: number, body: RegExp]
> = [
  ["the layout throws", { "app/layout.tpl": { Layout: broken } }, "/", 500, alone],
  ["the layout rejects", { "app/layout.tpl": { Layout: broke } }, "/", 500, alone],
  ["the layout of an error page rejects", { "app/layout.tpl": { Layout: broke } }, "/bug", 500, alone],
  ["the layout of a 404 throws", { "app/layout.tpl": { Layout: broken } }, "/nope", 500, alone],
  [
    "the layout throws an HttpError",
    { "app/layout.tpl": { Layout: down } },
    "/",
    503,
    /^<p>503 the &lt;database&gt; is down<\/p>$/,
  ],
  ["not-found.tpl throws", { "app/not-found.tpl": { NotFound: broken } }, "/nope", 500, alone],
  ["error.tpl throws", { "app/error.tpl": { Failure: broken } }, "/bug", 500, plain],
  ["error.tpl rejects", { "app/error.tpl": { Failure: broke } }, "/gone", 500, plain],
  [
    "error.tpl throws an HttpError",
    { "app/error.tpl": { Failure: down } },
    "/gone",
    503,
    last("503 the &lt;database&gt; is down"),
  ],
  [
    "the title of error.tpl throws",
    { "app/error.tpl": { Failure: () => html`<p>x</p>`, title: broken } },
    "/bug",
    500,
    /^<p>x<\/p>$/,
  ],
  ["error.tpl returns a text", { "app/error.tpl": { Failure: () => "text" } }, "/bug", 500, plain],
  [
    "the layout and error.tpl throw",
    { "app/layout.tpl": { Layout: broken }, "app/error.tpl": { Failure: broken } },
    "/",
    500,
    plain,
  ],
  [
    "middleware rejects",
    { "app/named/middleware.ts": { Middleware: () => () => broke } },
    "/named",
    500,
    /^\[top\|Sorry.*500 internal/,
  ],
  [
    "middleware rejects and the layout throws",
    { "app/named/middleware.ts": { Middleware: () => () => broke }, "app/layout.tpl": { Layout: broken } },
    "/named",
    500,
    alone,
  ],
]
for (const [what, modules, path, status, body] of failing) {
  pages(`if ${what}, a browser gets a page and a program gets JSON`, async () => {
    const app = await mounted(routes({ modules }))
    const response = await app.request(path, { headers: browser })
    const text = await response.text()
    assert.is(response.status, status)
    assert.is(response.headers.get("content-type"), "text/html; charset=utf-8")
    assert.match(text, body)
    assert.not.match(text, "secret")
    if (status === 503) assert.is(response.headers.get("retry-after"), "7")
    const other = await app.request(path, { headers: { accept: "application/json" } })
    assert.is(other.headers.get("content-type"), "application/json")
  })
}

pages("onError() answers instead of the error page", async () => {
  const app = new App({ logger: false })
  app.onError((c) => c.string(418, "mine"))
  await app.mount(routes())
  assert.is((await app.request("/gone", { headers: browser })).status, 418)
})

/**
 * Results of onError() for the 410 of `/gone`, the status of the page that a browser gets, and what is reported.
 */
const left: ReadonlyArray<readonly [string, (c: Context, error: unknown) => unknown, number, RegExp?]> = [
  [
    "throws the error again",
    (_, error) => {
      throw error
    },
    410,
  ],
  ["throws an HttpError", () => Promise.reject(new HttpError(409, "taken")), 409],
  ["returns an HttpError", () => new HttpError(409, "taken"), 409],
  ["fails", () => Promise.reject(new Error("broken")), 500, /^Error: broken$/],
  ["returns nothing", () => undefined, 410, /app\.onError\(\) returned nothing, not a Response or an HttpError/],
  ["returns data", async () => ({ ok: false }), 410, /returned an object.*Throw the error again/],
]
for (const [what, onError, status, report] of left) {
  pages(`the error page answers if onError() ${what}`, async () => {
    const reported: unknown[] = []
    setDevHooks({ onBug: (error) => reported.push(error) })
    try {
      const app = new App({ logger: false })
      app.onError(onError as Parameters<App["onError"]>[0])
      await app.mount(routes())
      const response = await app.request("/gone", { headers: browser })
      assert.is(response.status, status)
      assert.is(response.headers.get("content-type"), "text/html; charset=utf-8")
    } finally {
      setDevHooks(undefined)
    }
    assert.is(reported.length, report ? 1 : 0)
    if (report) assert.match(String(reported[0]), report)
  })
}

const refused: ReadonlyArray<readonly [string, Record<string, Record<string, unknown>>, RegExp]> = [
  ["a page file without Page", { "app/page.tpl": {} }, /app\/page\.tpl exports no function Page/],
  ["a layout file without Layout", { "app/layout.tpl": {} }, /app\/layout\.tpl exports no function Layout/],
  [
    "a title that is a number",
    { "app/page.tpl": { Page: () => html``, title: 1 } },
    /app\/page\.tpl exports title as number/,
  ],
  [
    "a not-found file without NotFound",
    { "app/not-found.tpl": {} },
    /app\/not-found\.tpl exports no function NotFound/,
  ],
  ["an error file without Failure", { "app/error.tpl": {} }, /app\/error\.tpl exports no function Failure/],
]
for (const [name, modules, message] of refused) {
  pages(`app.mount() refuses ${name}`, async () => {
    const error = await mounted(routes({ modules })).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.instance(error, FwError)
    assert.match((error as FwError).message, message)
  })
}

pages.run()
