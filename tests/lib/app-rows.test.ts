/** Every row of the specification that the core answers for is named by a case. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { rows } from "../support/contract/rows.ts"
import { root } from "../support/tsc.ts"

/** The sources of the cases, without the list of rows itself. */
const sources = (readdirSync(join(root, "tests"), { recursive: true }) as string[])
  .filter((name) => name.endsWith(".ts") && !/(?:^|[/\\])(?:rows|app-rows\.test)\.ts$/.test(name))
  .filter((name) => !/^(?:slow|runtimes|fixtures|typescript-next)[/\\]/.test(name))
  .map((name) => readFileSync(join(root, "tests", name), "utf8"))

/** A row is named where a test's title begins with it, or is put together from its table and its name. */
function isNamed(table: string, row: string): boolean {
  const whole = `${table} ${row}`
  return sources.some(
    (source) =>
      source.includes(`"${whole}"`) || source.includes(`${whole}: `) || generated(source, table, row),
  )
}

/** `Get(pattern, handler)` of a list of methods: `${name}(pattern, handler)`; helpers by their names. */
function generated(source: string, table: string, row: string): boolean {
  const [name = "", rest = ""] = row.split(/(?=\()/)
  const list = source.includes(`"${name}"`) && source.includes(`\`${table} \${name}${rest}\``)
  return list || (source.includes(`"${row}"`) && source.includes(`\`${table} \${name}\``))
}

for (const [table, names] of Object.entries(rows)) {
  for (const row of names) test(`${table} ${row} is named by a case`, () => assert.ok(isNamed(table, row)))
}

test("a row that no case names is found", () => {
  assert.not(isNamed("App", "Fly(away)"))
  assert.not(isNamed("Context", "Get(pattern, handler)"))
})

test.run()
