/**
 * Tests of the types that programs see, with Node's types and with a worker's: code that must compile, and code
 * that must not.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, root } from "../support/tsc.ts"

/**
 * The folder of each program. In the second one, an application declares the types of its context values, which
 * applies to all files.
 */
const directories = ["tests/fixtures/types", "tests/fixtures/types/variables"]
const flavours = { "Node's types": "tsconfig.json", "a worker's library": "tsconfig.worker.json" }

interface Mark {
  readonly code: string
  readonly words: string
}

/** Returns the marked lines of a folder, with the error that each line must have. */
function readMarks(directory: string): Map<number, Mark> {
  const lines = readFileSync(join(root, directory, "refused.ts"), "utf8").split("\n")
  return new Map(
    lines.flatMap((text, index) => {
      const [, code = "", words = ""] = /\/\/ ✗ (TS\d+) (.+)$/.exec(text) ?? []
      return code === "" ? [] : [[index + 1, { code, words }] as const]
    }),
  )
}

const runs = directories.flatMap((directory) =>
  Object.entries(flavours).map(([flavour, file]) => ({
    title: `${directory}, with ${flavour}`,
    marks: readMarks(directory),
    run: compile(join(directory, file)),
  })),
)

for (const { title, marks, run } of runs) {
  test(`${title}: the code that must compile compiles`, async () => {
    assert.equal(
      (await run).filter(({ file }) => !file.endsWith("refused.ts")),
      [],
    )
  })

  test(`${title}: exactly the ${marks.size} marked lines are refused, each for its marked reason`, async () => {
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
