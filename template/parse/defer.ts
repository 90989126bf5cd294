/** Parses `{defer { … } pending { … } failed (error) { … }}`. Refuses it at places that cannot be filled in later. */

import type { BracedNode, DeferNode, FailedBlock, Node } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import type { BlockContext } from "./block-context.ts"
import { findFirstToken } from "./code-reader.ts"
import type { Cursor } from "./cursor.ts"
import type { Token } from "./lexer.ts"
import { keepPartialNodes, unknownSpan } from "./partial-nodes.ts"

const deferFix = "Write {defer { … } pending { … } failed (error) { … }}."
const placeFix =
  "It can be wherever elements can: not in attributes, title, textarea, script, style, template, SVG and MathML."

/** Returns true if a word begins a deferred block: it must be `defer`, and before a brace. `{defer(x)}` is a call. */
export function beginsDefer(source: string, word: Token | undefined): boolean {
  return word?.kind === "word" && word.text === "defer" && findFirstToken(source, word.end).token?.text === "{"
}

/** Throws if a deferred block begins at an offset where only an expression is allowed. */
export function refuseDefer(source: string, offset: number): void {
  const { token } = findFirstToken(source, offset)
  if (token && beginsDefer(source, token)) throw createMisplacedProblem(token.start)
}

const deferInStyle = /\{\s*(defer)\s*\{/

/** Throws for a deferred block in a style. `start` is the offset of the text. */
export function refuseDeferInStyle(text: string, start: number): void {
  const match = deferInStyle.exec(text)
  if (match) throw createMisplacedProblem(start + text.indexOf("defer", match.index))
}

function createMisplacedProblem(offset: number): Problem {
  return new Problem(offset, "{defer} cannot be here", placeFix)
}

/** Parses a deferred block. The cursor is after the word `defer`. */
export function parseDefer(cursor: Cursor, { namespace, parseBlock }: BlockContext): Omit<DeferNode, keyof BracedNode> {
  const wordStart = cursor.position - "defer".length
  if (namespace !== "html") throw createMisplacedProblem(wordStart)
  const readBlock = (after: string): Node[] => {
    const brace = cursor.expect("{", `"{" is missing after ${after}`, deferFix)
    return parseBlock(cursor, namespace, brace.start)
  }
  const node: DeferNode = {
    kind: "defer",
    wordStart,
    body: [],
    pending: [],
    failed: undefined,
    ...unknownSpan,
  }
  const body = keepPartialNodes(
    () => readBlock("defer"),
    (nodes) => [{ ...node, body: nodes }],
  )
  const pending = keepPartialNodes(
    () => (skipWord(cursor, "pending") ? readBlock("pending") : []),
    (nodes) => [{ ...node, body, pending: nodes }],
  )
  return keepPartialNodes(
    () => {
      const wrap = (failed: FailedBlock): Node[] => [{ ...node, body, pending, failed }]
      const failed = skipWord(cursor, "failed") ? parseFailed(cursor, readBlock, wrap) : undefined
      refuseRepeatedPart(cursor)
      return { ...node, body, pending, failed }
    },
    (nodes) => (nodes.length > 0 ? nodes : [{ ...node, body, pending }]),
  )
}

function skipWord(cursor: Cursor, text: string): boolean {
  const word = cursor.peek()
  if (word?.text !== text) return false
  cursor.position = word.end
  return true
}

/** Parses the part `failed`. If it has an error, `toNodes` makes nodes from what was read. */
function parseFailed(
  cursor: Cursor,
  read: (after: string) => Node[],
  toNodes: (failed: FailedBlock) => Node[],
): FailedBlock {
  if (cursor.peek()?.text !== "(") {
    const body = keepPartialNodes(
      () => read("failed"),
      (nodes) => toNodes({ name: undefined, body: nodes }),
    )
    return { name: undefined, body }
  }
  cursor.expect("(", "", deferFix)
  const name = cursor.peek()
  if (name?.kind !== "word" || !name.isOperand) {
    throw new Problem(name?.start ?? cursor.position, "failed takes one name, for the error", deferFix)
  }
  if (name.text === "children") {
    throw new Problem(name.start, '"children" is the markup that a component is given', "Choose another name.")
  }
  cursor.position = name.end
  cursor.expect(")", "failed takes one name, for the error", `${deferFix} The error is unknown: it has no type.`)
  const span = { start: name.start, end: name.end }
  const readBody = (): Node[] => {
    cursor.scope.add(name.text)
    return read("failed (…)")
  }
  const body = keepPartialNodes(
    () => cursor.scope.runInBlock(readBody),
    (nodes) => toNodes({ name: span, body: nodes }),
  )
  return { name: span, body }
}

/** Throws for a part that is repeated, or in the wrong order. */
function refuseRepeatedPart(cursor: Cursor): void {
  const word = cursor.peek()
  if (word?.text !== "pending" && word?.text !== "failed") return
  throw new Problem(word.start, `"${word.text}" cannot be here in a {defer}`, `${deferFix} Each part occurs once.`)
}
