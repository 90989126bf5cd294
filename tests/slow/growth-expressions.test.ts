/**
 * Every regular expression of the library and its adapters takes linear time for every text: clients send the text, or
 * files have it, which may be of any size. The list is taken from the sources, and each expression is decided by analysis.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { tokenize } from "../../lib/scan/tokens.ts"
import { attackOn } from "../support/growth/expressions.ts"
import { root } from "../support/tsc.ts"

/** The expressions, each with a file that has it. */
function expressions(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of ["lib", "template", "adapters"])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue
      const file = `${folder}/${name}`
      const code = readFileSync(join(root, file), "utf8")
      for (const { kind, text } of tokenize(code, { file, allowsJSX: false }).tokens)
        if (kind === "regex") found.set(text, file)
    }
  return found
}

const all = expressions()

test("these tests find the regular expressions in the sources", () => assert.ok(all.size > 250, `${all.size}`))

for (const [text, file] of all) {
  const end = text.lastIndexOf("/")
  test(`the expression ${text} of ${file} takes linear time`, () =>
    assert.is(attackOn(text.slice(1, end), text.slice(end + 1)), undefined))
}

test.run()
