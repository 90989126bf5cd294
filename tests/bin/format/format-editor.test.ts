/** Tests of formatting in an editor: the language server sends edits only for lines that change. */

import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { FormatFeature } from "../../../bin/lsp/format-feature.ts"
import { SourceText } from "../../../bin/lsp/source-text.ts"
import { TemplateFile } from "../../../bin/lsp/template-file.ts"
import { project } from "../../support/bin/cli/command.ts"

interface Edit {
  readonly range: Readonly<Record<"start" | "end", { readonly line: number; readonly character: number }>>
  readonly newText: string
}

const root = project({ "package.json": "{}" })
const path = join(root, "app/page.tpl")
const { signal } = new AbortController()

async function ask(source: string, method = "textDocument/formatting"): Promise<Edit[] | undefined> {
  const text = new SourceText(source)
  const uri = `file://${path}`
  const open = { uri, path, languageID: "tpl", version: 1, text, template: new TemplateFile(text, path) }
  return (await new FormatFeature(() => root).answer(method, { textDocument: { uri } }, open, signal)) as
    | Edit[]
    | undefined
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

test("formatting in an editor sends one edit that contains only the lines that change", async () => {
  for (const [source, first, last] of cases) {
    const [edit, ...more] = (await ask(source)) ?? []
    assert.ok(edit && more.length === 0, `there is not exactly one edit for: ${source}`)
    assert.is(applied(source, edit), form, source)
    assert.equal([edit.range.start.line, edit.range.end.line], [first, last], source)
  }
})

test("a template that is already formatted, or that has an error, gets no edit", async () => {
  assert.equal(await ask(form), [])
  assert.equal(await ask("template Page() {<p>"), [])
  assert.is(await ask(form, "textDocument/hover"), undefined)
})

test.run()
