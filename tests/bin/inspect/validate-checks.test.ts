/**
 * Tests of every check of `fw validate` with the position of each mistake, and of correct code that looks wrong.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import {
  context,
  get,
  installed,
  layout,
  page,
  places,
  renderProxy,
  validate,
} from "../../support/bin/inspect/validated.ts"

const checks = suite("checks")

const post = get.replaceAll("Get", "Post")

type Row = readonly [files: Record<string, string>, expected: string[]]
const route = { "app/route.ts": get }

const tables: Readonly<Record<string, readonly Row[]>> = {
  "fields that no browser sends": [
    ...[
      '<input id="email">',
      "<select><option>a</option></select>",
      "<textarea></textarea>",
      '<p><input type="password"></p>',
      "{if (c.path) {<input>}}",
      '<label>x <input type="checkbox" value={c.path}></label>',
    ].map(
      (field) =>
        [
          {
            "app/page.tpl": `template Page(c: Context) {\n<form method="post" action="/x">\n${field}</form>\n}\n`,
            "app/x/route.ts": post,
          },
          [`warning form_field app/page.tpl:3:${field.search(/<(?:input|select|textarea)/) + 1}`],
        ] as readonly [Record<string, string>, string[]],
    ),
    ...[
      '<form method="post" action="/x"><input name="a"><input type="submit"><input type={c.path}><input {...c}></form>',
      '<form method="post" action="/x"><input form=""><input disabled><input x-model="a"><input data-a="b"></form>',
      '<form method="post" action="/x"><button>x</button><input :value="a"><input @input="a"><input name={c.path}></form>',
      '<input id="email"><form method="dialog"><input></form><form @submit="a"><input></form><form {...c}><input></form>',
    ].map(
      (body) =>
        [{ "app/page.tpl": `template Page(c: Context) {\n${body}\n}\n`, "app/x/route.ts": post }, []] as readonly [
          Record<string, string>,
          string[],
        ],
    ),
  ],
  "attributes that are ignored": [
    ...(
      [
        ["htmx_name", '<p ¦hx-traget="#a">'],
        ["htmx_name", "<p class={c.path} ¦hx-swp={c.path}>"],
        ["htmx_name", '<p\n  ¦hx-pots="/x">'],
        ["form_method", '<form ¦method="put" action="/x">'],
        ["form_method", '<form action="/x" ¦method="pots">'],
      ] as const
    ).map(([code, tag]): Row => {
      const lines = tag.slice(0, tag.indexOf("¦")).split("\n")
      const body = `template Page(c: Context) {\n${tag.replace("¦", "")}</${tag[1] === "p" ? "p" : "form"}>\n}\n`
      const place = `${lines.length + 1}:${(lines.at(-1)?.length ?? 0) + 1}`
      const both = post + get.replace(context, "")
      return [{ "app/page.tpl": body, "app/x/route.ts": both }, [`warning ${code} app/page.tpl:${place}`]]
    }),
    ...[
      '<p hx-target-404="#a" hx-ext="a" hx-history="false" hx-get:inherited="/x" hx-on:click="a" hx-unlike="a"></p>',
      '<form method="POST" action="/x"></form><form method="dialog"></form><form method="put" hx-put="/x"></form>',
      "<p>Not hx-traget, method or <code>hx-traget</code></p><form method={c.path} action='/x'></form>",
    ].map(
      (body): Row => [
        {
          "app/page.tpl": `template Page(c: Context) {\n${body}\n}\n`,
          "app/x/route.ts": post + get + post.replaceAll("Post", "Put").replace(context, ""),
        },
        [],
      ],
    ),
  ],
  "scripts that the policy of the main file blocks": [
    ...(
      [
        ["secureHeaders()", '<p ¦onclick="a()"></p>¦<script>a()</script>'],
        ["secureHeaders({ xFrameOptions: false })", '{if (c.path) {¦<script type="module">a()</script>}}'],
        [
          "secureHeaders({ contentSecurityPolicy: \"script-src 'self'; \" + 'img-src x.example' })",
          "¦<script>a()</script>",
        ],
        [
          "secureHeaders({ contentSecurityPolicy: \"default-src 'self' 'unsafe-inline'; script-src 'self' 'nonce'\", xFrameOptions: false })",
          "¦<script>a()</script><script nonce={c.path}>a()</script>",
        ],
        [
          "secureHeaders({ contentSecurityPolicy: \"script-src-elem *; script-src-attr 'unsafe-inline'\" })",
          '<p onclick="a()"></p>¦<script>a()</script>',
        ],
        [
          "secureHeaders()",
          '<script src="/static/a.js"></script><script type="application/json">{}</script><script type={c.path}>a</script><p>on a = b</p>',
        ],
        [
          "secureHeaders({ contentSecurityPolicy: \"script-src 'self' 'unsafe-inline'\" })",
          '<p onclick="a()"></p><script>a()</script>',
        ],
        ["secureHeaders({ contentSecurityPolicy: \"script-src 'sha256-aaaa'\" })", "<script>a()</script>"],
        ["secureHeaders({ contentSecurityPolicy: \"img-src 'self'\" })", "<script>a()</script>"],
        ["secureHeaders({ contentSecurityPolicy: false })", "<script>a()</script>"],
        ["secureHeaders({ contentSecurityPolicy: policy })", "<script>a()</script>"],
        ["secureHeaders({ ...options })", "<script>a()</script>"],
        ["csrf()", "<script>a()</script>"],
      ] as const
    ).map(([middleware, body]): Row => {
      const columns = [...body.matchAll(/¦/g)].map(({ index }, nth) => index + 1 - nth)
      return [
        {
          "main.ts": `import { App, csrf, secureHeaders } from "fw"\nconst app = new App()\napp.use(${middleware})\nexport default app\n`,
          "static/a.js": "",
          "app/page.tpl": `template Page(c: Context) {\n${body.replaceAll("¦", "")}\n}\n`,
        },
        columns.map((column) => `warning blocked_script app/page.tpl:2:${column}`),
      ]
    }),
    // Another module may set a policy for some routes.
    [
      {
        "main.ts": 'import { App, secureHeaders } from "fw"\nexport default new App().use(secureHeaders())\n',
        "app/middleware.ts": 'import { secureHeaders } from "fw"\nexport const Middleware = secureHeaders({})\n',
        "app/page.tpl": "template Page(c: Context) {\n<script>a()</script>\n}\n",
      },
      [],
    ],
  ],
  "answers that nothing sends": [
    ...[
      "export const Get = (c: Context) => {\n  if (!c.header('authorization')) /* here: */ ¦c.json(401, {})\n  return c.noContent()\n}",
      "export const Get = (c: Context) => {\n  ¦c.redirect(302, c.path)\n  return c.noContent()\n}",
      "export const Get = (c: Context) => {\n  if (c.path) {} else ¦c.string(404, (1).toFixed());\n  return c.noContent()\n}",
      "export const Get = (c: Context) => {\n¦c.html(404, '<b>')\n}",
      "export function Get(ctx: Context) {\n  ¦ctx\n    .noContent()\n  const a = 1\n  return ctx.json(200, a)\n}",
      "app.get('/', (c) => {\n  ¦c.json(200, {}) })",
      "app.use((next) => (c) => {\n  ¦c.json(401, { error: 'no' })\n  return next(c)\n})",
      "app.onError((c, error) => {\n  ¦c.json(404, { custom: 1 })\n})",
      "import { notFound } from 'fw'\nexport const Get = (c: Context) => {\n    ¦notFound('no such task')\n  return c.noContent()\n}",
      "import { type Context, badRequest as bad } from 'fw'\nexport const Get = (c: Context) => {\n  const { q } = c\n  ¦bad('q is missing')\n  return c.noContent()\n}",
    ].map((text): Row => {
      const before = text.slice(0, text.indexOf("¦")).split("\n")
      const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
      return [{ ...route, "lib/a.ts": text.replace("¦", "") }, [`error unsent lib/a.ts:${place}`]]
    }),
    ...[
      "export const Get = (c: Context) => c.json(200, {})",
      "export const Get = (c: Context) => {\n  if (c.path) return c.json(200, {})\n  return (\n    c.json(200, {}))\n}",
      "export const Get = (c: Context) => {\n  const answer =\n    c.json(200, {})\n  return answer\n}",
      "export const Get = (c: Context) => c.path\n  ? c.json(200, {})\n  : c.noContent()",
      "export const Get = (c: Context) => c.path &&\n  c.json(200, {})",
      "export const Get = (c: Context) => {\n  c.setHeader('a', 'b')\n  c.json(200, {}).headers.get('a')\n  return c.noContent()\n}",
      "export const read = async (c: Response) => {\n  await c.json()\n  c.json().then(() => 1)\n}",
      "export const all = (c: Context) => [\n  c.json(200, {}),\n  c.noContent()]",
      "export const later = (c: Context) => Promise.race([1, 2].map(() =>\n    c.noContent()))",
      "import { notFound } from 'fw'\nexport const Get = () => {\n  throw notFound('a')\n}\nexport const Post = () =>\n  notFound('a')",
      "import { notFound } from './own.ts'\nexport const Get = () => {\n  notFound('a')\n}",
      "// c.json(200, {})\nexport const text = `\n  c.json(200, {})\n`",
      "export interface A {\n  c: Context\n  json(status: number): void\n}",
    ].map((text): Row => [{ ...route, "lib/a.ts": text }, []]),
  ],
  "proxy patterns that cover nothing": [
    [
      { "app/proxy.ts": renderProxy('{ matcher: ["/apj/*"] }'), "app/api/route.ts": get },
      ["warning matcher app/proxy.ts:3:40"],
    ],
    [{ "app/proxy.ts": renderProxy('{ matcher: ["/users/me"] }'), "app/users/[id]/route.ts": get }, []],
    [{ "app/proxy.ts": renderProxy('{ matcher: ["/a/b/c/{d}"] }'), "app/a/[...x]/route.ts": get }, []],
    [
      { "app/proxy.ts": renderProxy('{ matcher: ["/a/:x+"] }'), "app/a/route.ts": get },
      ["warning matcher app/proxy.ts:3:40"],
    ],
    [{ "app/proxy.ts": renderProxy('{ matcher: ["/static/app.css"] }'), "static/app.css": "" }, []],
    [
      { "app/proxy.ts": renderProxy('{ matcher: ["/(de|en)/x"] }'), "app/fr/x/route.ts": get },
      ["warning matcher app/proxy.ts:3:40"],
    ],
    // The proxy itself answers there.
    [
      {
        "app/proxy.ts": renderProxy(
          '{ matcher: ["/old/:path*"] }',
          'return c.path === "/old" ? proxy.redirect("/api") : proxy.continue()',
        ),
        "app/api/route.ts": get,
      },
      [],
    ],
    // The check does not guess which values a regular expression matches.
    [{ "app/proxy.ts": renderProxy('{ matcher: ["/(de|en)/x"] }'), "app/[lang]/x/route.ts": get }, []],
    [
      { "app/proxy.ts": renderProxy('{ matcher: ["/(("] }'), "app/a/route.ts": get },
      ["error proxy_config app/proxy.ts:3:40"],
    ],
    [
      {
        "app/proxy.ts": renderProxy('{ matcher: ["/api/*"], excludes: ["/health", "/api/ok"] }'),
        "app/api/[x]/route.ts": get,
      },
      ["warning matcher app/proxy.ts:3:62"],
    ],
  ],
  "a proxy that never continues": [
    [
      {
        "app/proxy.ts": renderProxy('{ matcher: ["/a"] }', 'return proxy.redirect("/b")'),
        "app/a/route.ts": get,
        "app/b/route.ts": get,
      },
      ["warning unreachable app/proxy.ts:5:1"],
    ],
    [
      {
        "app/proxy.ts": renderProxy('{ matcher: ["/a"] }', 'return proxy.rewrite("/b")'),
        "app/a/route.ts": get,
        "app/b/route.ts": get,
      },
      [],
    ],
    [
      {
        "app/proxy.ts": `import { guard } from "../lib/guard.ts"\nexport function Proxy() { return guard() }\n`,
        "app/a/route.ts": get,
      },
      [],
    ],
    [
      {
        "app/proxy.ts": renderProxy('{ excludes: ["/a"] }', 'return proxy.redirect("/a")'),
        "app/a/route.ts": get,
      },
      [],
    ],
  ],
  "files behind routes": [
    [
      { "app/[...all]/route.ts": get, "static/css/a.css": "", "static/.hidden": "" },
      ["warning static_hidden app/[...all]/route.ts"],
    ],
    [{ "app/[a]/[b]/page.tpl": page, "static/a.css": "" }, ["warning static_hidden app/[a]/[b]/page.tpl"]],
    [{ "app/[a]/[b]/route.ts": get.replace("Get", "Post"), "static/a.css": "" }, []],
    [{ "app/static/x/route.ts": get, "static/a.css": "" }, ["warning static_hidden app/static/x/route.ts"]],
    [{ "app/static/x/route.ts": get, "static/.keep": "" }, []],
    [
      {
        "app/[...all]/route.ts": get,
        "static/a.css": "",
        "main.ts": 'import { App } from "fw"\nexport default new App({ staticDir: "public" })\n',
      },
      [],
    ],
    ...(
      [
        ['{ staticDir: "public" }', "", 1],
        ["{ staticDir: process.cwd() }", "", 0],
        ["", 'app.static("/", "public")', 1],
        ["", 'app.static("/files", "public")', 2],
        ["", 'app.static("/static", "public")', 1],
        ["", 'app.static("/files", "missing")', 1],
        ["", 'const b = new App(); b.static("/", "static"); app.mountHandler("/static", b.fetch)', 0],
      ] as const
    ).map(
      ([options, call, count]): Row => [
        {
          "app/[...all]/page.tpl": page,
          "static/a.css": "",
          "public/b.css": "",
          "main.ts": `import { App } from "fw"\nconst app = new App(${options})\n${call}\nexport default app\n`,
        },
        Array<string>(count).fill("warning static_hidden app/[...all]/page.tpl"),
      ],
    ),
  ],
  "middleware that wraps nothing, and names that are taken literally": [
    [{ "app/a/route.ts": get, "app/b/layout.tpl": layout }, ["warning unused app/b/layout.tpl"]],
    [
      {
        "app/b/layout.tpl": layout,
        "app/b/c/layout.tpl": `import { Layout as Outer } from "../layout.tpl.ts"\n${layout}`,
        "app/b/c/page.tpl": page,
      },
      [],
    ],
    [
      {
        "package.json": '{ "imports": { "#app/*": "./app/*", "#frame": "./app/d/layout.tpl.ts" } }',
        "app/b/layout.tpl": layout,
        "app/b/c/layout.tpl": `import { Layout as Outer } from "#app/b/layout.tpl.ts"\n${layout}`,
        "app/b/c/page.tpl": page,
        "app/d/layout.tpl": layout,
        "app/d/e/layout.tpl": `import { Layout as Outer } from "#frame"\n${layout}`,
        "app/d/e/page.tpl": page,
      },
      [],
    ],
    [
      {
        "app/page.tpl": page,
        "app/layout.tpl": layout,
        "app/(x)/a/page.tpl": page,
        "app/(x)/layout.tpl": layout,
      },
      [],
    ],
    [{ "app/a%20b/route.ts": get }, ["warning encoded_name app/a%20b/route.ts"]],
  ],
  "templates and layouts": [
    [{ "app/page.tpl": "template Pge() { <p>x</p> }\n" }, ["error exports app/page.tpl:1:10"]],
    [{ "app/page.tpl": "template Other() { <p>x</p> }\n" }, ["error exports app/page.tpl"]],
    [{ "app/error.tpl": page }, ["error exports app/error.tpl:2:10"]],
    [{ "app/page.tpl": "template Page() { <p>x\n" }, ["error template app/page.tpl:1:19"]],
    [
      {
        "app/page.tpl": page,
        "app/layout.tpl":
          "import { frame } from '../lib/frame.ts'\ntemplate Layout(title: string) { {frame(children)} }\n",
        "lib/frame.ts": "export const frame = (x: unknown) => String(x)\n",
      },
      [],
    ],
    ...["function Layout(title: string, c: unknown)", "const Layout = (title: string)", "async function Layout()"].map(
      (head): [Record<string, string>, string[]] => [
        {
          "app/page.tpl": page,
          "app/layout.js": `export ${head.replace(/: \w+/g, "")}${head.startsWith("const") ? " =>" : ""} { return title }\n`,
        },
        ["error layout_children app/layout.js:1:1"],
      ],
    ),
    [
      {
        "app/page.tpl": page,
        "app/layout.js": "export function Layout(title, c, body) { return [title, body] }\n",
      },
      [],
    ],
    [{ "app/page.tpl": page, "app/layout.js": "export const Layout = makeLayout(1)\n" }, []],
    [{ "app/page.tpl": page, "app/layout.js": "export const Layout = (...all) => all[2]\n" }, []],
  ],
  "files in the route directory that nothing reads": [
    [{ "app/a/rout.ts": get }, ["error unread app/a/rout.ts"]],
    [{ "app/users.ts": get }, ["error unread app/users.ts"]],
    [{ "app/a/post.ts": "export const Post = () => {}\n" }, ["error unread app/a/post.ts"]],
    [{ "app/a/index.ts": "export async function GET() {}\n" }, ["error unread app/a/index.ts"]],
    [{ "app/a/handler.ts": get, "app/b/route.ts": get }, ["error unread app/a/handler.ts"]],
    [{ "app/midleware.ts": "export const guard = 1\n" }, ["warning unread app/midleware.ts"]],
    [{ "app/a/mw.ts": "export const Middleware = () => {}\n" }, ["error unread app/a/mw.ts"]],
    [{ "app/prox.ts": "export function Proxy() {}\n" }, ["error unread app/prox.ts"]],
    [{ "app/a/pagee.tpl": page }, ["error unread app/a/pagee.tpl"]],
    [{ "app/a/layuot.tpl": "template Frame() {\n  <p></p>\n}\n" }, ["warning unread app/a/layuot.tpl"]],
    [{ "app/a/home.tpl": page }, ["error unread app/a/home.tpl"]],
    // Files without a role: imported or private modules, modules with other exports, and tests.
    [{ "app/a/route.ts": 'export { Get } from "./handler.ts"\n', "app/a/handler.ts": get }, []],
    [{ "app/_lib/handler.ts": get, "app/a/route.ts": get }, []],
    [{ "app/a/route.ts": get, "app/a/names.ts": "export const get = 1\n" }, []],
    [{ "app/a/route.ts": get, "app/a/rout.test.ts": get }, []],
  ],
  "files next to the route directory": [
    [{ "app/a/route.ts": get, "proxy.ts": renderProxy("{}") }, ["error misplaced proxy.ts"]],
    [
      { "app/a/route.ts": get, "src/middleware.ts": "export function middleware() {}\n" },
      ["warning misplaced src/middleware.ts"],
    ],
    [
      { "app/a/route.ts": get, "layout.tpl": layout, "page.ts": "export const pages = 1\n" },
      ["error misplaced layout.tpl"],
    ],
    [
      {
        "app/a/route.ts": get,
        "middleware.ts": "export function Middleware() {}\n",
        "main.ts":
          'import { App } from "fw"\nimport { Middleware } from "./middleware.ts"\nexport default new App({ x: Middleware })\n',
      },
      [],
    ],
  ],
  "the main file": [
    [{ "app/a/route.ts": get, "main.ts": "export const app = 1\n" }, ["error main main.ts"]],
    [{ "app/a/route.ts": get, "main.ts": "export default `\n" }, ["error syntax main.ts:1:16"]],
    [
      {
        "app/a/route.ts": get,
        "main.ts": 'import { App } from "fw"\nconst app = new App()\nawait app.listen()\nexport default app\n',
      },
      ["warning main main.ts:3:11"],
    ],
    ...(
      [
        ['import { serve } from "fw/node"', "await ¦serve(app)"],
        ['import { serve } from "fw/bun"', 'if (process.env.PORT) ¦serve(app, ":3000")'],
        ['import * as workers from "fw/workers"', "export const worker = workers.¦serve(app)"],
        ['import { limits, serve } from "fw/node"', "void ¦serve(app)"],
        ["", "Bun.¦serve({ fetch: app.fetch })"],
        ["", "Bun.¦serve(app)"],
        ["", "Deno.¦serve({ port: 3000 }, (request) => app.fetch(request))"],
        ["", "await app.¦scan()"],
      ] as const
    ).map(([imports, calls]): Row => {
      const text = `import { App } from "fw"\n${imports}\nconst app = new App()\n${calls}\nexport default app\n`
      const lines = text.slice(0, text.indexOf("¦")).split("\n")
      const place = `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
      return [{ "app/a/route.ts": get, "main.ts": text.replace("¦", "") }, [`warning main main.ts:${place}`]]
    }),
    ...[
      "function serve(one: App) { return one }\nserve(app)",
      'import { serve } from "./lib/serve.ts"\nserve(app)',
      'import { serve } from "fw/node"\nexport const start = { serve }',
      'import { serve } from "fw/node"\nexport const own = { serve(one: App) { return one } }',
      'Bun.serve({ fetch: () => new Response("metrics") })',
      'app.router.mount("/old", () => new Response("old"))',
      "declare const redis: { scan(at: number): void }\nredis.scan(0)",
      'declare const sql: { listen(name: string): void }\nsql.listen("changes")',
      'import { createServer } from "node:http"\ncreateServer((_, answer) => answer.end()).listen(9090)',
      'import { createServer } from "node:http"\nconst metrics = createServer((_, answer) => answer.end())\nmetrics.listen(9090)',
      'const { router } = app\nrouter.mount("/old", () => new Response("old"))',
    ].map(
      (code): Row => [
        {
          "app/a/route.ts": get,
          "lib/serve.ts": "export const serve = (one: unknown) => one\n",
          "main.ts": `import { App } from "fw"\nconst app = new App()\n${code}\nexport default app\n`,
        },
        [],
      ],
    ),
    [
      { "app/a/route.ts": get, "src/main.ts": "", "main.tsx": "" },
      ["warning main main.tsx", "warning main src/main.ts"],
    ],
  ],
  "conflicts and near misses of the scan": [
    [{ "app/(a)/x/route.ts": get, "app/(b)/x/route.ts": get }, ["error conflict app/(b)/x/route.ts:2"]],
    [
      { "app/routes.ts": get, "app/page.html": "", "app/x/proxy.ts": renderProxy("{}") },
      ["error file_name app/page.html", "error file_name app/routes.ts", "error misplaced app/x/proxy.ts"],
    ],
  ],
}
for (const [what, rows] of Object.entries(tables)) {
  checks(`fw validate reports mistakes and accepts correct code: ${what}`, async () => {
    for (const [files, expected] of rows) {
      assert.equal(await places(files), expected, JSON.stringify(Object.keys(files)))
    }
  })
}

checks("wrong types of exports are reported at their positions with short messages", async () => {
  const cwd = installed({
    "app/a/route.ts": `${context}
export function Get(c: Context) { return { hello: c.path } }

export function Post(c: Context, next: () => void) { next(); return c.noContent() }
export const Put = (c: Context) => { c.path }
`,
    "app/b/[id]/route.ts": `${context}export function Get(c: Context<"name">) { return c.string(200, c.param("name")) }\n`,
    "app/c/route.ts": `${context}export function Get(c: Context<"id">) { return c.string(200, c.param("id")) }\n`,
    "app/d/page.ts": "export const title = 5\nexport function Page() { return 4 }\n",
    "app/d/layout.ts": "export function Layout(title: number, c: unknown, children: unknown) { return children }\n",
    "app/e/page.tpl": "template Page() {\n  <p>{nobody}</p>\n}\n",
    "main.ts": "export default 5\n",
    "lib/part.tpl": "template Part() {\n  <p>{nothing}</p>\n}\n",
    "app/middleware.ts": "export function Middleware() { return () => 1 }\n",
    "app/proxy.ts": "export function Proxy(): true | { continue: 1 } { return true }\n",
  })
  const { problems } = await validate(cwd)
  assert.match(problems[0]?.fix ?? "", /^Take the context, and return a Response/)
  assert.match(problems[2]?.fix ?? "", /only throws needs a type: Put\(c: Context\): never/)
  assert.equal(
    problems.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message.split(/: /)[0]}`),
    [
      "types app/a/route.ts:3 Get is not a handler",
      "types app/a/route.ts:5 Post is not a handler",
      "types app/a/route.ts:6 Put is not a handler",
      "parameters app/b/[id]/route.ts:2 Get names a parameter that /b/{id} does not have",
      "parameters app/c/route.ts:2 Get names a parameter that /c does not have",
      "types app/d/layout.ts:1 Layout has the wrong type",
      "types app/d/page.ts:1 title has the wrong type",
      "types app/d/page.ts:2 Page has the wrong type",
      "template app/e/page.tpl:2 Cannot find name 'nobody'.",
      "types app/middleware.ts:1 Middleware has the wrong type",
      "types app/proxy.ts:1 Proxy has the wrong type",
      "template lib/part.tpl:2 Cannot find name 'nothing'.",
      "types main.ts:1 the default export is not an App",
    ],
  )
  assert.match(problems[0]?.message ?? "", /: Type '\{ hello: string; \}' is not assignable to type 'HandlerResult'\.$/)
})

checks("recursive types can be answered, and if TypeScript gives up, the fix is a return type", async () => {
  const types = `${context}type Json = string | null | Json[] | { [key: string]: Json }
type Sum = number | ["+", Sum, Sum]
declare const known: { json: Json; sum: Sum }
`
  const { problems } = await validate(
    installed({
      "app/a/route.ts": `${types}export async function Post(c: Context) { return c.json(200, known.json) }
export function Get(c: Context) { return c.json(200, known.sum) }
export function Put(c: Context): Response { return c.json(200, known.sum) }
`,
    }),
  )
  assert.equal(
    problems.map(({ line, message, fix }) => [line, message, fix]),
    [
      [
        6,
        "TypeScript cannot work out the type that this returns, because the type contains itself too often",
        "Write its return type, such as Response or Promise<Response>.",
      ],
    ],
  )
})

checks("a template that does not compile is reported once, not for every file that imports it", async () => {
  const { problems } = await validate(
    installed({
      "app/page.tpl": `import { Row } from "./_parts/row.tpl.ts"\n${context}template Page(c: Context) { {Row(c.path)} }\n`,
      "app/_parts/row.tpl": "template Row(text: string) { <p>{text}\n",
    }),
  )
  assert.equal(
    problems.map(({ code, file }) => `${code} ${file}`),
    ["template app/_parts/row.tpl"],
  )
})

checks("JSX without a library is reported at its position, and JSX with a library is not", async () => {
  const jsx = "export function Page() {\n  return <h1>hi</h1>\n}\n"
  const pages = { "app/page.tsx": jsx, "app/a/page.jsx": jsx, "app/b/route.ts": get }
  const settings = '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "hono/jsx" } }\n'
  const rows: readonly Row[] = [
    [pages, ["jsx app/a/page.jsx:2:10", "jsx app/page.tsx:2:10"]],
    [{ "app/page.tsx": `/** @jsxImportSource preact */\n${jsx}` }, []],
    [{ "tsconfig.json": settings, ...pages }, []],
    [{ "app/page.tsx": jsx.replace("<h1>hi</h1>", "= 1") }, ["syntax app/page.tsx:2:10"]],
  ]
  for (const [files, expected] of rows) {
    const { problems } = await validate(installed(files, ["fw", "esbuild"]))
    const found = problems.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)
    assert.equal(found, expected, JSON.stringify(files))
    for (const { code, fix } of problems) if (code === "jsx") assert.match(fix, /jsxImportSource/)
  }
})

checks.run()
