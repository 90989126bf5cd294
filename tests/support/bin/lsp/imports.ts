/** Checks the imports that a completion or a quick fix adds to a template. */

import * as assert from "uvu/assert"
import type { Editor } from "./editor.ts"
import { type Range, toOffset } from "./places.ts"

type Edits = readonly { readonly range: Range; readonly newText: string }[]

const template = "template A() {\n  <p>x</p>\n  {¦}\n}\n"
const importTask = 'import type { Task } from "../lib/tasks.ts"\n'
const use = "export const of = (one: Task) => one\n\n"

/** The code before a template, the name that is typed, and the code with the added import. */
const cases: readonly (readonly [before: string, name: string, after: string])[] = [
  ["", "openTasks", 'import { openTasks } from "../lib/tasks.ts"\n'],
  ["export const a = 1\n\n", "openTasks", 'import { openTasks } from "../lib/tasks.ts"\nexport const a = 1\n\n'],
  ["export const a = 1;\n\n", "openTasks", 'import { openTasks } from "../lib/tasks.ts";\nexport const a = 1;\n\n'],
  [`${importTask}${use}`, "openTasks", `import { openTasks, type Task } from "../lib/tasks.ts"\n${use}`],
  ["", "raw", 'import { raw } from "fw/html"\n'],
]

/** Checks the text after a completion of each name, and after the quick fix of its error. */
export async function checkImports(editor: Editor): Promise<void> {
  const file = "app/import.tpl"
  editor.open(file, "")
  for (const [before, name, after] of cases) {
    const expected = after + template.replace("¦", name)
    const typed = before + template.replace("¦", `${name.slice(0, -1)}¦`)
    editor.change(file, typed.replace("¦", ""))
    const { items } = (await editor.about("completion", file, { position: editor.at(file, typed) })) as {
      items: readonly { label: string }[]
    }
    const item = items.find(({ label }) => label === name)
    assert.ok(item, `the completions of ${typed} do not include ${name}`)
    const { additionalTextEdits } = (await editor.request("completionItem/resolve", item)) as {
      additionalTextEdits: Edits
    }
    const written = before + template.replace("¦", name)
    const shift = edited(typed.replace("¦", ""), additionalTextEdits)
    assert.is(shift.replace(`{${name.slice(0, -1)}}`, `{${name}}`), expected)
    if (name === "raw") continue
    editor.change(file, written)
    const { items: diagnostics } = (await editor.about("diagnostic", file)) as {
      items: readonly { range: Range }[]
    }
    const place = editor.at(file, `{¦${name}}`)
    const context = { diagnostics: diagnostics.filter(({ range }) => range.start.line === place.line) }
    const range = { start: place, end: place }
    const actions = (await editor.about("codeAction", file, { range, context })) as readonly {
      title: string
      diagnostics: readonly unknown[]
      edit: { changes: Record<string, Edits> }
    }[]
    const fix = actions.find(({ title }) => /import/i.test(title))
    assert.equal(fix?.diagnostics, context.diagnostics)
    assert.is(edited(written, Object.values(fix?.edit.changes ?? {}).flat()), expected)
  }
  editor.close(file)
}

/**
 * Returns a text after edits. Their positions refer to the original text, and edits at the same position are
 * applied in their order.
 */
function edited(text: string, edits: Edits): string {
  return edits
    .map(({ range, newText }) => [toOffset(text, range.start), toOffset(text, range.end), newText] as const)
    .reverse()
    .sort(([a], [b]) => b - a)
    .reduce((before, [start, end, newText]) => before.slice(0, start) + newText + before.slice(end), text)
}
