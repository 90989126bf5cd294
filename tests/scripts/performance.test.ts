/** docs/performance.md has the figures of bench/results.json, and nobody has changed one by hand. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

type Files = ReadonlyMap<string, string>
interface Results {
  readonly tables: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly rows: ReadonlyArray<{ readonly row: string; readonly values: Readonly<Record<string, number>> }>
  }>
}

const script = pathToFileURL(join(root, "scripts/performance.mjs")).href
const files = ((await import(script)) as { performanceFiles(): Files }).performanceFiles()

for (const [path, text] of files) {
  test(`${path} is what scripts/performance.mjs writes for the figures`, () => {
    assert.is(readFileSync(join(root, path), "utf8"), text, "run node scripts/performance.mjs")
  })
}

test("no chart is left of a table that is gone", () => {
  const folder = "docs/pictures/performance"
  const charts = [...files.keys()].filter((path) => path.endsWith(".svg"))
  assert.equal(
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
    charts.toSorted(),
  )
})

test("a chart has the title, each row and each figure of its table", () => {
  const results = JSON.parse(readFileSync(join(root, "bench/results.json"), "utf8")) as Results
  for (const { id, rows, title } of results.tables) {
    const chart = files.get(`docs/pictures/performance/${id}.svg`) as string
    assert.match(chart, title)
    for (const { row, values } of rows) {
      assert.match(chart, `>${row}</text>`)
      for (const name of Object.keys(values)) assert.match(chart, `>${name}</text>`)
    }
  }
})

test.run()
