// Sends beginnings of all fixtures and hundreds of random edits in a template to `fw lsp`, and to TypeScript's
// server with the content mapper: neither crashes, hangs or loses track of the text. FW_TEST_EDITS sets the number
// of edits, and FW_TEST_STEP=1 tries every beginning. Half of a surrogate pair arrives as U+FFFD, because
// TypeScript 7.0 and 7.1 drop a didChange whose JSON has such an escape in any file, also without a mapper (see
// frame() in bin/rpc/messages.ts).

import { join } from "node:path"
import { test } from "uvu"
import { Editor } from "../support/bin/lsp/editor.ts"
import { checkHovers } from "../support/bin/lsp/golden.ts"
import { makeProject, page, projectFiles, removeProject } from "../support/bin/lsp/project.ts"
import { random } from "../support/random.ts"
import { damage, fixtures } from "../support/template/damage.ts"

const seed = Number(process.env.FW_TEST_SEED ?? Date.now() % 1_000_000)
const edits = Number(process.env.FW_TEST_EDITS ?? 400)
const step = Number(process.env.FW_TEST_STEP ?? 100)
const file = "app/page.tpl"
const methods = [
  ...["hover", "completion", "definition", "references", "signatureHelp", "linkedEditingRange"],
  ...["documentHighlight", "prepareRename", "documentSymbol", "foldingRange", "rename", "selectionRange"],
]
/** Requests that TypeScript's own server does not answer for templates. */
const own = ["formatting", "documentLink", "documentColor", "codeAction"]

/** Replaces the part of the file in which it differs from `text`. */
function replaceBy(editor: Editor, text: string): void {
  const before = editor.getText(file)
  let start = 0
  while (start < text.length && text[start] === before[start]) start++
  let end = 0
  const shorter = Math.min(text.length, before.length) - start
  while (end < shorter && text.at(-1 - end) === before.at(-1 - end)) end++
  editor.edit(file, start, before.length - end, text.slice(start, text.length - end))
}

async function editAtRandom(editor: Editor, asked: readonly string[]): Promise<void> {
  const numbers = random(seed)
  for (let round = 0; round < edits; round++) {
    const text = editor.getText(file)
    // The compiler skips most of a text with many errors, so the text is restored every ten rounds.
    replaceBy(editor, round % 10 === 9 ? page : damage(text, numbers).source)
    if (round % 20 !== 0) continue
    await editor.ask(`textDocument/${numbers.pick(asked)}`, file, numbers.below(editor.getText(file).length))
    await editor.diagnostics(file)
  }
  replaceBy(editor, page)
  await checkHovers(editor)
}

/** Sends requests about every beginning of every fixture, or about each `step`th one. */
async function askBeginnings(editor: Editor): Promise<void> {
  for (const fixture of fixtures) {
    for (let end = 0; end <= fixture.length; end += step) {
      replaceBy(editor, fixture.slice(0, end))
      await editor.ask("textDocument/completion", file, end)
      await editor.diagnostics(file)
    }
  }
}

for (const [name, version, mappers] of [
  ["fw lsp", "typescript", false],
  ["tsc --lsp", "typescript-next", true],
] as const) {
  test(`${name} gives correct answers after ${edits} random edits (FW_TEST_SEED=${seed})`, async () => {
    const root = makeProject(projectFiles("#app/page.tpl"), version, mappers)
    const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"]
    const command = name === "fw lsp" ? ["node_modules/fw/dist/bin/fw.js", "lsp"] : tsc
    const editor = await Editor.start(root, command, { runExternalCode: mappers })
    try {
      editor.open("app/use.ts")
      editor.open(file)
      await askBeginnings(editor)
      await editAtRandom(editor, name === "fw lsp" ? [...methods, ...own] : methods)
    } finally {
      await editor.stop()
      removeProject(root)
    }
  })
}

test.run()
