/** Tests of `fw routes`: the table and its data, of a tree and of projects on disk. */
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeStyle } from "../../../bin/cli/terminal.ts"
import { data, print, type RoutesData } from "../../../bin/commands/routes.ts"
import type { RouteTree, TreeRoute } from "../../../lib/tree.ts"
import { fw, program, project, runNode } from "../../support/bin/cli/command.ts"
import { packageDirectory } from "../../support/packages.ts"

const plain = { style: makeStyle(false), columns: 80, width: Number.POSITIVE_INFINITY }
const none: RouteTree = { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] }

function handler(method: string, pattern: string, file: string): TreeRoute {
  return { method, pattern, file, export: "Get", line: 1, middleware: [] }
}

const tree: RouteTree = {
  ...none,
  routes: [
    handler("GET", "/api/users/{id}", "app/api/users/[id]/route.ts"),
    handler("DELETE", "/api/users/{id}", "app/api/users/[id]/route.ts"),
    handler("POST", "/a", "app/a/route.ts"),
    handler("SOCKET", "/chat", "app/chat/route.ts"),
  ],
  pages: [{ pattern: "/api/about", file: "app/api/about/page.tpl", middleware: [], title: "About" }],
  middleware: [{ path: "/api", file: "app/api/middleware.ts" }],
  proxy: { file: "app/proxy.ts", matchers: ["/api/:path*", "/x"], excludes: ["/api/health"] },
}

const printed = suite("printer")

printed("a route that is rendered at build time has a mark", () => {
  const made: RouteTree = {
    ...none,
    routes: [{ ...handler("GET", "/feed.xml", "app/feed.xml/route.ts"), prerender: true }],
    pages: [
      { pattern: "/", file: "app/page.tpl", middleware: [], title: "Home", prerender: true },
      { pattern: "/me", file: "app/me/page.tpl", middleware: [], title: "Me" },
    ],
  }
  assert.equal((data(made) as RoutesData).routes, [
    { method: "GET", pattern: "/", file: "app/page.tpl", prerender: true },
    { method: "GET", pattern: "/feed.xml", file: "app/feed.xml/route.ts", prerender: true },
    { method: "GET", pattern: "/me", file: "app/me/page.tpl" },
  ])
  const text = print(made, plain)
  assert.match(text, / app\/page\.tpl {2}prerender\n/)
  assert.match(text, / app\/me\/page\.tpl\n/)
})

printed("an empty project gets a hint about its first route", () => {
  assert.is(
    print(none, plain),
    'There are no routes in app yet. Run "fw generate route hello" to write the first one.\n',
  )
})

printed("proxy, middleware, routes and total are listed in columns", () => {
  assert.is(
    print(tree, plain),
    `Proxy
  /api/:path*, /x, except /api/health  app/proxy.ts

Middleware
  /api  app/api/middleware.ts

Routes
  POST    /a               app/a/route.ts
  GET     /api/about       app/api/about/page.tpl
  GET     /api/users/{id}  app/api/users/[id]/route.ts
  DELETE  /api/users/{id}  app/api/users/[id]/route.ts
  SOCKET  /chat            app/chat/route.ts

Total: 5 routes
`,
  )
})

printed("a proxy without matchers is listed for every path", () => {
  const routes = [handler("GET", "/", "app/route.ts")]
  assert.is(
    print({ ...none, routes, proxy: { file: "app/proxy.ts", matchers: [], excludes: [] } }, plain),
    "Proxy\n  every path  app/proxy.ts\n\nRoutes\n  GET  /  app/route.ts\n\nTotal: 1 route\n",
  )
})

printed("a middleware of a group is listed with the group, because its path alone would be misleading", () => {
  const of = (path: string, directory: string) => ({ path, file: `${directory}/middleware.ts` })
  const middleware = [
    of("/", "app"),
    of("/", "app/(admin)"),
    of("/users/{id}", "app/(admin)/users/[id]/(own)"),
    of("/files", "app/files"),
    of("/x", "lib"),
  ]
  const { middleware: shown } = data({ ...none, middleware }) as RoutesData
  assert.equal(
    shown.map(({ path }) => path),
    ["/", "/(admin)", "/(admin)/users/{id}/(own)", "/files", "/x"],
  )
  assert.match(
    print({ ...none, middleware }, plain),
    "/(admin)/users/{id}/(own)  app/(admin)/users/[id]/(own)/middleware.ts",
  )
})

printed("a middleware in a project without routes is listed, with the hint about the first route", () => {
  const text = print({ ...none, middleware: [{ path: "/", file: "app/middleware.ts" }] }, plain)
  assert.is(
    text.startsWith(["Middleware", "  /  app/middleware.ts", "", "There are no routes in app yet"].join("\n")),
    true,
  )
})

printed("colours do not change the text", () => {
  const colored = print(tree, { ...plain, style: makeStyle(true) })
  assert.is.not(colored, print(tree, plain))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every colour starts with this character
  assert.is(colored.replace(/\x1b\[\d+m/g, ""), print(tree, plain))
  assert.match(colored, "\x1b[31mDELETE")
})

printed("the data has exactly the fields of the specification", () => {
  assert.equal(data(tree), {
    routes: [
      { method: "POST", pattern: "/a", file: "app/a/route.ts" },
      { method: "GET", pattern: "/api/about", file: "app/api/about/page.tpl" },
      { method: "GET", pattern: "/api/users/{id}", file: "app/api/users/[id]/route.ts" },
      { method: "DELETE", pattern: "/api/users/{id}", file: "app/api/users/[id]/route.ts" },
      { method: "SOCKET", pattern: "/chat", file: "app/chat/route.ts" },
    ],
    middleware: [{ path: "/api", file: "app/api/middleware.ts" }],
    proxy: { enabled: true, file: "app/proxy.ts" },
    total: 5,
  })
  assert.equal(data(none), { routes: [], middleware: [], proxy: { enabled: false, file: "" }, total: 0 })
})

printed.run()

const run = suite("fw routes")

const get = "export function Get() {}\n"
const files = {
  "app/api/health/route.ts": get,
  "app/api/shop/[[...cat]]/route.ts": get,
  "app/(admin)/settings/page.tpl": "template Page() {}\n",
  "app/api/middleware.ts": "export function Middleware() {}\n",
  "app/proxy.ts": 'export const ProxyConfig = { matcher: ["/api/:path*"] }\nexport function Proxy() {}\n',
}
const listing = `Proxy
  /api/:path*  app/proxy.ts

Middleware
  /api  app/api/middleware.ts

Routes
  GET  /api/health  app/api/health/route.ts
  GET  /api/shop    app/api/shop/[[...cat]]/route.ts
  GET  /api/shop/*  app/api/shop/[[...cat]]/route.ts
  GET  /settings    app/(admin)/settings/page.tpl

Total: 4 routes
`

run("the program lists the routes of a project", async () => {
  const cwd = project(files)
  assert.equal(await runNode([program, "routes"], { cwd }), { code: 0, stdout: listing, stderr: "" })
  const json = await runNode([program, "routes", "--json"], { cwd })
  assert.equal(JSON.parse(json.stdout), {
    success: true,
    data: {
      routes: [
        { method: "GET", pattern: "/api/health", file: "app/api/health/route.ts" },
        { method: "GET", pattern: "/api/shop", file: "app/api/shop/[[...cat]]/route.ts" },
        { method: "GET", pattern: "/api/shop/*", file: "app/api/shop/[[...cat]]/route.ts" },
        { method: "GET", pattern: "/settings", file: "app/(admin)/settings/page.tpl" },
      ],
      middleware: [{ path: "/api", file: "app/api/middleware.ts" }],
      proxy: { enabled: true, file: "app/proxy.ts" },
      total: 4,
    },
  })
})

for (const flags of [["--app-dir", "src/pages"], ["--app-dir=./src/pages/"], ["-d", "src/pages"], ["-dsrc/pages"]]) {
  run(`fw routes ${flags.join(" ")} lists the routes of another directory`, async () => {
    const cwd = project({ "src/pages/x/route.ts": get, "app/y/route.ts": get })
    const { stdout } = await fw(["routes", ...flags], { cwd })
    assert.is(stdout, "Routes\n  GET  /x  src/pages/x/route.ts\n\nTotal: 1 route\n")
  })
}

const registering = `import { App } from "fw"
const app = new App()
app.get("/hello/{name}", (c) => c.json(200, { hello: c.param("name") }))
app.group("/api", (api) => {
  api.post("/users", (c) => c.noContent())
})
export default app
`
const registered = [
  { method: "POST", pattern: "/api/users", file: "main.ts" },
  { method: "GET", pattern: "/hello/{name}", file: "main.ts" },
]

/** Creates a project with the packages that the type check needs. */
function typed(files: Readonly<Record<string, string>>): string {
  const cwd = project(files)
  mkdirSync(join(cwd, "node_modules"))
  for (const name of ["fw", "typescript"]) symlinkSync(packageDirectory(name), join(cwd, "node_modules", name), "dir")
  return cwd
}

/** Runs the command with `--json`, and returns a shorter form of its data. */
async function readData(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await fw([...args, "--json"], { cwd })
  assert.is(code, 0, stdout + stderr)
  return JSON.parse(stdout).data
}

run("in a project without a route directory, every command lists the routes that the main file registers", async () => {
  const cwd = typed({ "main.ts": registering, "package.json": '{"type":"module"}' })
  assert.equal((await readData(cwd, "routes")).routes, registered)
  assert.equal((await readData(cwd, "routes", "--unlinked")).total, 1)
  assert.is((await readData(cwd, "validate")).checked.routes, 2)
  assert.is((await readData(cwd, "info")).counts.routes, 2)
  assert.is((await readData(cwd, "openapi", "generate", "-o", "api.json")).operations, 2)
  const explained = await fw(["routes", "--explain", "GET", "/hello/ada"], { cwd })
  assert.match(explained.stdout, /Answer +the handler at main\.ts:\d+/)
  assert.is((await fw(["routes", "-d", "nowhere"], { cwd })).code, 1)
})

run("routes that the main file registers are listed together with the routes of the directory", async () => {
  const cwd = typed({ "main.ts": registering, "package.json": "{}", "app/b/route.ts": get })
  const { routes, total } = await readData(cwd, "routes")
  assert.equal(routes, [registered[0], { method: "GET", pattern: "/b", file: "app/b/route.ts" }, registered[1]])
  assert.is(total, 3)
})

run("routes that the main file registers a second time are problems of fw validate", async () => {
  const more = `app.get("/b", (c) => c.noContent())
app.get("/pages", (c) => c.noContent())
app.get("/hello/{other}", (c) => c.noContent())
app.post("/b", (c) => c.noContent())
export default app`
  const cwd = typed({
    "main.ts": registering.replace("export default app", more),
    "package.json": '{"type":"module"}',
    "app/b/route.ts": get,
    "app/pages/page.tpl": "template Page() {\n  <h1>Pages</h1>\n}\n",
  })
  const { stdout } = await fw(["validate", "--json"], { cwd })
  const { valid, problems } = JSON.parse(stdout).data
  assert.is(valid, false)
  assert.equal(
    problems
      .filter(({ code }: { code: string }) => code === "conflict")
      .map((one: { severity: string; line: number; message: string }) => [one.severity, one.line, one.message]),
    [
      ["error", 7, "app/b/route.ts:1 and main.ts:7 both claim GET /b, so the program cannot start"],
      ["error", 8, "app/pages/page.tpl and main.ts:8 both claim GET /pages, so the program cannot start"],
      [
        "warning",
        9,
        "main.ts:3 and main.ts:9 both claim GET /hello/{name}, the same as /hello/{other}, so the program cannot start",
      ],
    ],
  )
})

run("without TypeScript, the listing says that the routes of the main file are missing", async () => {
  const cwd = project({ "main.ts": registering, "package.json": "{}", "app/b/route.ts": get })
  const { stdout } = await fw(["routes"], { cwd })
  assert.match(stdout, /Total: 1 route\n\n.*TypeScript .*routes that the main file registers are not\s+seen\./)
  const { total, unlisted } = await readData(cwd, "routes")
  assert.is(total, 1)
  assert.match(unlisted.fix, /npm install/)
})

run("a main file that registers no routes needs no types", async () => {
  const cwd = project({
    "main.ts": 'import { App } from "fw"\nexport default new App()\n',
    "package.json": "{}",
    "app/b/route.ts": get,
  })
  assert.is((await readData(cwd, "routes")).unlisted, undefined)
})

for (const dir of ["..", "../..", "/", "app/../.."]) {
  run(`--app-dir ${dir} is refused by every command that takes it`, async () => {
    const cwd = project({ "package.json": "{}", "app/b/route.ts": get })
    for (const command of ["routes", "validate", "info", "openapi generate -o -", "generate templates"]) {
      const { code, stderr } = await fw([...command.split(" "), "--app-dir", dir], { cwd })
      assert.is(code, 1, command)
      assert.ok(stderr.includes(`the route directory "${dir}" contains the project`), `${command}: ${stderr}`)
    }
  })
}

run("an empty route directory is not a failure", async () => {
  const cwd = project({ "app/.keep": "" })
  assert.is((await fw(["routes"], { cwd })).code, 0)
  assert.is(JSON.parse((await fw(["routes", "--json"], { cwd })).stdout).data.total, 0)
})

run("a missing route directory is a failure that says what to do", async () => {
  const ran = await fw(["routes", "-d", "nowhere"], { cwd: project({}) })
  assert.equal(ran, {
    code: 1,
    stdout: "",
    stderr:
      'error: there is no directory "nowhere" to read routes from\n' +
      "  Run this in a project's own directory, or name its routes with --app-dir <dir>.\n" +
      "  More: fw help app_dir\n",
  })
})

run("every mistake in a project is shown with its place", async () => {
  const cwd = project({
    "app/a/route.ts": "export function GET() {}\n",
    "app/b/route.ts": "export default 1\n",
  })
  const { code, stdout, stderr } = await fw(["routes"], { cwd })
  assert.is(code, 1)
  assert.is(stdout, "")
  assert.match(stderr, /^error: app\/a\/route\.ts:1/m)
  assert.match(stderr, /^error: app\/b\/route\.ts:1/m)
  const json = JSON.parse((await fw(["routes", "--json"], { cwd })).stdout)
  assert.is(json.success, false)
  const places = json.error.problems.map((problem: { at: { file: string } }) => problem.at.file)
  assert.equal(places, ["app/a/route.ts", "app/b/route.ts"])
})

run.run()
