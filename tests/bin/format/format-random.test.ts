/** Tests that random templates have the same output before and after they are formatted. */

import { test } from "uvu"
import * as assert from "uvu/assert"
import { formatTemplates } from "../../../bin/format/format-templates.ts"
import { formatDiagnostic } from "../../../template/index.ts"
import { load, type Templates } from "../../fixtures/template/render.ts"
import { randomTemplates } from "../../support/bin/format/random-template.ts"

const seed = Number(process.env.FW_TEST_SEED ?? Date.now() % 1_000_000)
const count = 150

function formatted(source: string, lineWidth: number, useTabs: boolean): string {
  const style = { indentWidth: useTabs ? 4 : 2, useTabs, lineWidth, lineEnding: "\n" } as const
  const { parts, diagnostics } = formatTemplates(source, "random.tpl", style)
  assert.equal(diagnostics.map(formatDiagnostic), [], source)
  return parts.map(({ text }) => text).join("")
}

async function printed(templates: Templates): Promise<string[]> {
  const names = Object.keys(templates).filter((name) => /^T\d+$/.test(name))
  const values = [
    [true, 1],
    [false, 2],
    [true, 3],
  ] as const
  return Promise.all(
    names.flatMap((name) => values.map(async (args) => `${name}: ${String(await templates[name]?.(...args))}`)),
  )
}

for (const [at, [width, useTabs]] of (
  [
    [100, false],
    [40, true],
    [20, false],
  ] as const
).entries()) {
  test(`random templates print the same after formatting to ${width} columns (FW_TEST_SEED=${seed})`, async () => {
    const source = randomTemplates(seed + at, count)
    const once = formatted(source, width, useTabs)
    assert.is(formatted(once, width, useTabs), once)
    const [before, after] = await Promise.all([load(source).then(printed), load(once).then(printed)])
    assert.is(before.length, count * 3)
    assert.equal(after, before)
  })
}

test.run()
