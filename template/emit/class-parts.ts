/**
 * Recognises the usual list of class names, ["a", condition && "b"]. Its names are escaped at compile time. Other
 * values of `class` are escaped at run time.
 */

import type { ClassPart, Code } from "../ast.ts"
import { closesBracket, filterOutermost, opensBracket } from "../parse/brackets.ts"
import type { Token } from "../parse/lexer.ts"
import { hasAwait } from "./async.ts"

/** Names that need no escaping inside an attribute. */
const safeClassNames = /^["'][\w\s:./[\]()%#,!@+*-]+["']$/
/** Operators with a lower precedence than `&&`, and tokens that can give a list another meaning. */
const weakOperators = new Set("|| ?? ??= &&= ||= ? : => = ... ; yield".split(" "))

/** Returns the parts of a list of class names whose first item is a name; undefined for any other value. */
export function toClassParts(code: Code, tokens: readonly Token[]): readonly ClassPart[] | undefined {
  if (code.hasLineComment || code.markup.length > 0 || tokens[0]?.text !== "[" || tokens.at(-1)?.text !== "]")
    return undefined
  const parts: ClassPart[] = []
  for (const item of splitItems(tokens.slice(1, -1))) {
    const part = toPart(item)
    if (!part || (parts.length === 0 && part.condition)) return undefined
    parts.push(part)
  }
  return parts.length > 0 ? parts : undefined
}

/** Splits tokens at commas outside of brackets. A comma at the end is ignored. */
function splitItems(tokens: readonly Token[]): Token[][] {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (closesBracket(token)) depth--
    if (depth === 0 && token.kind === "mark" && token.text === ",") items.push([])
    else items.at(-1)?.push(token)
    if (opensBracket(token)) depth++
    // The first bracket is closed before the last token: ["a"] + ["b"].
    if (depth < 0) return [[]]
  }
  if (items.at(-1)?.length === 0) items.pop()
  return items
}

function toPart(item: readonly Token[]): ClassPart | undefined {
  const last = item.at(-1)
  if (last?.kind !== "string" || !safeClassNames.test(last.text)) return undefined
  const names = last.text.slice(1, -1).trim()
  if (names === "") return undefined
  if (item.length === 1) return { names, condition: undefined }
  const tokens = item.slice(0, -2)
  const [first] = tokens
  const end = tokens.at(-1)?.end
  if (item.at(-2)?.text !== "&&" || !first || end === undefined || hasWeakOperator(tokens)) return undefined
  const condition = {
    start: first.start,
    end,
    hasCommas: false,
    hasLineComment: false,
    awaits: hasAwait(tokens),
    markup: [],
  }
  return { names, condition }
}

function hasWeakOperator(tokens: readonly Token[]): boolean {
  return filterOutermost(tokens).some((token) => weakOperators.has(token.text))
}
