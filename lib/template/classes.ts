/**
 * Recognizes the usual class list, ["a", condition && "b"], whose names are prepared at compile time. Other
 * values of `class` are left to the runtime.
 */

import type { ClassPart, Code } from "./ast.ts"
import { awaits } from "./async.ts"
import { closes, opens, outermost } from "./brackets.ts"
import type { Token } from "./lexer.ts"

/** Names that need no escaping inside an attribute. */
const simple = /^["'][\w\s:./[\]()%#,!@+*-]+["']$/
/** Operators that bind weaker than `&&`, and marks that make a list something else. */
const weaker = new Set("|| ?? ??= &&= ||= ? : => = ... ; yield".split(" "))

/** Returns the parts of a class list that begins with a name; undefined for all other values. */
export function classParts(code: Code, tokens: readonly Token[]): readonly ClassPart[] | undefined {
  if (code.lineComment || code.markup.length > 0 || tokens[0]?.text !== "[" || tokens.at(-1)?.text !== "]")
    return undefined
  const parts: ClassPart[] = []
  for (const item of items(tokens.slice(1, -1))) {
    const part = toPart(item)
    if (!part || (parts.length === 0 && part.condition)) return undefined
    parts.push(part)
  }
  return parts.length > 0 ? parts : undefined
}

/** Splits at commas outside all brackets. A comma at the end is ignored. */
function items(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (closes(token)) depth--
    if (depth === 0 && token.kind === "mark" && token.text === ",") found.push([])
    else found.at(-1)?.push(token)
    if (opens(token)) depth++
    // The list has ended before its last bracket: ["a"] + ["b"].
    if (depth < 0) return [[]]
  }
  if (found.at(-1)?.length === 0) found.pop()
  return found
}

function toPart(item: readonly Token[]): ClassPart | undefined {
  const last = item.at(-1)
  if (last?.kind !== "string" || !simple.test(last.text)) return undefined
  const names = last.text.slice(1, -1).trim()
  if (names === "") return undefined
  if (item.length === 1) return { names, condition: undefined }
  const tokens = item.slice(0, -2)
  const [first] = tokens
  const end = tokens.at(-1)?.end
  if (item.at(-2)?.text !== "&&" || !first || end === undefined || bindsWeaker(tokens)) return undefined
  const condition = {
    start: first.start,
    end,
    commas: false,
    lineComment: false,
    awaits: awaits(tokens),
    markup: [],
  }
  return { names, condition }
}

function bindsWeaker(tokens: readonly Token[]): boolean {
  return outermost(tokens).some((token) => weaker.has(token.text))
}
