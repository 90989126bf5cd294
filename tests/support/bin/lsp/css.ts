/** Sends an editor's requests about CSS: the text after a completion or a quick fix, and the colours of a file. */

import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as assert from "uvu/assert"
import type { Editor } from "./editor.ts"
import { type Range, toOffset, toPlace } from "./places.ts"

interface Edit {
  readonly range: Range
  readonly newText: string
}

/** A colour, its text in the file, and other spellings of it. */
export interface FoundColor {
  readonly text: string
  readonly red: number
  readonly green: number
  readonly spellings: readonly string[]
}

/** Returns the text of a file after a completion. `¦` in `marked` shows the position. */
export async function completed(editor: Editor, file: string, marked: string, label: string): Promise<string> {
  const position = at(editor, file, marked)
  const params = { textDocument: { uri: toURI(editor, file) }, position }
  const { items } = (await editor.request("textDocument/completion", params)) as {
    items: readonly { label: string; textEdit: Edit }[]
  }
  const item = items.find((one) => one.label === label)
  assert.ok(item, label)
  return edited(editor.getText(file), [item.textEdit])
}

/** Returns the text of a file after each quick fix for the diagnostics at a position, by the title of the fix. */
export async function fixes(editor: Editor, file: string, marked: string): Promise<Record<string, string>> {
  const uri = toURI(editor, file)
  const textDocument = { uri }
  const { items } = (await editor.request("textDocument/diagnostic", { textDocument })) as {
    items: readonly { range: Range }[]
  }
  const place = at(editor, file, marked)
  const diagnostics = items.filter(({ range }) => range.start.line === place.line)
  const params = { textDocument, range: { start: place, end: place }, context: { diagnostics } }
  const actions = (await editor.request("textDocument/codeAction", params)) as readonly {
    title: string
    edit: { changes: Record<string, readonly Edit[]> }
  }[]
  const text = editor.getText(file)
  return Object.fromEntries(actions.map(({ title, edit }) => [title, edited(text, edit.changes[uri] ?? [])]))
}

/** Returns the colours of a file. */
export async function colors(editor: Editor, file: string): Promise<FoundColor[]> {
  const textDocument = { uri: toURI(editor, file) }
  const found = (await editor.request("textDocument/documentColor", { textDocument })) as readonly {
    range: Range
    color: { red: number; green: number }
  }[]
  const text = editor.getText(file)
  return Promise.all(
    found.map(async ({ range, color }) => {
      const params = { textDocument, range, color }
      const others = (await editor.request("textDocument/colorPresentation", params)) as { label: string }[]
      const spellings = others.map(({ label }) => label)
      return { text: text.slice(toOffset(text, range.start), toOffset(text, range.end)), ...color, spellings }
    }),
  )
}

function at(editor: Editor, file: string, marked: string) {
  const text = editor.getText(file)
  const start = text.indexOf(marked.replace("¦", ""))
  assert.ok(start >= 0, `${marked} is not in ${file}`)
  return toPlace(text, start + marked.indexOf("¦"))
}

function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, { range, newText }) => {
    return before.slice(0, toOffset(before, range.start)) + newText + before.slice(toOffset(before, range.end))
  }, text)
}

function toURI({ root }: Editor, file: string): string {
  return pathToFileURL(join(root, file)).href
}
