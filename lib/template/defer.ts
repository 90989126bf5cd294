/** Parses `{defer { … } pending { … } failed (error) { … }}`, and refuses it where a page cannot be completed later. */

import type { Braced, DeferNode, Failed, Node } from "./ast.ts"
import { firstToken } from "./code.ts"
import type { BlockParser, Cursor } from "./cursor.ts"
import { Problem } from "./diagnostic.ts"
import type { Space } from "./elements.ts"
import type { Token } from "./lexer.ts"

/** The surroundings of a block: its space, and the parser of its markup. */
export interface Inside {
  readonly space: Space
  readonly block: BlockParser
}

const form = "Write {defer { … } pending { … } failed (error) { … }}."
const placeFix =
  "It can be wherever elements can: not in attributes, title, textarea, script, style, template, SVG and MathML."

/** Returns true if a word begins a deferred block: `defer` before a brace. `{defer(x)}` is a call. */
export function beginsDefer(source: string, word: Token | undefined): boolean {
  return word?.kind === "word" && word.text === "defer" && firstToken(source, word.end).token?.text === "{"
}

/** Throws for a deferred block where only an expression can be, from `at` on. */
export function refuseDefer(source: string, at: number): void {
  const { token } = firstToken(source, at)
  if (token && beginsDefer(source, token)) throw misplaced(token.start)
}

const inStyle = /\{\s*(defer)\s*\{/

/** Throws for a deferred block in the text of a style, which begins at `start`. */
export function refuseInStyle(text: string, start: number): void {
  const found = inStyle.exec(text)
  if (found) throw misplaced(start + text.indexOf("defer", found.index))
}

function misplaced(at: number): Problem {
  return new Problem(at, "{defer} cannot be here", placeFix)
}

/** Parses a deferred block, from after its first word. */
export function parseDefer(cursor: Cursor, { space, block }: Inside): Omit<DeferNode, keyof Braced> {
  const word = cursor.position - "defer".length
  if (space !== "html") throw misplaced(word)
  const read = (after: string): Node[] => {
    const brace = cursor.expect("{", `"{" is missing after ${after}`, form)
    return block(cursor, space, brace.start)
  }
  const body = read("defer")
  const pending = nextWord(cursor, "pending") ? read("pending") : []
  const failed = nextWord(cursor, "failed") ? parseFailed(cursor, read) : undefined
  refuseRest(cursor)
  return { kind: "defer", word, body, pending, failed }
}

function nextWord(cursor: Cursor, text: string): boolean {
  const word = cursor.peek()
  if (word?.text !== text) return false
  cursor.position = word.end
  return true
}

function parseFailed(cursor: Cursor, read: (after: string) => Node[]): Failed {
  if (cursor.peek()?.text !== "(") return { name: undefined, body: read("failed") }
  cursor.expect("(", "", form)
  const name = cursor.peek()
  if (name?.kind !== "word" || !name.operand) {
    throw new Problem(name?.start ?? cursor.position, "failed takes one name, for the error", form)
  }
  if (name.text === "children") {
    throw new Problem(
      name.start,
      '"children" is the markup that a component is given',
      "Choose another name.",
    )
  }
  cursor.position = name.end
  cursor.expect(")", "failed takes one name, for the error", `${form} The error is unknown: it has no type.`)
  const body = cursor.scope.inside(() => {
    cursor.scope.add(name.text)
    return read("failed (…)")
  })
  return { name: { start: name.start, end: name.end }, body }
}

/** Throws for a part that is repeated or in another order. */
function refuseRest(cursor: Cursor): void {
  const word = cursor.peek()
  if (word?.text !== "pending" && word?.text !== "failed") return
  throw new Problem(
    word.start,
    `"${word.text}" cannot be here in a {defer}`,
    `${form} Each part occurs once.`,
  )
}
