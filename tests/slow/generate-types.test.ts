/** `fw generate templates` with the project's TypeScript. Slow: each run checks a whole program. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../support/command.ts"
import { packageDirectory } from "../support/packages.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const command = ["generate", "templates"]

const generate = suite("fw generate templates: types")

/** A project that has TypeScript and fw, as installed ones do. */
function typed(given: Record<string, string>): string {
  const config = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    types: [],
    allowImportingTsExtensions: true,
  }
  const cwd = project({ "tsconfig.json": JSON.stringify({ compilerOptions: config }), ...given })
  mkdirSync(join(cwd, "node_modules"))
  symlinkSync(root, join(cwd, "node_modules/fw"))
  for (const name of ["typescript", "@typescript"])
    symlinkSync(packageDirectory(name), join(cwd, "node_modules", name))
  return cwd
}

generate("the type checker's errors are told at their places in the template", async () => {
  const wrong =
    'import type { Context } from "fw"\n\ntemplate Page(c: Context) {\n  <p>{c.params("id")}</p>\n}\n'
  const cwd = typed({ "app/[id]/page.tpl": wrong })
  const { code, stderr } = await fw(command, { cwd })
  assert.is(code, 1)
  assert.match(stderr, "app/[id]/page.tpl:4:9: Property 'params' does not exist on type 'Context<string>'")
  writeFileSync(join(cwd, "app/[id]/page.tpl"), wrong.replace("params", "param"))
  assert.is(JSON.parse((await fw([...command, "--json"], { cwd })).stdout).data.typesChecked, true)
})

generate("a missing import of a type is proposed", async () => {
  const cwd = typed({ "app/page.tpl": "template Page(c: Context) {\n  <p>{c.path}</p>\n}\n" })
  const { stderr } = await fw(command, { cwd })
  assert.match(stderr, "app/page.tpl:1:18: Cannot find name 'Context'")
  assert.match(stderr, 'Write import type { Context } from "fw" at the top of the file.')
})

generate.run()
