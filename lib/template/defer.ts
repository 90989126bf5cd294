/** Parses `{defer { … } pending { … } failed (error) { … }}`, and refuses it where a page cannot be completed later. */

import type { Braced, DeferNode, Failed, Node } from "./ast.ts"
import { firstToken } from "./code.ts"
import type { Cursor } from "./cursor.ts"
import { Problem } from "./diagnostic.ts"
import type { Inside } from "./inside.ts"
import { keeping, unplaced } from "./keeping.ts"
import type { Token } from "./lexer.ts"

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
  const node: DeferNode = { kind: "defer", word, body: [], pending: [], failed: undefined, ...unplaced }
  const body = keeping(
    () => read("defer"),
    (nodes) => [{ ...node, body: nodes }],
  )
  const pending = keeping(
    () => (nextWord(cursor, "pending") ? read("pending") : []),
    (nodes) => [{ ...node, body, pending: nodes }],
  )
  return keeping(
    () => {
      const kept = (failed: Failed): Node[] => [{ ...node, body, pending, failed }]
      const failed = nextWord(cursor, "failed") ? parseFailed(cursor, read, kept) : undefined
      refuseRest(cursor)
      return { ...node, body, pending, failed }
    },
    (nodes) => (nodes.length > 0 ? nodes : [{ ...node, body, pending }]),
  )
}

function nextWord(cursor: Cursor, text: string): boolean {
  const word = cursor.peek()
  if (word?.text !== text) return false
  cursor.position = word.end
  return true
}

/** Parses the last part. After an error, `kept` makes a node of what was read of it. */
function parseFailed(
  cursor: Cursor,
  read: (after: string) => Node[],
  kept: (failed: Failed) => Node[],
): Failed {
  if (cursor.peek()?.text !== "(") {
    const body = keeping(
      () => read("failed"),
      (nodes) => kept({ name: undefined, body: nodes }),
    )
    return { name: undefined, body }
  }
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
  const place = { start: name.start, end: name.end }
  const readBody = (): Node[] => {
    cursor.scope.add(name.text)
    return read("failed (…)")
  }
  const body = keeping(
    () => cursor.scope.inside(readBody),
    (nodes) => kept({ name: place, body: nodes }),
  )
  return { name: place, body }
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
