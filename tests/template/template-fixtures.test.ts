// Compares the template in each folder of tests/fixtures/template with its expected output.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, formatDiagnostic } from "../../template/index.ts"
import { render } from "../fixtures/template/render.ts"

const fixtures = new URL("../fixtures/template/", import.meta.url)

const folders = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

/** Compares the output, and writes a different one next to the expected file. */
function compare(folder: URL, kind: "html" | "error", actual: string): void {
  const file = new URL(`actual.${kind}.actual`, folder)
  const expected = readFileSync(new URL(`expected.${kind}`, folder), "utf8")
  const got = kind === "html" ? `${actual}\n` : actual
  if (got === expected) rmSync(file, { force: true })
  else writeFileSync(file, got)
  assert.is(got, expected)
}

for (const name of folders) {
  const folder = new URL(`${name}/`, fixtures)
  const source = readFileSync(new URL("template.tpl", folder), "utf8")
  const fails = existsSync(new URL("expected.error", folder))

  test(`the template ${name} ${fails ? "is refused as expected" : "renders as expected"}`, async () => {
    if (fails) {
      const { diagnostics } = compile(source, "template.tpl")
      compare(folder, "error", diagnostics.map(formatDiagnostic).join("\n"))
      return
    }
    const file = new URL("args.json", folder)
    const values = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as unknown[]) : []
    compare(folder, "html", await render(source, ...values))
  })
}

test("the code of a compiled template depends only on its text and the name of its file", () => {
  for (const name of folders) {
    const source = readFileSync(new URL(`${name}/template.tpl`, fixtures), "utf8")
    assert.equal(compile(source, "a/page.tpl").code, compile(source, "b/page.tpl").code)
  }
})

test.run()
