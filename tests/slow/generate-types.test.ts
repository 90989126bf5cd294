/** Tests of `fw generate templates` with the project's TypeScript. Slow: each run checks a whole program. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../support/bin/cli/command.ts"
import { packageDirectory } from "../support/packages.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const command = ["generate", "templates"]

const generate = suite("fw generate templates: types")

const strict = { strict: true, module: "nodenext", types: [] }

/** Creates a project in which TypeScript and fw are installed. */
function typed(given: Record<string, string>): string {
  const compilerOptions = { ...strict, noEmit: true, allowImportingTsExtensions: true }
  const cwd = project({ "tsconfig.json": JSON.stringify({ compilerOptions }), ...given })
  mkdirSync(join(cwd, "node_modules"))
  symlinkSync(root, join(cwd, "node_modules/fw"))
  for (const name of ["typescript", "@typescript"]) symlinkSync(packageDirectory(name), join(cwd, "node_modules", name))
  return cwd
}

generate("type errors are reported at their positions in the template", async () => {
  const wrong = 'import type { Context } from "fw"\n\ntemplate Page(c: Context) {\n  <p>{c.params("id")}</p>\n}\n'
  const cwd = typed({ "app/[id]/page.tpl": wrong })
  const { code, stderr } = await fw(command, { cwd })
  assert.is(code, 1)
  assert.match(stderr, "app/[id]/page.tpl:4:9: Property 'params' does not exist on type 'Context<string>'")
  writeFileSync(join(cwd, "app/[id]/page.tpl"), wrong.replace("params", "param"))
  assert.is(JSON.parse((await fw([...command, "--json"], { cwd })).stdout).data.typesChecked, true)
})

generate("templates see the types of the values that the application declares", async () => {
  const variables = readFileSync(join(root, "tests/fixtures/types/variables/variables.ts"), "utf8")
  const page = (expression: string) =>
    `import type { Context } from "fw"\nimport { team } from "../variables.ts"\n\ntemplate Page(c: Context) {\n  <p>{${expression}} {team.find(c)?.id}</p>\n}\n`
  const cwd = typed({ "variables.ts": variables, "app/page.tpl": page('c.get("user")?.name') })
  const { code, stderr } = await fw(command, { cwd })
  assert.is(code, 0, stderr)
  for (const [expression, message] of [
    ['c.get("usr")', /app\/page\.tpl:5:\d+: .*"usr"/s],
    ['c.get("user")?.nam', /app\/page\.tpl:5:\d+: Property 'nam' does not exist on type 'User'/],
    ["team.get(c).name", /app\/page\.tpl:5:\d+: Property 'name' does not exist/],
  ] as const) {
    writeFileSync(join(cwd, "app/page.tpl"), page(expression))
    const refused = await fw(command, { cwd })
    assert.is(refused.code, 1, expression)
    assert.match(refused.stderr, message)
  }
})

generate("the import of an unknown type is proposed", async () => {
  const cwd = typed({ "app/page.tpl": "template Page(c: Context) {\n  <p>{c.path}</p>\n}\n" })
  const { stderr } = await fw(command, { cwd })
  assert.match(stderr, "app/page.tpl:1:18: Cannot find name 'Context'")
  assert.match(stderr, 'Write import type { Context } from "fw" at the top of the file.')
})

generate("a package of components can publish its compiled templates, as the documents show", async () => {
  const cwd = typed({
    "components/card.tpl": "template Card(heading: string) {\n  <section><h2>{heading}</h2>{children}</section>\n}\n",
  })
  const options = { ...strict, rootDir: "components", outDir: "dist", declaration: true }
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["components"] }))
  assert.is((await fw([...command, "components"], { cwd })).code, 0)
  const tsc = join(packageDirectory("typescript"), "bin/tsc")
  const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd, encoding: "utf8" })
  assert.is(status, 0, stdout)
  assert.match(readFileSync(join(cwd, "dist/card.tpl.d.ts"), "utf8"), "Card(heading: string, children: ")
  // This program runs in its own process, and imports fw as a user of the package does.
  writeFileSync(
    join(cwd, "main.mjs"),
    `import { raw } from "fw/html"
import { Card } from "./dist/card.tpl.js"
process.stdout.write(String(Card("<x>", raw("<p>y</p>"))))
`,
  )
  const page = spawnSync(process.execPath, ["main.mjs"], { cwd, encoding: "utf8" })
  assert.is(page.stdout, "<section><h2>&lt;x&gt;</h2><p>y</p></section>", page.stderr)
})

generate.run()
