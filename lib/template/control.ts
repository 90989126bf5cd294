/**
 * Parses blocks in braces that begin with a keyword: if, for, switch, const. Names the fix for keywords of
 * other template languages.
 */

import type { Braced, Code, DeferNode, ForNode, IfNode, Node, Span, SwitchNode } from "./ast.ts"
import type { BlockParser, Cursor } from "./cursor.ts"
import { beginsDefer, type Inside, parseDefer } from "./defer.ts"
import { Problem } from "./diagnostic.ts"
import type { Space } from "./elements.ts"
import type { Token } from "./lexer.ts"
import { tokensOf } from "./scope.ts"
import { closeBlock } from "./unclosed.ts"

const ifFix = "Write {if (a) { … } else if (b) { … } else { … }} in one pair of braces."
const loopFix = "Write {for (const item of items) { … }}."
const elseFix =
  "It follows the block of an if or a for, in the same pair of braces: {if (a) { … } else { … }}, {for (const item of items) { … } else { … }}."
const expressionFix = "Braces can contain only expressions, {const}, {if}, {for}, {switch} and {defer}."

/** First words that begin no expression here, and their replacements. */
const fixes: Readonly<Record<string, string>> = {
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
  "#": "Write blocks without a mark: {if (…) { … }}, {for (…) { … }}.",
  "%": "Write blocks without a mark: {if (…) { … }}, {for (…) { … }}.",
  "@": "Use {const …} for a local and {raw(html)} for trusted HTML.",
}

/** Throws for a first token that begins neither a block nor an expression. */
export function refuseFirst(brace: number, token: Token | undefined): void {
  const fix = token && Object.hasOwn(fixes, token.text) ? fixes[token.text] : undefined
  if (token && fix !== undefined) {
    throw new Problem(token.start, `"${token.text}" is not allowed at the start of braces`, fix)
  }
  if (!token || token.text === "}") {
    throw new Problem(brace, "there is nothing in these braces", 'Write an expression, or {"{"} for a brace.')
  }
  if (token.text === "{") {
    const fix = "Write {name} to print a value; a block's braces follow if, for or a call."
    throw new Problem(brace, "an expression has one pair of braces", fix)
  }
}

const foreign = /\{[/:](?:if|for|each|else|switch|case|await|then|catch|key|end\w*)\b/y

/** Throws for the block marks of other languages; `{/if}` would otherwise begin a regular expression. */
export function refuseForeign(cursor: Cursor): void {
  foreign.lastIndex = cursor.position
  if (!foreign.test(cursor.source)) return
  const message = `"${cursor.source[cursor.position + 1]}" is not allowed at the start of braces`
  throw new Problem(cursor.position + 1, message, `A block ends with "}". ${ifFix}`)
}

/** Parses the block or constant in the braces at the cursor; undefined if `word` does not begin one. */
export function parseControl(
  cursor: Cursor,
  word: Token,
  space: Space,
  block: BlockParser,
): Node | undefined {
  const start = cursor.position
  if (word.text === "const") return parseConst(cursor, word)
  const read = blocks.get(word.text)
  if (!read || (read === parseDefer && !beginsDefer(cursor.source, word))) return undefined
  cursor.position = word.end
  const opener = {
    start,
    name: `{${word.text}}`,
    end: word.text === "switch" ? "}}}" : "}}",
  }
  const spans: Span[] = []
  const inside: BlockParser = (within, spaceThere, brace) => {
    const nodes = block(within, spaceThere, brace, opener)
    spans.push({ start: brace + 1, end: within.position - 1 })
    return nodes
  }
  const node = read(cursor, { space, block: inside })
  closeBlock(cursor, word, expressionFix)
  return { ...node, start, end: cursor.position, blocks: spans }
}

type Block =
  | Omit<IfNode, keyof Braced>
  | Omit<ForNode, keyof Braced>
  | Omit<SwitchNode, keyof Braced>
  | Omit<DeferNode, keyof Braced>
const blocks: ReadonlyMap<string, (cursor: Cursor, inside: Inside) => Block> = new Map<
  string,
  (cursor: Cursor, inside: Inside) => Block
>([
  ["if", parseIf],
  ["for", parseFor],
  ["switch", parseSwitch],
  ["defer", parseDefer],
])

function body(cursor: Cursor, after: string, { space, block }: Inside): Node[] {
  const fix = `Write the markup of a block in its braces: ${after} { <p>…</p> }.`
  const brace = cursor.expect("{", `"{" is missing after ${after}`, fix)
  return block(cursor, space, brace.start)
}

function parseIf(cursor: Cursor, inside: Inside): Omit<IfNode, keyof Braced> {
  const branches: { condition: Code | undefined; body: Node[] }[] = []
  branches.push({ condition: cursor.parentheses("if"), body: body(cursor, "if (…)", inside) })
  for (;;) {
    const next = cursor.peek()
    if (next?.text !== "else") return { kind: "if", branches }
    cursor.position = next.end
    const after = cursor.peek()
    if (after?.text !== "if") {
      branches.push({ condition: undefined, body: body(cursor, "else", inside) })
      return { kind: "if", branches }
    }
    cursor.position = after.end
    branches.push({ condition: cursor.parentheses("else if"), body: body(cursor, "else if (…)", inside) })
  }
}

function parseFor(cursor: Cursor, inside: Inside): Omit<ForNode, keyof Braced> {
  const next = cursor.peek()
  const awaits = next?.text === "await"
  if (next && awaits) cursor.position = next.end
  const header = cursor.parentheses("for", { semicolons: true })
  refuseChildren(cursor, header.start)
  const items = cursor.scope.inside(() => {
    // The iterated expression may contain markup.
    cursor.scope.bind(tokensOf(cursor.source, header.start, header.end, ["of", "in", "=", ";"]))
    return body(cursor, "for (…)", inside)
  })
  return { kind: "for", awaits, header, body: items, otherwise: parseForElse(cursor, inside) }
}

/** Parses the block that is printed if the loop has no items. */
function parseForElse(cursor: Cursor, inside: Inside): Node[] | undefined {
  const word = cursor.peek()
  if (word?.text !== "else") return undefined
  cursor.position = word.end
  const next = cursor.peek()
  if (next?.text !== "if") return body(cursor, "else", inside)
  const fix = "It is printed if the loop has no items. Write else { {if (…) { … }} }."
  throw new Problem(next.start, "the else of a for takes no condition", fix)
}

function parseSwitch(cursor: Cursor, inside: Inside): Omit<SwitchNode, keyof Braced> {
  const subject = cursor.parentheses("switch")
  const braceFix = "Write switch (value) { case 1: { … } default: { … } }."
  cursor.expect("{", '"{" is missing after switch (…)', braceFix)
  const cases: { test: Code | undefined; body: Node[] }[] = []
  let hasDefault = false
  for (;;) {
    const word = cursor.peek()
    if (word?.text === "}") {
      cursor.position = word.end
      return { kind: "switch", subject, cases }
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
    cases.push({ test: caseTest(cursor, word), body: body(cursor, `${word.text} …:`, inside) })
  }
}

/** Reads up to and including the colon of a case, which is the first that belongs to no `? :`. */
function caseTest(cursor: Cursor, word: Token): Code | undefined {
  const fix = "Write case EXPR: { … }; to share markup, put it into a template."
  if (word.text === "default") {
    cursor.expect(":", '":" is missing after default', "Write default: { … }.")
    return undefined
  }
  let questions = 0
  const { code, tokens } = cursor.code(":", {
    ends: (token) => {
      if (token.text === "?") questions++
      return token.text === ":" && questions-- === 0
    },
  })
  if (tokens.length === 0) throw new Problem(word.start, "this case has no expression", fix)
  return code
}

function parseConst(cursor: Cursor, word: Token): Node {
  const start = cursor.position
  cursor.position = word.start
  const { code, tokens, stop } = cursor.code("}")
  refuseChildren(cursor, word.start)
  cursor.scope.bind(tokens)
  return { kind: "const", start, end: stop.end, code }
}

const childrenName = /(?:const|let|var)\s+(?:children\b|[{[](?:[^\]})=]*[\s,{[.])?children\s*[,}\]=])/y

/** Throws for a constant called `children`, which would hide the markup that a component receives. */
function refuseChildren(cursor: Cursor, start: number): void {
  childrenName.lastIndex = start
  const found = childrenName.exec(cursor.source)
  if (!found) return
  const at = start + found[0].lastIndexOf("children")
  throw new Problem(at, '"children" is the markup that is passed to a component', "Choose another name.")
}
