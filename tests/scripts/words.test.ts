/** Tests of the word check in scripts/words.mjs. */
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

const { findBannedWords } = (await import(join(root, "scripts", "words.mjs"))) as {
  findBannedWords(text: string): { line: number; word: string; advice: string }[]
}

const rows: [text: string, found: string | undefined][] = [
  ["the table\nthereof", "thereof"],
  ["a value\nwhich is no valid port", "is no valid"],
  ["it tells\nwhat is wrong", undefined],
  ["therefore it waits\nand there is one", undefined],
]

for (const [text, found] of rows)
  test(`findBannedWords() finds ${found === undefined ? "nothing" : `"${found}"`} in ${JSON.stringify(text)}`, () => {
    assert.equal(
      findBannedWords(text).map((place) => [place.line, place.word]),
      found === undefined ? [] : [[2, found]],
    )
  })

test.run()
