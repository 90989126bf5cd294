/** Formatting by the language server: edits for the lines that change. */

import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { FormatFeature } from "../../../bin/lsp/format-feature.ts"
import { SourceText } from "../../../bin/lsp/source-text.ts"
import { TemplateFile } from "../../../bin/lsp/template-file.ts"
import { project } from "../../support/bin/cli/command.ts"
import { random } from "../../support/random.ts"
import { fixtures } from "../../support/template/damage.ts"

interface Edit {
  readonly range: Readonly<Record<"start" | "end", { readonly line: number; readonly character: number }>>
  readonly newText: string
}

const seed = Number(process.env.FW_TEST_SEED ?? Date.now() % 1_000_000)
const root = project({ "package.json": "{}" })
const path = join(root, "app/page.tpl")
const { signal } = new AbortController()

async function ask(
  source: string,
  method = "textDocument/formatting",
  range?: Edit["range"],
): Promise<Edit[] | undefined> {
  const text = new SourceText(source)
  const uri = `file://${path}`
  const open = { uri, path, languageID: "tpl", version: 1, text, template: new TemplateFile(text, path) }
  const params = { textDocument: { uri }, ...(range && { range }) }
  return (await new FormatFeature(() => root).answer(method, params, open, signal)) as Edit[] | undefined
}

function applied(source: string, { range, newText }: Edit): string {
  const lines = source.split("\n")
  const start = lines.slice(0, range.start.line).join("\n")
  const rest = [lines[range.end.line]?.slice(range.end.character), ...lines.slice(range.end.line + 1)]
  return `${start}${range.start.line > 0 ? "\n" : ""}${newText}${rest.join("\n")}`
}

const form = "const a = 1\ntemplate Page() {\n  <p>x</p>\n}\nconst b = 2\n"
const cases = [
  ["const a = 1\ntemplate Page() {<p>x</p>}\nconst b = 2\n", 1, 1],
  ["const a = 1\ntemplate Page() {\n<p>x</p>\n}\nconst b = 2\n", 2, 2],
  [form.trimEnd(), 4, 4],
  [`${form}\n\n`, 5, 7],
] as const

test("the edit has the lines that change", async () => {
  for (const [source, first, last] of cases) {
    const [edit, ...more] = (await ask(source)) ?? []
    assert.ok(edit && more.length === 0, source)
    assert.is(applied(source, edit), form, source)
    assert.equal([edit.range.start.line, edit.range.end.line], [first, last], source)
  }
})

test("there is no edit for a template that is formatted, or that has an error", async () => {
  assert.equal(await ask(form), [])
  assert.equal(await ask("template Page() {<p>"), [])
  assert.is(await ask(form, "textDocument/hover"), undefined)
})

/** Lines that are selected, and the text after their formatting. */
const selected: readonly [source: string, first: number, last: number, after: string][] = [
  ["template A() {\n<p>x</p>\n<p>y</p>\n<b>z</b>\n}\n", 2, 2, "template A() {\n<p>x</p>\n  <p>y</p>\n<b>z</b>\n}\n"],
  [
    "template A() {\n<div><div><p>x</p></div>\n</div>\n<b>z</b>\n}\n",
    1,
    1,
    "template A() {\n  <div><div><p>x</p></div> </div>\n<b>z</b>\n}\n",
  ],
  [
    "template A() {\n<p>x</p>\n}\n\n\n\ntemplate B() {<p>y</p>}\n",
    0,
    2,
    "template A() {\n  <p>x</p>\n}\n\n\n\ntemplate B() {<p>y</p>}\n",
  ],
]

function line(number: number) {
  return { line: number, character: 0 }
}

test("the lines of a selection are formatted, with those that they cannot be separated from", async () => {
  for (const [source, first, last, after] of selected) {
    const range = { start: line(first), end: line(last + 1) }
    const [edit] = (await ask(source, "textDocument/rangeFormatting", range)) ?? []
    assert.is(edit ? applied(source, edit) : source, after)
  }
})

test("formatting the rest later gives the same as formatting all", async () => {
  const numbers = random(seed)
  for (const fixture of fixtures) {
    const source = numbers.pick([fixture, fixture.replace(/^[ \t]+/gm, ""), fixture.replaceAll("><", ">\n\n<")])
    const [whole] = (await ask(source)) ?? []
    const expected = whole ? applied(source, whole) : source
    const count = source.split("\n").length
    let text = source
    for (let times = 0; times < 3; times++) {
      const first = numbers.below(count)
      const range = { start: line(first), end: line(first + numbers.below(4)) }
      const [edit] = (await ask(text, "textDocument/rangeFormatting", range)) ?? []
      if (edit) text = applied(text, edit)
    }
    const [rest] = (await ask(text)) ?? []
    assert.is(rest ? applied(text, rest) : text, expected, `FW_TEST_SEED=${seed}: ${source}`)
  }
})

test.run()
