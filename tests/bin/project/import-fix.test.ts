/** Tests of fixes for imported names that a module does not export. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { suggestImportFix } from "../../../bin/project/import-fix.ts"
import { project } from "../../support/bin/cli/command.ts"

const test = suite("fixes for imports")

const rows: readonly (readonly [module: string, fix: string])[] = [
  ["export const findAll = 1\n", "Did you mean findAll?"],
  ["export const findAll = 1\nfunction findAl() {}\n", 'Write export before "function findAl" in lib/a.ts.'],
  ["function findAl() {}\n", 'Write export before "function findAl" in lib/a.ts.'],
  ["async  function findAl() {}\n", 'Write export before "async function findAl" in lib/a.ts.'],
  ["const findAl = () => 1\n", 'Write export before "const findAl" in lib/a.ts.'],
  ["interface findAl {}\n", 'Write export before "interface findAl" in lib/a.ts.'],
  ["exports.findAl = 1\n", "Modules use export: write export const findAl = … in lib/a.ts."],
  ["module.exports = { findAl: 1 }\n", "Modules use export: write export const findAl = … in lib/a.ts."],
  ["const findAlways = 1\na.exports.findAl = 1\n", ""],
]
for (const [module, fix] of rows) {
  test(`the fix for an import of findAl from ${JSON.stringify(module.trim())} is ${fix || "empty"}`, () => {
    const root = project({ "package.json": '{ "imports": { "#lib/*": "./lib/*" } }', "lib/a.ts": module })
    const place = { root, file: "app/route.ts" }
    assert.is(suggestImportFix(place, 'No matching export in "lib/a.ts" for import "findAl"'), fix)
    assert.is(suggestImportFix(place, "Module '\"#lib/a.ts\"' has no exported member 'findAl'."), fix)
  })
}

for (const [path, fix] of [
  ["@/lib/a", '"#lib/a.ts"'],
  ["@/lib/a.ts", '"#lib/a.ts"'],
  ["~/lib/b", '"#lib/b/index.ts"'],
  ["@/app/card.tpl", '"./card.tpl.ts"'],
  ["@/lib/none", ""],
  ["@/lib", ""],
  ["@scope/lib", ""],
] as const)
  test(`the fix for an import of ${path} ${fix ? `names ${fix}` : "is empty"}`, () => {
    const root = project({
      "package.json": '{ "imports": { "#lib/*": "./lib/*" } }',
      "lib/a.ts": "",
      "lib/b/index.ts": "",
      "app/card.tpl": "",
      "app/card.tpl.ts": "",
    })
    for (const message of [`Cannot find module '${path}' or its corresponding`, `Could not resolve "${path}"`]) {
      const found = suggestImportFix({ root, file: "app/route.ts" }, message)
      const wanted =
        fix &&
        `Write ${fix}. The names of a project are in imports of package.json, and ${path.slice(0, 2)} is none of them.`
      assert.is(found, wanted)
    }
  })

test.run()
