/** `fw validate`: every kind of problem with its place, all at once; what is right has none; and nothing of a project runs. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { ValidateData } from "../bin/commands/validate.ts"
import { fw, program, project, runNode } from "./support/command.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const context = 'import type { Context } from "fw"\n'
const get = `${context}export function Get(c: Context) { return c.json(200, {}) }\n`
const page = `${context}template Page(c: Context) { <p>{c.path}</p> }\n`
const layout = "template Layout(title: string) { <main>{children}</main> }\n"
const proxyOf = (config: string, body = "return proxy.continue()") =>
  `import { proxy } from "fw"\n\nexport const ProxyConfig = ${config}\n\nexport function Proxy() { ${body} }\n`

/** A project with the packages that it would have installed. */
function installed(
  files: Readonly<Record<string, string>>,
  packages = ["fw", "typescript", "@typescript"],
): string {
  const cwd = project({ "package.json": '{ "type": "module" }\n', ...files })
  mkdirSync(join(cwd, "node_modules"))
  for (const name of packages)
    symlinkSync(name === "fw" ? root : join(root, "node_modules", name), join(cwd, "node_modules", name))
  return cwd
}

async function validate(cwd: string, ...flags: string[]) {
  const { code, stdout } = await fw(["validate", "--json", ...flags], { cwd })
  const { success, data } = JSON.parse(stdout) as { success: boolean; data: ValidateData }
  return { code, success, ...data }
}

/** `severity code file:line:column` of each problem. */
async function places(files: Readonly<Record<string, string>>): Promise<string[]> {
  // Types are the slow part, and have a test of their own.
  const { problems } = await validate(installed(files, ["fw"]))
  return problems.map(({ severity, code, file, line, column }) => {
    return `${severity} ${code} ${[file, line, column].filter((part) => part !== null).join(":")}`
  })
}

const whole = suite("fw validate")

whole("a project with one of everything is valid", async () => {
  const cwd = installed({
    "main.ts": 'import { App } from "fw"\nexport default new App()\n',
    "app/layout.tpl": layout,
    "app/page.tpl": `import { Row } from "./_components/row.tpl.ts"\n${context}template Page(c: Context) { {Row(c.path)} }\n`,
    "app/_components/row.tpl": "template Row(text: string) { <p>{text}</p> }\n",
    "app/not-found.tpl": `${context}template NotFound(c: Context) { <p>{c.path}</p> }\n`,
    "app/error.tpl": `${context}template Failure(c: Context, status: number, message: string) { <p>{c.path} {status} {message}</p> }\n`,
    "app/old/page.ts":
      'import type { Context } from "fw"\nexport const title = (c: Context) => c.path\nexport function Page(c: Context): Response { return c.string(200, "") }\n',
    "app/old/layout.ts":
      'import type { Html } from "fw/html"\nimport type { Context } from "fw"\nexport function Layout(title: string, c: Context, children: Html): Html { return children }\n',
    "app/api/users/[id]/route.ts": `import type { Context, HandlerFunc } from "fw"
export function Get(c: Context<"id">) { return c.json(200, c.param("id")) }
export const Put: HandlerFunc = async (c) => c.noContent()
export async function Delete(c: Context) { if (c.isJSON) return c.noContent(); throw new Error() }
const wrong: string = 1
`,
    "app/api/shop/[[...cat]]/route.ts": `${context}export const Get = (c: Context<"cat">) => c.string(200, c.param("cat"))\n`,
    "app/api/plain/route.js": "export function Get(c) { return c.json(200, {}) }\n",
    "app/api/middleware.ts":
      'import { cors, type MiddlewareFunc } from "fw"\nexport function Middleware(): MiddlewareFunc[] { return [cors()] }\n',
    "app/proxy.ts": proxyOf('{ matcher: ["/api/:path*", "/static/*"], excludes: ["/api/plain"] }'),
    "static/a.css": "",
    "lib/proxy.ts": "export function Proxy() {}\n",
  })
  const files = () => [
    ...readdirSync(cwd),
    ...(readdirSync(join(cwd, "app"), { recursive: true }) as string[]),
  ]
  const before = files()
  const ran = await validate(cwd)
  assert.equal(ran, { code: 0, success: true, valid: true, problems: [], typesChecked: true })
  assert.equal(files(), before, "nothing is written")
})

whole("nothing of the project runs, and everything is told at once with exit code 1", async () => {
  const boom = 'import { writeFileSync } from "node:fs"\nwriteFileSync("ran", "")\n'
  const cwd = installed({
    "main.ts": `${boom}export const app = 1\n`,
    "app/a/route.ts": `${boom}export function GET() {}\n`,
    "app/b/Route.ts": boom,
    "app/proxy.ts": `${boom}${proxyOf('{ matcher: ["/b"] }')}`,
    "app/layout.tpl": "template Layout(title: string) { <p>{title}</p> }\n",
    "app/page.tpl": page,
  })
  const ran = await runNode([program, "validate", "--json"], { cwd })
  const { success, data } = JSON.parse(ran.stdout)
  assert.equal([ran.code, success, data.valid], [1, true, false])
  assert.equal(
    data.problems.map(({ code, file }: { code: string; file: string }) => `${code} ${file}`),
    [
      "exports app/a/route.ts",
      "file_name app/b/Route.ts",
      "layout_children app/layout.tpl",
      "matcher app/proxy.ts",
      "main main.ts",
    ],
  )
  assert.not(existsSync(join(cwd, "ran")))
  assert.equal(Object.keys(data.problems[0]), [
    "severity",
    "code",
    "file",
    "line",
    "column",
    "message",
    "fix",
  ])
})

whole("text: the place, its lines, what to do, and a count", async () => {
  const cwd = installed({
    "app/a/route.ts": "\nexport function GET() {}\n",
    "app/lone/middleware.ts": "export function Middleware() { return [] }\n",
  })
  const { code, stdout, stderr } = await fw(["validate"], { cwd })
  assert.equal([code, stderr], [1, ""])
  assert.is(
    stdout,
    `error: GET is no name that fw reads, but close to Get
  app/a/route.ts:2:1
    1 |
  > 2 | export function GET() {}
      | ^
    3 |
  Rename it to Get; a helper takes a name of its own.

warning: no route and no page is at or below this middleware's directory, so it never runs
  app/lone/middleware.ts
  Move it to the directory of what it is for, or remove it.

1 error and 1 warning in 0 routes and 1 middleware.
`,
  )
})

whole("without TypeScript everything else is checked, and it says so", async () => {
  const cwd = installed({ "app/a/route.ts": "export function Get() { return 1 }\n" }, ["fw"])
  assert.equal(await validate(cwd), {
    code: 0,
    success: true,
    valid: true,
    problems: [],
    typesChecked: false,
  })
  const { stdout } = await fw(["validate"], { cwd })
  assert.is(
    stdout,
    "No problem in 1 route and 0 middleware.\nTypes were not checked: TypeScript is not installed in the project.\n",
  )
})

whole("another route directory, one without any, and no project at all", async () => {
  const cwd = project({ "src/routes/a/route.ts": "export const GET = 1\n" })
  assert.is((await validate(cwd, "-d", "src/routes")).problems[0]?.file, "src/routes/a/route.ts")
  const byHand = installed({ "main.ts": 'import { App } from "fw"\nexport default new App()\n' })
  assert.equal((await validate(byHand)).problems, [])
  const nothing = await fw(["validate", "--json"], { cwd: project({}) })
  assert.is(nothing.code, 1)
  assert.is(JSON.parse(nothing.stdout).error.code, "no_project")
})

whole.run()

const checks = suite("checks")

const tables: Readonly<
  Record<string, ReadonlyArray<readonly [files: Record<string, string>, expected: string[]]>>
> = {
  "proxy patterns that cover nothing": [
    [
      { "app/proxy.ts": proxyOf('{ matcher: ["/apj/*"] }'), "app/api/route.ts": get },
      ["warning matcher app/proxy.ts:3:40"],
    ],
    [{ "app/proxy.ts": proxyOf('{ matcher: ["/users/me"] }'), "app/users/[id]/route.ts": get }, []],
    [{ "app/proxy.ts": proxyOf('{ matcher: ["/a/b/c/{d}"] }'), "app/a/[...x]/route.ts": get }, []],
    [
      { "app/proxy.ts": proxyOf('{ matcher: ["/a/:x+"] }'), "app/a/route.ts": get },
      ["warning matcher app/proxy.ts:3:40"],
    ],
    [{ "app/proxy.ts": proxyOf('{ matcher: ["/static/app.css"] }'), "static/app.css": "" }, []],
    [
      { "app/proxy.ts": proxyOf('{ matcher: ["/(de|en)/x"] }'), "app/fr/x/route.ts": get },
      ["warning matcher app/proxy.ts:3:40"],
    ],
    // The proxy answers there itself.
    [
      {
        "app/proxy.ts": proxyOf(
          '{ matcher: ["/old/:path*"] }',
          'return c.path === "/old" ? proxy.redirect("/") : proxy.continue()',
        ),
        "app/api/route.ts": get,
      },
      [],
    ],
    // Which values a regular expression covers is nobody's guess.
    [{ "app/proxy.ts": proxyOf('{ matcher: ["/(de|en)/x"] }'), "app/[lang]/x/route.ts": get }, []],
    [
      { "app/proxy.ts": proxyOf('{ matcher: ["/(("] }'), "app/a/route.ts": get },
      ["error proxy_config app/proxy.ts:3:40"],
    ],
    [
      {
        "app/proxy.ts": proxyOf('{ matcher: ["/api/*"], excludes: ["/health", "/api/ok"] }'),
        "app/api/[x]/route.ts": get,
      },
      ["warning matcher app/proxy.ts:3:62"],
    ],
  ],
  "a proxy that never continues": [
    [
      {
        "app/proxy.ts": proxyOf('{ matcher: ["/a"] }', 'return proxy.redirect("/b")'),
        "app/a/route.ts": get,
        "app/b/route.ts": get,
      },
      ["warning unreachable app/proxy.ts:5:1"],
    ],
    [
      {
        "app/proxy.ts": proxyOf('{ matcher: ["/a"] }', 'return proxy.rewrite("/b")'),
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
        "app/proxy.ts": proxyOf('{ excludes: ["/a"] }', 'return proxy.redirect("/b")'),
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
  ],
  "what wraps nothing, and names that are taken as they stand": [
    [{ "app/a/route.ts": get, "app/b/layout.tpl": layout }, ["warning unused app/b/layout.tpl"]],
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
    [{ "app/page.tpl": "template Pge() { <p>x</p> }\n" }, ["error exports app/page.tpl"]],
    [{ "app/error.tpl": page }, ["error exports app/error.tpl"]],
    [{ "app/page.tpl": "template Page() { <p>x\n" }, ["error template app/page.tpl:1:17"]],
    [
      {
        "app/page.tpl": page,
        "app/layout.tpl":
          "import { frame } from '../lib/frame.ts'\ntemplate Layout(title: string) { {frame(children)} }\n",
        "lib/frame.ts": "export const frame = (x: unknown) => String(x)\n",
      },
      [],
    ],
    ...[
      "function Layout(title: string, c: unknown)",
      "const Layout = (title: string)",
      "async function Layout()",
    ].map((head): [Record<string, string>, string[]] => [
      {
        "app/page.tpl": page,
        "app/layout.js": `export ${head.replace(/: \w+/g, "")}${head.startsWith("const") ? " =>" : ""} { return title }\n`,
      },
      ["error layout_children app/layout.js:1:1"],
    ]),
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
  "files beside the route directory": [
    [{ "app/a/route.ts": get, "proxy.ts": proxyOf("{}") }, ["error misplaced proxy.ts"]],
    [
      { "app/a/route.ts": get, "src/middleware.ts": "export function middleware() {}\n" },
      ["error misplaced src/middleware.ts"],
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
    [
      {
        "app/a/route.ts": get,
        "main.ts":
          'import { App } from "fw"\nconst app = new App()\nawait app.listen()\nexport default app\n',
      },
      ["warning main main.ts:3:11"],
    ],
    [
      { "app/a/route.ts": get, "src/main.ts": "", "main.tsx": "" },
      ["warning main main.tsx", "warning main src/main.ts"],
    ],
  ],
  "conflicts and near misses of the scan": [
    [{ "app/(a)/x/route.ts": get, "app/(b)/x/route.ts": get }, ["error conflict app/(b)/x/route.ts:2"]],
    [
      { "app/routes.ts": get, "app/page.html": "", "app/x/proxy.ts": proxyOf("{}") },
      ["error file_name app/page.html", "error file_name app/routes.ts", "error misplaced app/x/proxy.ts"],
    ],
  ],
}
for (const [what, rows] of Object.entries(tables)) {
  checks(what, async () => {
    for (const [files, expected] of rows) {
      assert.equal(await places(files), expected, JSON.stringify(Object.keys(files)))
    }
  })
}

checks("the types of every export, each at its place and in short words", async () => {
  const cwd = installed({
    "app/a/route.ts": `${context}
export function Get(c: Context) { return { hello: c.path } }

export function Post(c: Context, next: () => void) { next(); return c.noContent() }
export const Put = (c: Context) => { c.path }
`,
    "app/b/[id]/route.ts": `${context}export function Get(c: Context<"name">) { return c.string(200, c.param("name")) }\n`,
    "app/c/route.ts": `${context}export function Get(c: Context<"id">) { return c.string(200, c.param("id")) }\n`,
    "app/d/page.ts": "export const title = 5\nexport function Page() { return 4 }\n",
    "app/d/layout.ts":
      "export function Layout(title: number, c: unknown, children: unknown) { return children }\n",
    "app/e/page.tpl": "template Page() {\n  <p>{nobody}</p>\n}\n",
    "main.ts": "export default 5\n",
    "lib/part.tpl": "template Part() {\n  <p>{nothing}</p>\n}\n",
    "app/middleware.ts": "export function Middleware() { return () => 1 }\n",
    "app/proxy.ts": "export function Proxy(): true | { continue: 1 } { return true }\n",
  })
  const { problems } = await validate(cwd)
  assert.equal(
    problems.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message.split(/: /)[0]}`),
    [
      "types app/a/route.ts:3 Get is no handler",
      "types app/a/route.ts:5 Post is no handler",
      "types app/a/route.ts:6 Put is no handler",
      "parameters app/b/[id]/route.ts:2 Get names a parameter that /b/{id} does not have",
      "parameters app/c/route.ts:2 Get names a parameter that /c does not have",
      "types app/d/layout.ts:1 Layout has the wrong type",
      "types app/d/page.ts:1 title has the wrong type",
      "types app/d/page.ts:2 Page has the wrong type",
      "template app/e/page.tpl:2 Cannot find name 'nobody'.",
      "types app/middleware.ts:1 Middleware has the wrong type",
      "types app/proxy.ts:1 Proxy has the wrong type",
      "template lib/part.tpl:2 Cannot find name 'nothing'.",
      "types main.ts:1 the default export is no App",
    ],
  )
  assert.match(
    problems[0]?.message ?? "",
    /: Type '\{ hello: string; \}' is not assignable to type 'HandlerResult'\.$/,
  )
})

checks.run()
