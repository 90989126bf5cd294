/**
 * Every regular expression of the framework takes linear time for hostile text. The list is taken from the sources. The
 * texts repeat the characters and words of the expression itself, behind a beginning and before an end that does not match.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { tokenize } from "../../lib/scan/tokens.ts"
import { assertLinear, repeated } from "../support/growth.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The expressions, each with a file that has it. */
function expressions(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of ["lib", "adapters"]) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      const { tokens } = tokenize(readFileSync(join(root, folder, file), "utf8"), { file, jsx: false })
      for (const { kind, text } of tokens) if (kind === "regex") found.set(text, `${folder}/${file}`)
    }
  }
  return found
}

const characters = [..." \t\n\0a0A,;=\"'`/\\%-._:<>{}()[]*+?#&|$@!~é"]
const ends = ["", "!", "\n", "\0x"]
/** Characters of a first look, and the milliseconds that show what no linear expression takes for them. */
const firstLength = 8192
const suspicious = 2

/** Words that the expression itself looks for. */
function wordsOf(source: string): string[] {
  const plain = source.replace(/\\[sdwbSDWBpu]\{?/g, " ").replace(/\\(.)/g, "$1")
  return [...plain.matchAll(/[A-Za-z0-9:<"'=/-]{2,}/g)].map(([word]) => word).slice(0, 6)
}

async function attack(name: string, expression: RegExp): Promise<void> {
  const words = wordsOf(expression.source)
  const run = (text: string) => {
    expression.lastIndex = 0
    return expression.test(text)
  }
  for (const before of new Set(["", "a", "a=", '"', "/", ...words]))
    for (const piece of new Set([...characters, ...words, ...words.map((word) => `${word} `)]))
      for (const after of ends) {
        const hostile = repeated(piece, before, after)
        const begun = performance.now()
        run(hostile.make(firstLength))
        if (performance.now() - begun > suspicious) await assertLinear(name, run, hostile)
      }
}

const all = expressions()

test("these tests find the regular expressions in the sources", () =>
  assert.ok(all.size > 250, `${all.size}`))

for (const [text, file] of all) {
  const end = text.lastIndexOf("/")
  test(`the expression ${text} of ${file} takes linear time`, () =>
    attack(text, new RegExp(text.slice(1, end), text.slice(end + 1))))
}

test.run()
