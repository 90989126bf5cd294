/**
 * Tests of functions in the main file that add routes to a group or an app: the routes are listed with the prefix
 * of the caller.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const groups = suite("functions of the main file that register routes")

const ok = "(c) => c.noContent()"
const users = `group.get("/users", ${ok})`
const filled = `function api(group: RouteGroup) { ${users} }`

const cases: ReadonlyArray<readonly [what: string, code: string, routes: readonly string[]]> = [
  ["a function that fills a group", `${filled}\napp.group("/api", api)`, ["/api/users"]],
  ["a function that is declared after its use", `app.group("/api", api)\n${filled}`, ["/api/users"]],
  [
    "a function in a constant",
    `const api = (group: RouteGroup) => { ${users} }\napp.group("/api", api)`,
    ["/api/users"],
  ],
  ["a function without a block", `const api = (group: RouteGroup) => ${users}\napp.group("/api", api)`, ["/api/users"]],
  [
    "a method that fills a group",
    `const all = { api(group: RouteGroup) { ${users} } }\napp.group("/api", all.api)`,
    ["/api/users"],
  ],
  [
    "a function that fills two groups",
    `${filled}\napp.group("/a", api)\napp.group("/b", api)`,
    ["/a/users", "/b/users"],
  ],
  [
    "groups in groups",
    `${filled}\nfunction v1(outer: RouteGroup) { outer.group("/v1", api) }\napp.group("/api", v1)`,
    ["/api/v1/users"],
  ],
  ["a function that takes an app", `function add(app: App) { app.get("/x", ${ok}) }\nadd(app)`, ["/x"]],
  ["a function that nothing calls", `export function add(app: App) { app.get("/x", ${ok}) }`, ["/x"]],
  ["a function that gets a group and the app", `${filled}\napp.group("/api", api)\napi(app)`, ["/api/users", "/users"]],
  [
    "a function that gets a group from a group",
    `${filled}\napp.group("/api", (outer) => { api(outer); outer.get("/y", ${ok}) })`,
    ["/api/users", "/api/y"],
  ],
  [
    "a function that makes the function",
    `function made() { return (group: RouteGroup) => { ${users} } }\napp.group("/api", made())`,
    ["/api/users"],
  ],
  ["the app in a group's function", `app.group("/api", () => { app.get("/x", ${ok}) })`, ["/x"]],
  [
    "a function without arguments, called in a group",
    `function add() { app.get("/x", ${ok}) }\napp.group("/api", (group) => { add(); ${users} })`,
    ["/api/users", "/x"],
  ],
  ["a parameter with the name of the app", `app.group("/api", (app) => { app.get("/x", ${ok}) })`, ["/api/x"]],
  ["a prefix that is not known", `${filled}\napp.group(String(process.argv[2]), api)`, []],
  [
    "a function that calls itself",
    `function api(group: RouteGroup) { ${users}; group.group("/deep", api) }\napp.group("/api", api)`,
    ["/api/users"],
  ],
  [
    "another app that is mounted",
    `const sub = new App()\nsub.get("/s", ${ok})\nsub.group("/deep", (group) => { ${users} })\napp.mountHandler("/sub", sub.fetch)`,
    ["/sub/deep/users", "/sub/s"],
  ],
  [
    "another app that is mounted on the router, with a route of the same path",
    `const sub = new App()\napp.router.mount("/sub", sub.fetch)\nsub.get("/s", ${ok})\napp.get("/s", ${ok})`,
    ["/s", "/sub/s"],
  ],
  [
    "an app that is mounted nowhere, or where only the program knows",
    `const sub = new App()\nconst other = new App()\nsub.group("/a", (group) => { ${users} })\nother.get("/s", ${ok})\napp.mountHandler(String(process.argv[2]), other.fetch)`,
    [],
  ],
  [
    "the errors and the middleware of another app",
    `const sub = new App()\nsub.onError((c) => c.json(418, { teapot: true }))\nsub.use((next) => async (c) => c.path ? next(c) : c.json(409, { own: true }))\napp.get("/x", ${ok})`,
    ["/x"],
  ],
]
for (const [what, code, wanted] of cases) {
  groups(`the listed routes of a main file with ${what} are ${wanted.join(" and ") || "none"}`, async () => {
    const text = `import { App, type RouteGroup } from "fw"\nexport type Used = RouteGroup\nconst app = new App()\n${code}\nexport default app\n`
    const cwd = makeProject({ "main.ts": text, "package.json": '{"type":"module"}' }, ["fw", "typescript"])
    const listed = await fw(["routes", "--json"], { cwd })
    assert.equal(
      JSON.parse(listed.stdout).data.routes.map(({ pattern }: { pattern: string }) => pattern),
      wanted,
    )
    const document = await fw(["openapi", "generate", "-o", "-"], { cwd })
    assert.equal(Object.keys(JSON.parse(document.stdout).paths ?? {}).sort(), wanted)
    assert.not.match(document.stdout, /teapot|own/)
  })
}

groups(
  "routes that functions of other modules register are listed, and missing guards of these routes are reported",
  async () => {
    const cwd = makeProject(
      {
        "package.json": '{"type":"module","imports":{"#*":"./*"}}',
        "main.ts": `import { App } from "fw"
import { mcp } from "fw/mcp"
import { register } from "#lib/more.ts"
import * as all from "./lib/more.ts"
const app = new App()
mcp(app)
register(app, "x")
app.group("/api", (group) => all.inner(group))
export default app
`,
        "lib/more.ts": `import type { App, RouteGroup } from "fw"
export function register(app: App, _: string) {
  function deep() { app.get("/deep", (c) => c.noContent()) }
  app.post("/registered", (c) => c.noContent())
  deep()
}
export const inner = (group: RouteGroup) => group.put("/inner", (c) => c.noContent())
export function never(app: App) { app.get("/never", (c) => c.noContent()) }
export function calls(app: App) { never(app) }
`,
      },
      ["fw", "typescript"],
    )
    const listed = await fw(["routes", "--json"], { cwd })
    assert.equal(
      JSON.parse(listed.stdout).data.routes.map(
        ({ method, pattern, file }: Record<string, string>) => `${method} ${pattern} ${file}`,
      ),
      ["PUT /api/inner lib/more.ts", "GET /deep lib/more.ts", "POST /registered lib/more.ts"],
    )
    const { stdout } = await fw(["validate", "--security", "--json"], { cwd })
    const unguarded = JSON.parse(stdout).data.problems.filter(({ code }: { code: string }) => code === "unguarded")
    assert.equal(
      unguarded.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`),
      ["lib/more.ts:4", "lib/more.ts:7"],
    )
  },
)

groups.run()
