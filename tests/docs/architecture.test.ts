/**
 * Tests of docs/architecture.md, the threat model and the vocabulary: the files that they name exist, and
 * docs/architecture.md has the names and files that a newcomer looks for.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const page = read("docs/architecture.md")
const named = page + read("docs/operations/threat-model.md") + read("docs/vocabulary.md")
const paths = [...named.matchAll(/`((?:bin|lib|template|adapters|tests|scripts)\/[\w./-]*)`/g)].map(
  ([, path]) => path as string,
)

test("every file that docs/architecture.md, the threat model and the vocabulary name exists", () => {
  assert.ok(paths.length > 60, `only ${paths.length} paths were found`)
  assert.equal(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  )
})

test("every folder in the drawing of docs/architecture.md exists, and every folder of bin/ is in the drawing", () => {
  const drawing = /^```text\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ""
  const folders = [...drawing.matchAll(/\bbin\/[a-z]+|\blib\b|\btemplate\b|\badapters\b/g)].map(([name]) => name)
  assert.equal(
    folders.filter((name) => !existsSync(join(root, name))),
    [],
  )
  const missing = readdirSync(join(root, "bin"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !folders.includes(`bin/${entry.name}`))
    .map(({ name }) => name)
  assert.equal(missing, [])
})

test("every name that docs/architecture.md mentions with a file is in that file", () => {
  const names = [...page.matchAll(/`(#?\w+)` in `([\w./-]+)`/g)]
  assert.ok(names.length > 6, `only ${names.length} names were found`)
  const missing = names
    .filter(([, name, path]) => !new RegExp(`(?<![\\w#])${name}\\b`).test(read(path as string)))
    .map(([text]) => text)
  assert.equal(missing, [])
})

const questions: ReadonlyArray<readonly [question: string, file: string]> = [
  ["a 405", "lib/router.ts"],
  ["a cookie", "lib/request/cookies.ts"],
  ["on a save", "bin/dev/session.ts"],
  ["`hx-get`", "lib/html/attributes.ts"],
  ["a worker's size", "lib/parts/forms.ts"],
]
for (const [question, file] of questions) {
  test(`docs/architecture.md names ${file} as the file for ${question}`, () => {
    const row = page.split("\n").find((line) => line.startsWith("| ") && line.includes(question))
    assert.ok(row?.includes(`\`${file}\``), row)
  })
}

test.run()
