/** Parses `{switch (…) { case …: { … } default: { … } }}`. */

import type { BracedNode, Code, Node, SwitchNode } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { type BlockContext, parseBody } from "./block-context.ts"
import type { Cursor } from "./cursor.ts"
import type { Token } from "./lexer.ts"
import { findUnfinishedCode, keepPartialNodes, unknownSpan } from "./partial-nodes.ts"

/** Parses a switch. The cursor is after the word `switch`. */
export function parseSwitch(cursor: Cursor, context: BlockContext): Omit<SwitchNode, keyof BracedNode> {
  const cases: { test: Code | undefined; body: readonly Node[] }[] = []
  const subject = keepPartialNodes(
    () => cursor.readParentheses("switch"),
    (nodes) => {
      const unfinishedCode = findUnfinishedCode(nodes)
      return unfinishedCode ? [{ kind: "switch", subject: unfinishedCode, cases, ...unknownSpan }] : []
    },
  )
  return keepPartialNodes(
    () => {
      const braceFix = "Write switch (value) { case 1: { … } default: { … } }."
      cursor.expect("{", '"{" is missing after switch (…)', braceFix)
      parseCases(cursor, context, cases)
      return { kind: "switch", subject, cases }
    },
    () => [{ kind: "switch", subject, cases, ...unknownSpan }],
  )
}

/** Parses the cases up to the closing brace of the switch, and adds them to `cases`. */
function parseCases(
  cursor: Cursor,
  context: BlockContext,
  cases: { test: Code | undefined; body: readonly Node[] }[],
): void {
  let hasDefault = false
  for (;;) {
    const word = cursor.peek()
    if (word?.text === "}") {
      cursor.position = word.end
      return
    }
    if (!word || (word.text !== "case" && word.text !== "default")) {
      const fix = "A switch can contain only case EXPR: { … } and default: { … }."
      throw new Problem(word?.start ?? cursor.source.length, "this is outside the cases of a switch", fix)
    }
    if (word.text === "default" && hasDefault) {
      throw new Problem(word.start, "this switch has two defaults", "Remove one of the two.")
    }
    hasDefault ||= word.text === "default"
    cursor.position = word.end
    cases.push(parseCase(cursor, word, context, cases))
  }
}

/** Parses one case. If it has an error, what was read is added to `cases`. */
function parseCase(
  cursor: Cursor,
  word: Token,
  context: BlockContext,
  cases: { test: Code | undefined; body: readonly Node[] }[],
): { test: Code | undefined; body: readonly Node[] } {
  let test: Code | undefined
  let hasTest = false
  return keepPartialNodes(
    () => {
      test = readCaseTest(cursor, word)
      hasTest = true
      return { test, body: parseBody(cursor, `${word.text} …:`, context) }
    },
    (nodes) => {
      const unfinishedCode = findUnfinishedCode(nodes)
      if (hasTest) cases.push({ test, body: nodes })
      else if (unfinishedCode) cases.push({ test: unfinishedCode, body: [] })
      return nodes
    },
  )
}

/** Reads the test of a case up to its colon, which is the first one that does not belong to a `? :`. */
function readCaseTest(cursor: Cursor, word: Token): Code | undefined {
  const fix = "Write case EXPR: { … }; to share markup, put it into a template."
  if (word.text === "default") {
    cursor.expect(":", '":" is missing after default', "Write default: { … }.")
    return undefined
  }
  let questions = 0
  const { code, tokens } = cursor.readCodeTo(":", {
    endsBefore: (token) => {
      if (token.text === "?") questions++
      return token.text === ":" && questions-- === 0
    },
  })
  if (tokens.length === 0) throw new Problem(word.start, "this case has no expression", fix)
  return code
}
