/**
 * Finds out from tokens what an expression can return: whether all results are literals in the template, and the keys
 * of objects.
 */

import { closesBracket, getDepthChange, opensBracket } from "../parse/brackets.ts"
import type { Token } from "../parse/lexer.ts"

/**
 * Operators with a lower precedence than `?:`. If there is one, the parts of `? :` are not what the expression returns.
 */
const weakOperators = new Set(["=>", ",", "&&=", "||=", "??=", ";", "..."])
/** Maximum depth of nested choices. Results at a greater depth do not count as literals. */
const maxDepth = 20
const literalWords = new Set(["true", "false", "null", "undefined"])

/** Returns the indexes of tokens outside of all brackets that `test` accepts. */
function findMarks(tokens: readonly Token[], test: (token: Token, at: number) => boolean): number[] {
  let depth = 0
  const indexes: number[] = []
  tokens.forEach((token, at) => {
    if (closesBracket(token)) depth--
    if (depth === 0 && token.kind === "mark" && test(token, at)) indexes.push(at)
    if (opensBracket(token)) depth++
  })
  return indexes
}

/** Removes parentheses that are around all tokens. */
function removeParentheses(all: readonly Token[]): readonly Token[] {
  let tokens = all
  for (let depthLeft = maxDepth; depthLeft > 0 && tokens[0]?.text === "("; depthLeft--) {
    let depth = 0
    const end = tokens.findIndex((token) => {
      depth += getDepthChange(token)
      return depth === 0
    })
    if (end !== tokens.length - 1) return tokens
    tokens = tokens.slice(1, -1)
  }
  return tokens
}

function splitAt(tokens: readonly Token[], at: readonly number[]): (readonly Token[])[] {
  return [...at, tokens.length].map((end, part) => tokens.slice((at[part - 1] ?? -1) + 1, end))
}

/** Returns `a` and `b` of `condition ? a : b`; undefined for any other expression. */
function findBranches(tokens: readonly Token[]): [readonly Token[], readonly Token[]] | undefined {
  const marks = findMarks(tokens, ({ text }) => text === "?" || text === ":")
  let open = 0
  for (const at of marks) {
    open += tokens[at]?.text === "?" ? 1 : -1
    if (open === 0) return [tokens.slice((marks[0] ?? 0) + 1, at), tokens.slice(at + 1)]
  }
  return undefined
}

/**
 * Returns true if an expression contains one of {@link weakOperators}, such as an assignment. `<=` and `>=` are
 * comparisons.
 */
function hasWeakOperator(tokens: readonly Token[]): boolean {
  const marks = findMarks(tokens, ({ text, start }, at) => {
    if (weakOperators.has(text)) return true
    const previous = tokens[at - 1]
    return text === "=" && !(previous?.end === start && /^[<>]$/.test(previous.text))
  })
  return marks.length > 0
}

/**
 * Returns what an expression can return, without falsy values: `a && "b"` can return "b", and `a ? "b" : "c"` both.
 * Falsy values are harmless wherever a literal is: false, null, undefined, 0, NaN and "".
 */
export function findOutcomes(all: readonly Token[], depth = 0): (readonly Token[])[] {
  const tokens = removeParentheses(all)
  if (depth > maxDepth || hasWeakOperator(tokens)) return [tokens]
  const findInside = (parts: readonly (readonly Token[])[]) => parts.flatMap((part) => findOutcomes(part, depth + 1))
  const branches = findBranches(tokens)
  if (branches) return findInside(branches)
  const orMarks = findMarks(tokens, ({ text }) => text === "||" || text === "??")
  if (orMarks.length > 0) return findInside(splitAt(tokens, orMarks))
  const andMarks = findMarks(tokens, ({ text }) => text === "&&")
  return andMarks.length > 0 ? findInside([tokens.slice((andMarks.at(-1) ?? 0) + 1)]) : [tokens]
}

/** Returns true if an expression can return only falsy values and literals that are written in it. */
export function isLiteralOnly(tokens: readonly Token[]): boolean {
  return findOutcomes(tokens).every((outcome) => {
    const [token] = outcome
    if (!token || outcome.length > 1) return false
    if (token.kind === "template") return token.text.startsWith("`") && token.text.endsWith("`")
    return token.kind === "string" || token.kind === "number" || literalWords.has(token.text)
  })
}

/** A literal key in an object. */
export interface LiteralKey {
  readonly name: string
  readonly start: number
}

/** Returns the literal keys of the objects that an expression can return. */
export function findLiteralKeys(tokens: readonly Token[]): LiteralKey[] {
  return findOutcomes(tokens).flatMap((outcome) => {
    if (outcome[0]?.text !== "{" || outcome.at(-1)?.text !== "}") return []
    const inside = outcome.slice(1, -1)
    const commas = findMarks(inside, ({ text }) => text === ",")
    return splitAt(inside, commas).flatMap(toKeys)
  })
}

function toKeys(property: readonly Token[]): LiteralKey[] {
  const [first, second] = property
  if (!first || (second && second.text !== ":")) return []
  if (first.kind === "word") return [{ name: first.text, start: first.start }]
  // A key with an escape is checked at run time.
  if (first.kind !== "string" || first.text.includes("\\")) return []
  return [{ name: first.text.slice(1, -1), start: first.start }]
}
