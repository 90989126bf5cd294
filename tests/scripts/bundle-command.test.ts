/** The bundle of the command: what it writes into programs of users, and the places of its own files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

function textsBelow(folder: string, ending: string): string {
  return readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(root, folder, name), "utf8"))
    .join("\n")
}

const written = "fwCreateRequire(import.meta.url)"

test("code for programs of users asks for the place of these programs", () => {
  const count = (text: string) => text.split(written).length - 1
  assert.ok(count(textsBelow("bin", ".ts")) > 0)
  assert.is(count(textsBelow("dist/bin/parts", ".js")), count(textsBelow("bin", ".ts")))
})

test("the bundle names only files that exist", () => {
  const text = textsBelow("dist/bin/parts", ".js")
  assert.not.match(text, /\bfwPlace\d|fw-dist:/)
  assert.match(text, "import.meta.url")
})

test.run()
