/** Tests of the supported versions of TypeScript, and of the message for other versions. */
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject, route, write } from "../../support/bin/dev/dev-project.ts"
import { packageDirectory } from "../../support/packages.ts"

/** Creates a project with a package `typescript` that has these files besides its package.json. */
function withTypeScript(version: string, files: Readonly<Record<string, string>> = {}): string {
  const root = makeProject({ "app/api/x/route.ts": route("x") }, ["fw"])
  const exports = Object.fromEntries(Object.keys(files).map((name) => [`./${name}`, `./${name}.js`]))
  write(root, {
    "node_modules/typescript/package.json": JSON.stringify({
      name: "typescript",
      version,
      type: "module",
      exports: { "./package.json": "./package.json", ...exports },
    }),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`node_modules/typescript/${name}.js`, text])),
  })
  return root
}

async function generated(root: string) {
  const { code, stdout } = await fw(["openapi", "generate", "--json"], { cwd: root })
  assert.is(code, 0)
  const { data } = JSON.parse(stdout)
  return data as { typed: boolean; warnings: { message: string; fix: string }[] }
}

test("the version of TypeScript in these tests is supported", async () => {
  const root = makeProject({ "app/api/x/route.ts": route("x") }, ["fw"])
  symlinkSync(packageDirectory("typescript"), join(root, "node_modules/typescript"), "dir")
  const { typed, warnings } = await generated(root)
  assert.equal({ typed, warnings }, { typed: true, warnings: [] })
})

const unsupported = /^the project's TypeScript is (\S+), and fw reads types with versions 7\.0 and 7\.1: /
const install = /^Install it in the project: npm install --save-dev "typescript@~7\.0\.\d+"$/

for (const version of ["5.9.2", "6.0.3", "7.2.0", "8.0.0-beta"]) {
  test(`TypeScript ${version} has no API that fw knows, so a warning names the supported versions`, async () => {
    const { typed, warnings } = await generated(withTypeScript(version))
    assert.is(typed, false)
    assert.is(unsupported.exec(warnings[0]?.message ?? "")?.[1], version)
    assert.match(warnings[0]?.fix ?? "", install)
  })
}

test("a changed API of TypeScript causes a warning that says what failed and which version works", async () => {
  const files = { sync: "export {}", ast: "export {}", fs: "export const serverFS = {}" }
  const { typed, warnings } = await generated(withTypeScript("7.9.0", files))
  assert.is(typed, false)
  assert.match(warnings[0]?.message ?? "", /^TypeScript 7\.9\.0 could not open the project: ./)
  assert.match(warnings[0]?.fix ?? "", /npm install --save-dev "typescript@~7\.0\.\d+"$/)
})

test.run()
