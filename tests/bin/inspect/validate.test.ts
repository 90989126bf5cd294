/**
 * Tests of `fw validate`: a correct project has no problem, all problems are reported together, and no code of the
 * project runs. validate-checks.test.ts tests each check.
 */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { getTypeScriptInstallCommand } from "../../../bin/cli/version.ts"
import { fw, program, project, runNode } from "../../support/bin/cli/command.ts"
import { context, installed, layout, page, renderProxy, validate } from "../../support/bin/inspect/validated.ts"

const whole = suite("fw validate")

whole("a project with all types of files is valid", async () => {
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
`,
    "app/api/shop/[[...cat]]/route.ts": `${context}export const Get = (c: Context<"cat">) => c.string(200, c.param("cat"))\n`,
    "app/api/plain/route.js": "export function Get(c) { return c.json(200, {}) }\n",
    "app/api/middleware.ts":
      'import { cors, type MiddlewareFunc } from "fw"\nexport function Middleware(): MiddlewareFunc[] { return [cors()] }\n',
    "app/proxy.ts": renderProxy('{ matcher: ["/api/:path*", "/static/*"], excludes: ["/api/plain"] }'),
    "static/a.css": "",
    "lib/proxy.ts": "export function Proxy() {}\n",
  })
  const files = () => [...readdirSync(cwd), ...(readdirSync(join(cwd, "app"), { recursive: true }) as string[])]
  const before = files()
  const ran = await validate(cwd)
  assert.equal(ran, {
    code: 0,
    success: true,
    valid: true,
    errors: 0,
    warnings: 0,
    problems: [],
    checked: { routes: 8, middleware: 1, templates: 5, files: 8 },
    typesChecked: true,
    untyped: null,
  })
  assert.equal(files(), before, "nothing is written")
})

whole("fw validate reports all problems at once with exit code 1, and runs no code of the project", async () => {
  const boom = 'import { writeFileSync } from "node:fs"\nwriteFileSync("ran", "")\n'
  const cwd = installed({
    "main.ts": `${boom}export const app = 1\n`,
    "app/a/route.ts": `${boom}export function GET() {}\n`,
    "app/b/Route.ts": boom,
    "app/proxy.ts": `${boom}${renderProxy('{ matcher: ["/b"] }')}`,
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
      // Without @types/node, TypeScript does not know modules of Node.
      "typescript app/proxy.ts",
      "matcher app/proxy.ts",
      "main main.ts",
      "typescript main.ts",
    ],
  )
  assert.not(existsSync(join(cwd, "ran")))
  assert.equal(Object.keys(data.problems[0]), ["severity", "code", "file", "line", "column", "message", "fix", "frame"])
})

whole("the text of fw validate shows positions, their lines, fixes, and a count", async () => {
  const cwd = installed({
    "app/a/route.ts": "\nexport function GET() {}\n",
    "app/lone/middleware.ts": "export function Middleware() { return [] }\n",
  })
  const { code, stdout, stderr } = await fw(["validate"], { cwd })
  assert.equal([code, stderr], [1, ""])
  assert.is(
    stdout,
    `error: GET is not an export that fw recognises. Did you mean Get?
  app/a/route.ts:2:1
    1 |
  > 2 | export function GET() {}
      | ^
    3 |
  Rename it to Get. A helper can have any other name.

warning: no route and no page is at or below this middleware's directory, so it never runs
  app/lone/middleware.ts
  Move it to the directory of its routes, or remove it.

1 error and 1 warning in 0 routes, 1 middleware and the types of 1 file.
`,
  )
})

whole("without TypeScript everything else is checked, and the result says so", async () => {
  const cwd = installed({ "app/a/route.ts": "export function Get() { return 1 }\n" }, ["fw"])
  const { valid, problems, typesChecked, untyped } = await validate(cwd)
  assert.equal({ valid, problems, typesChecked }, { valid: true, problems: [], typesChecked: false })
  assert.is(untyped?.message, "TypeScript is not installed in the project")
  const { stdout } = await fw(["validate"], { cwd })
  assert.is(
    stdout,
    `No problem in 1 route and 0 middleware.\nTypes were not checked: TypeScript is not installed in the project. Install it in the project: ${getTypeScriptInstallCommand()}\n`,
  )
})

whole(
  "--app-dir chooses another route directory, a project without one is valid, and no project is an error",
  async () => {
    const cwd = project({ "src/routes/a/route.ts": "export const GET = 1\n" })
    for (const directory of ["src/routes", "./src/routes/", join(cwd, "src/routes")])
      assert.is((await validate(cwd, "-d", directory)).problems[0]?.file, "src/routes/a/route.ts")
    const byHand = installed({ "main.ts": 'import { App } from "fw"\nexport default new App()\n' })
    assert.equal((await validate(byHand)).problems, [])
    const nothing = await fw(["validate", "--json"], { cwd: project({}) })
    assert.is(nothing.code, 1)
    assert.is(JSON.parse(nothing.stdout).error.code, "no_project")
  },
)

whole.run()
