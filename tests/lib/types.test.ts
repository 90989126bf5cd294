/** The types that programs see: code that compiles and code that does not, with Node's types and with a worker's. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, root } from "../support/tsc.ts"

const directory = "tests/fixtures/types"
const refused = readFileSync(join(root, directory, "refused.ts"), "utf8").split("\n")
/** The marked lines: the error that each must have. */
const marks = new Map(
  refused.flatMap((text, index) => {
    const mark = /\/\/ ✗ (TS\d+) (.+)$/.exec(text)
    return mark ? [[index + 1, { code: mark[1], words: mark[2] as string }] as const] : []
  }),
)

const flavours = { "Node's types": "tsconfig.json", "a worker's library": "tsconfig.worker.json" }
const runs = new Map(Object.entries(flavours).map(([name, file]) => [name, compile(join(directory, file))]))

for (const [flavour, run] of runs) {
  test(`with ${flavour}: the code that must compile compiles`, async () => {
    assert.equal(
      (await run).filter(({ file }) => !file.endsWith("refused.ts")),
      [],
    )
  })

  test(`with ${flavour}: exactly the ${marks.size} marked lines are refused, each for its marked reason`, async () => {
    const found = (await run).filter(({ file }) => file.endsWith("refused.ts"))
    const lines = (list: Iterable<number>) => [...new Set(list)].sort((a, b) => a - b)
    assert.equal(lines(found.map(({ line }) => line)), lines(marks.keys()), JSON.stringify(found, null, 1))
    for (const { line, code, message } of found) {
      const mark = marks.get(line)
      assert.is(code, mark?.code, `line ${line}: ${message}`)
      assert.ok(message.includes(mark?.words as string), `line ${line}: ${message} has no ${mark?.words}`)
    }
  })
}

test.run()
