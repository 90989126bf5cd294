/**
 * Parses blocks in braces that begin with a keyword: if, for, switch, const. Names the fix for keywords of
 * other template languages.
 */

import type { Braced, Code, DeferNode, ForNode, IfNode, Node, Span, SwitchNode } from "./ast.ts"
import type { BlockParser, Cursor } from "./cursor.ts"
import { beginsDefer, parseDefer } from "./defer.ts"
import { Problem } from "./diagnostic.ts"
import type { Space } from "./elements.ts"
import { bracesFix, emptyHeader, ifFix, loopFix, refuseForeignBlock, refuseHeader } from "./foreign.ts"
import { type Inside, parseBody } from "./inside.ts"
import { cutIn, keeping, unplaced } from "./keeping.ts"
import type { Token } from "./lexer.ts"
import { tokensOf } from "./scope.ts"
import { parseSwitch } from "./switch.ts"
import { closeBlock, noteClosed } from "./unclosed.ts"

const elseFix =
  "It follows the block of an if or a for, in the same pair of braces: {if (a) { … } else { … }}, {for (const item of items) { … } else { … }}."
const expressionFix = "Braces can contain only expressions, {const}, {if}, {for}, {switch} and {defer}."
const markFix = "Write blocks without a mark: {if (…) { … }}, {for (const item of items) { … }}."

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
  "#": markFix,
  "%": markFix,
  "@": "Use {const …} for a local, {raw(html)} for trusted HTML and {Name(…)} for a template.",
}

/** Throws for a first token that begins neither a block nor an expression. */
export function refuseFirst(source: string, brace: number, token: Token | undefined): void {
  const fix = token && Object.hasOwn(fixes, token.text) ? fixes[token.text] : undefined
  if (token && fix !== undefined) {
    throw new Problem(token.start, `"${token.text}" is not allowed at the start of braces`, fix)
  }
  if (!token || token.text === "}") {
    throw new Problem(brace, "there is nothing in these braces", 'Write an expression, or {"{"} for a brace.')
  }
  if (token.text === "{") {
    throw new Problem(brace, "an expression has one pair of braces", bracesFix(source, brace))
  }
}

const foreign = /\{[/:](?:if|for|each|else|switch|case|await|then|catch|key|end\w*)\b/y

/** Throws for the block marks of other languages; `{/if}` would otherwise begin a regular expression. */
export function refuseForeign(cursor: Cursor): void {
  refuseForeignBlock(cursor)
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
  keeping(
    () => closeBlock(cursor, word, expressionFix),
    () => [{ ...node, ...unplaced }],
  )
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

function parseIf(cursor: Cursor, inside: Inside): Omit<IfNode, keyof Braced> {
  const branches: { condition: Code | undefined; body: Node[] }[] = [branch(cursor, "if", inside, [])]
  for (;;) {
    const next = cursor.peek()
    if (next?.text !== "else") return { kind: "if", branches }
    cursor.position = next.end
    const after = cursor.peek()
    if (after?.text !== "if") {
      branches.push(branch(cursor, "else", inside, branches))
      return { kind: "if", branches }
    }
    cursor.position = after.end
    branches.push(branch(cursor, "else if", inside, branches))
  }
}

/** Parses one branch of an `if`, after the branches `before`. */
function branch(
  cursor: Cursor,
  words: "if" | "else if" | "else",
  inside: Inside,
  before: IfNode["branches"],
): { condition: Code | undefined; body: Node[] } {
  let condition: Code | undefined
  const kept = (nodes: readonly Node[]): Node[] => {
    const hasBody = words === "else" || condition !== undefined
    const cut = cutIn(nodes)
    const last = hasBody ? [{ condition, body: nodes }] : cut ? [{ condition: cut, body: [] }] : []
    const branches = [...before, ...last]
    return branches.length > 0 ? [{ kind: "if", branches, ...unplaced }] : []
  }
  return keeping(() => {
    if (words !== "else") condition = cursor.parentheses(words)
    return { condition, body: parseBody(cursor, words === "else" ? words : `${words} (…)`, inside) }
  }, kept)
}

function parseFor(cursor: Cursor, inside: Inside): Omit<ForNode, keyof Braced> {
  refuseHeader(cursor)
  const next = cursor.peek()
  const awaits = next?.text === "await"
  if (next && awaits) cursor.position = next.end
  const loop = (header: Code, items: readonly Node[], otherwise?: readonly Node[]): ForNode => {
    return { kind: "for", awaits, header, body: items, otherwise, ...unplaced }
  }
  const header = keeping(
    () => cursor.parentheses("for", { semicolons: true }),
    (nodes) => {
      const cut = cutIn(nodes)
      return cut ? [loop(cut, [])] : []
    },
  )
  refuseChildren(cursor, header.start)
  refuseEmpty(cursor.source, header)
  const items = keeping(
    () =>
      cursor.scope.inside(() => {
        // The iterated expression may contain markup.
        cursor.scope.bind(tokensOf(cursor.source, header.start, header.end, ["of", "in", "=", ";"]))
        return parseBody(cursor, "for (…)", inside)
      }),
    (nodes) => [loop(header, nodes)],
  )
  const otherwise = keeping(
    () => parseForElse(cursor, inside),
    (nodes) => [loop(header, items, nodes)],
  )
  return loop(header, items, otherwise)
}

/** Throws for a header that has neither a list nor a condition. */
function refuseEmpty(source: string, { start, end }: Code): void {
  let last = start
  for (const token of tokensOf(source, start, end, ["of", "in", ";"])) last = token.end
  if (!/[^\s]/.test(source.slice(last, end))) throw emptyHeader(start, source.slice(start, end))
}

/** Parses the block that is printed if the loop has no items. */
function parseForElse(cursor: Cursor, inside: Inside): Node[] | undefined {
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
  const { code, tokens, stop } = keeping(
    () => cursor.code("}"),
    (nodes) => {
      const cut = cutIn(nodes)
      return cut ? [{ kind: "const", code: cut, start, end: cut.end }] : []
    },
  )
  noteClosed(cursor, stop.start, { start: start, name: "{const}" })
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
