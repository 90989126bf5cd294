/**
 * Parses braces that begin with a keyword: if, for, switch, const. For keywords of other template languages, it says
 * what to write instead.
 */

import type { BracedNode, Code, DeferNode, ForNode, IfNode, Node, Span, SwitchNode } from "../ast.ts"
import type { Namespace } from "../check/elements.ts"
import {
  createEmptyLoopProblem,
  findBracesFix,
  ifFix,
  loopFix,
  refuseForeignBlock,
  refuseLoopHeader,
} from "../check/foreign-blocks.ts"
import { readCodeTokens } from "../check/scope.ts"
import { Problem } from "../diagnostic.ts"
import { type BlockContext, parseBody } from "./block-context.ts"
import type { BlockParser, Cursor } from "./cursor.ts"
import { beginsDefer, parseDefer } from "./defer.ts"
import type { Token } from "./lexer.ts"
import { findUnfinishedCode, keepPartialNodes, unknownSpan } from "./partial-nodes.ts"
import { parseSwitch } from "./switch.ts"
import { expectBlockEnd, recordUnclosedBraces } from "./unclosed.ts"

const elseFix =
  "It follows the block of an if or a for, in the same pair of braces: {if (a) { … } else { … }}, {for (const item of items) { … } else { … }}."
const expressionFix = "Braces can contain only expressions, {const}, {if}, {for}, {switch} and {defer}."
const markFix = "Write blocks without a mark: {if (…) { … }}, {for (const item of items) { … }}."

/** Words that cannot be first in braces, and what to write instead. */
const firstWordFixes: Readonly<Record<string, string>> = {
  else: elseFix,
  elseif: ifFix,
  elif: ifFix,
  while: loopFix,
  do: loopFix,
  try: "Catch the error in a function outside the template, or in the route.",
  return: `Use {if} to leave markup out. ${expressionFix}`,
  function: "Declare the function outside the template, or use {const name = () => …}.",
  class: "Declare the class outside the template.",
  let: "Use {const}. Move code that changes a variable to a function outside the template.",
  var: "Use {const}. Move code that changes a variable to a function outside the template.",
  throw: "Throw in a function outside the template, or in the route.",
  break: expressionFix,
  continue: expressionFix,
  case: "Write a case in {switch (value) { case 1: { … } default: { … } }}.",
  default: "Write a default in {switch (value) { case 1: { … } default: { … } }}.",
  "#": markFix,
  "%": markFix,
  "@": "Use {const …} for a local, {raw(html)} for trusted HTML and {Name(…)} for a template.",
}

/** Throws for a first token in braces that begins neither a block nor an expression. */
export function refuseFirstToken(source: string, brace: number, token: Token | undefined): void {
  const fix = token && Object.hasOwn(firstWordFixes, token.text) ? firstWordFixes[token.text] : undefined
  if (token && fix !== undefined) {
    throw new Problem(token.start, `"${token.text}" is not allowed at the start of braces`, fix)
  }
  if (!token || token.text === "}") {
    throw new Problem(brace, "there is nothing in these braces", 'Write an expression, or {"{"} for a brace.')
  }
  if (token.text === "{") {
    throw new Problem(brace, "an expression has one pair of braces", findBracesFix(source, brace))
  }
}

const foreignMark = /\{[/:](?:if|for|each|else|switch|case|await|then|catch|key|end\w*)\b/y

/** Throws for marks with which other languages begin blocks. `{/if}`, for example, would begin a regular expression. */
export function refuseForeignSyntax(cursor: Cursor): void {
  refuseForeignBlock(cursor)
  foreignMark.lastIndex = cursor.position
  if (!foreignMark.test(cursor.source)) return
  const message = `"${cursor.source[cursor.position + 1]}" is not allowed at the start of braces`
  throw new Problem(cursor.position + 1, message, `A block ends with "}". ${ifFix}`)
}

/** Parses the block or constant in the braces at the cursor. Returns undefined if `word` does not begin one. */
export function parseControl(cursor: Cursor, word: Token, namespace: Namespace, block: BlockParser): Node | undefined {
  const start = cursor.position
  if (word.text === "const") return parseConst(cursor, word)
  const parse = blockParsers.get(word.text)
  if (!parse || (parse === parseDefer && !beginsDefer(cursor.source, word))) return undefined
  cursor.position = word.end
  const opener = {
    start,
    name: `{${word.text}}`,
    end: word.text === "switch" ? "}}}" : "}}",
  }
  const spans: Span[] = []
  const parseInner: BlockParser = (innerCursor, innerNamespace, brace) => {
    const nodes = block(innerCursor, innerNamespace, brace, opener)
    spans.push({ start: brace + 1, end: innerCursor.position - 1 })
    return nodes
  }
  const node = parse(cursor, { namespace, parseBlock: parseInner })
  keepPartialNodes(
    () => expectBlockEnd(cursor, word, expressionFix),
    () => [{ ...node, ...unknownSpan }],
  )
  return { ...node, start, end: cursor.position, blocks: spans }
}

type ControlNode =
  | Omit<IfNode, keyof BracedNode>
  | Omit<ForNode, keyof BracedNode>
  | Omit<SwitchNode, keyof BracedNode>
  | Omit<DeferNode, keyof BracedNode>
const blockParsers: ReadonlyMap<string, (cursor: Cursor, inside: BlockContext) => ControlNode> = new Map<
  string,
  (cursor: Cursor, inside: BlockContext) => ControlNode
>([
  ["if", parseIf],
  ["for", parseFor],
  ["switch", parseSwitch],
  ["defer", parseDefer],
])

function parseIf(cursor: Cursor, inside: BlockContext): Omit<IfNode, keyof BracedNode> {
  const branches: { condition: Code | undefined; body: Node[] }[] = [parseBranch(cursor, "if", inside, [])]
  for (;;) {
    const next = cursor.peek()
    if (next?.text !== "else") return { kind: "if", branches }
    cursor.position = next.end
    const after = cursor.peek()
    if (after?.text !== "if") {
      branches.push(parseBranch(cursor, "else", inside, branches))
      return { kind: "if", branches }
    }
    cursor.position = after.end
    branches.push(parseBranch(cursor, "else if", inside, branches))
  }
}

/** Parses a branch of an `if`. `earlierBranches` are the branches before it. */
function parseBranch(
  cursor: Cursor,
  words: "if" | "else if" | "else",
  inside: BlockContext,
  earlierBranches: IfNode["branches"],
): { condition: Code | undefined; body: Node[] } {
  let condition: Code | undefined
  const wrap = (nodes: readonly Node[]): Node[] => {
    const hasBody = words === "else" || condition !== undefined
    const unfinishedCode = findUnfinishedCode(nodes)
    const last = hasBody
      ? [{ condition, body: nodes }]
      : unfinishedCode
        ? [{ condition: unfinishedCode, body: [] }]
        : []
    const branches = [...earlierBranches, ...last]
    return branches.length > 0 ? [{ kind: "if", branches, ...unknownSpan }] : []
  }
  return keepPartialNodes(() => {
    if (words !== "else") condition = cursor.readParentheses(words)
    return { condition, body: parseBody(cursor, words === "else" ? words : `${words} (…)`, inside) }
  }, wrap)
}

function parseFor(cursor: Cursor, inside: BlockContext): Omit<ForNode, keyof BracedNode> {
  refuseLoopHeader(cursor)
  const next = cursor.peek()
  const awaits = next?.text === "await"
  if (next && awaits) cursor.position = next.end
  const toLoop = (header: Code, items: readonly Node[], otherwise?: readonly Node[]): ForNode => {
    return { kind: "for", awaits, header, body: items, otherwise, ...unknownSpan }
  }
  const header = keepPartialNodes(
    () => cursor.readParentheses("for", { allowsSemicolons: true }),
    (nodes) => {
      const unfinishedCode = findUnfinishedCode(nodes)
      return unfinishedCode ? [toLoop(unfinishedCode, [])] : []
    },
  )
  refuseChildrenBinding(cursor, header.start)
  refuseEmptyHeader(cursor.source, header)
  const items = keepPartialNodes(
    () =>
      cursor.scope.runInBlock(() => {
        // The names of the loop are bound after the iterated expression was read. Markup in that expression cannot use
        // them.
        cursor.scope.bind(readCodeTokens(cursor.source, header.start, header.end, ["of", "in", "=", ";"]))
        return parseBody(cursor, "for (…)", inside)
      }),
    (nodes) => [toLoop(header, nodes)],
  )
  const otherwise = keepPartialNodes(
    () => parseForElse(cursor, inside),
    (nodes) => [toLoop(header, items, nodes)],
  )
  return toLoop(header, items, otherwise)
}

/** Throws for the head of a loop that has neither a list nor a condition. */
function refuseEmptyHeader(source: string, { start, end }: Code): void {
  let last = start
  for (const token of readCodeTokens(source, start, end, ["of", "in", ";"])) last = token.end
  if (!/[^\s]/.test(source.slice(last, end))) throw createEmptyLoopProblem(start, source.slice(start, end))
}

/** Parses the block for a loop without items; undefined if there is none. */
function parseForElse(cursor: Cursor, inside: BlockContext): Node[] | undefined {
  const word = cursor.peek()
  if (word?.text !== "else") return undefined
  cursor.position = word.end
  const next = cursor.peek()
  if (next?.text !== "if") return parseBody(cursor, "else", inside)
  const fix = "It is printed if the loop has no items. Write else { {if (…) { … }} }."
  throw new Problem(next.start, "the else of a for takes no condition", fix)
}

function parseConst(cursor: Cursor, word: Token): Node {
  const start = cursor.position
  cursor.position = word.start
  const { code, tokens, stop } = keepPartialNodes(
    () => cursor.readCodeTo("}"),
    (nodes) => {
      const unfinishedCode = findUnfinishedCode(nodes)
      return unfinishedCode ? [{ kind: "const", code: unfinishedCode, start, end: unfinishedCode.end }] : []
    },
  )
  recordUnclosedBraces(cursor, stop.start, { start, name: "{const}" })
  refuseChildrenBinding(cursor, word.start)
  cursor.scope.bind(tokens)
  return { kind: "const", start, end: stop.end, code }
}

const childrenBinding = /(?:const|let|var)\s+(?:children\b|[{[](?:[^\]})=]*[\s,{[.])?children\s*[,}\]=])/y

/** Throws for a constant with the name `children`. It would hide the markup that a component gets. */
function refuseChildrenBinding(cursor: Cursor, start: number): void {
  childrenBinding.lastIndex = start
  const match = childrenBinding.exec(cursor.source)
  if (!match) return
  const offset = start + match[0].lastIndexOf("children")
  throw new Problem(offset, '"children" is the markup that is passed to a component', "Choose another name.")
}
