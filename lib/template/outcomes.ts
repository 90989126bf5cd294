/**
 * Finds out from its tokens what an expression can return: if each outcome is a literal of the template, and
 * the keys of object literals.
 */

import { change, closes, opens } from "./brackets.ts"
import type { Token } from "./lexer.ts"

/** Operators that bind weaker than `?:`, after which the outcome is not the part between the others. */
const weaker = new Set(["=>", ",", "&&=", "||=", "??=", ";", "..."])
/** Deepest nesting of choices. Anything deeper does not count as a literal. */
const deepest = 20
const words = new Set(["true", "false", "null", "undefined"])

/** Returns the indexes of the tokens outside all brackets that `test` accepts. */
function places(tokens: readonly Token[], test: (token: Token, at: number) => boolean): number[] {
  let depth = 0
  const found: number[] = []
  tokens.forEach((token, at) => {
    if (closes(token)) depth--
    if (depth === 0 && token.kind === "mark" && test(token, at)) found.push(at)
    if (opens(token)) depth++
  })
  return found
}

/** Removes parentheses around all tokens. */
function unwrapped(all: readonly Token[]): readonly Token[] {
  let tokens = all
  for (let left = deepest; left > 0 && tokens[0]?.text === "("; left--) {
    let depth = 0
    const end = tokens.findIndex((token) => {
      depth += change(token)
      return depth === 0
    })
    if (end !== tokens.length - 1) return tokens
    tokens = tokens.slice(1, -1)
  }
  return tokens
}

function split(tokens: readonly Token[], at: readonly number[]): (readonly Token[])[] {
  return [...at, tokens.length].map((end, part) => tokens.slice((at[part - 1] ?? -1) + 1, end))
}

/** Returns the parts of `condition ? a : b`; undefined for other expressions. */
function arms(tokens: readonly Token[]): [readonly Token[], readonly Token[]] | undefined {
  const marks = places(tokens, ({ text }) => text === "?" || text === ":")
  let open = 0
  for (const at of marks) {
    open += tokens[at]?.text === "?" ? 1 : -1
    if (open === 0) return [tokens.slice((marks[0] ?? 0) + 1, at), tokens.slice(at + 1)]
  }
  return undefined
}

/** Returns true if the expression contains an assignment or another weak operator. `<=` and `>=` compare. */
function isWeak(tokens: readonly Token[]): boolean {
  const marks = places(tokens, ({ text, start }, at) => {
    if (weaker.has(text)) return true
    const previous = tokens[at - 1]
    return text === "=" && !(previous?.end === start && /^[<>]$/.test(previous.text))
  })
  return marks.length > 0
}

/**
 * Returns the outcomes of an expression that are not falsy values of a condition: `a && "b"` has "b",
 * `a ? "b" : "c"` has both. Falsy values are harmless wherever a literal is: false, null, undefined, 0, NaN
 * and "".
 */
export function outcomes(all: readonly Token[], depth = 0): (readonly Token[])[] {
  const tokens = unwrapped(all)
  if (depth > deepest || isWeak(tokens)) return [tokens]
  const inside = (parts: readonly (readonly Token[])[]) => parts.flatMap((part) => outcomes(part, depth + 1))
  const choice = arms(tokens)
  if (choice) return inside(choice)
  const either = places(tokens, ({ text }) => text === "||" || text === "??")
  if (either.length > 0) return inside(split(tokens, either))
  const both = places(tokens, ({ text }) => text === "&&")
  return both.length > 0 ? inside([tokens.slice((both.at(-1) ?? 0) + 1)]) : [tokens]
}

/** Returns true if an expression returns only literals that are written in it, or falsy values. */
export function isLiteralOnly(tokens: readonly Token[]): boolean {
  return outcomes(tokens).every((outcome) => {
    const [token] = outcome
    if (!token || outcome.length > 1) return false
    if (token.kind === "template") return token.text.startsWith("`") && token.text.endsWith("`")
    return token.kind === "string" || token.kind === "number" || words.has(token.text)
  })
}

/** A key that is written in an object literal. */
export interface Key {
  readonly name: string
  readonly start: number
}

/** Returns the literal keys of the object literals that an expression returns. */
export function literalKeys(tokens: readonly Token[]): Key[] {
  return outcomes(tokens).flatMap((outcome) => {
    if (outcome[0]?.text !== "{" || outcome.at(-1)?.text !== "}") return []
    const inside = outcome.slice(1, -1)
    const commas = places(inside, ({ text }) => text === ",")
    return split(inside, commas).flatMap(keyOf)
  })
}

function keyOf(property: readonly Token[]): Key[] {
  const [first, second] = property
  if (!first || (second && second.text !== ":")) return []
  if (first.kind === "word") return [{ name: first.text, start: first.start }]
  // A key with an escape is left to the runtime.
  if (first.kind !== "string" || first.text.includes("\\")) return []
  return [{ name: first.text.slice(1, -1), start: first.start }]
}
