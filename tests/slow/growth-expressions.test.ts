/**
 * Every regular expression of the framework, and of the code that projects copy, takes linear time for every text. The
 * list is taken from the sources.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { tokenize } from "../../lib/scan/tokens.ts"
import { attackOn } from "../support/growth/expressions.ts"
import { root } from "../support/tsc.ts"

/** The files below some folders, by their names. */
function filesOf(folders: readonly string[], ending: string): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(ending) && !file.includes("node_modules"))
      .map((file) => `${folder}/${file}`),
  )
}

/** The code of a page of the documentation, which projects copy. Their tests read only what the project itself has written. */
function codeOf(page: string): string {
  return [...page.matchAll(/^```(?:ts|tsx|js)\n(?!\/\/ tests\/)([\s\S]*?)^```$/gm)]
    .map(([, code]) => code)
    .join("\n")
}

/** The expressions, each with a file that has it. */
function expressions(): Map<string, string> {
  const found = new Map<string, string>()
  const read = (file: string, code: string) => {
    for (const { kind, text } of tokenize(code, { file, jsx: false }).tokens)
      if (kind === "regex") found.set(text, file)
  }
  const contents = (file: string) => readFileSync(join(root, file), "utf8")
  for (const file of filesOf(["docs"], ".md")) read(file, codeOf(contents(file)))
  for (const file of filesOf(["lib", "adapters", "examples", "scaffold"], ".ts")) read(file, contents(file))
  return found
}

const all = expressions()

test("these tests find the regular expressions in the sources", () =>
  assert.ok(all.size > 250, `${all.size}`))

for (const [text, file] of all) {
  const end = text.lastIndexOf("/")
  test(`the expression ${text} of ${file} takes linear time`, () =>
    assert.is(attackOn(text.slice(1, end), text.slice(end + 1), true), undefined))
}

test.run()
