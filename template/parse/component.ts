/** Tells the call of a component with children, {Name(…) { markup }}, from other expressions. */

import { isWithinOneEdit } from "../../lib/one-edit.ts"
import type { Code } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { filterOutermost, getDepthChange } from "./brackets.ts"
import type { Cursor } from "./cursor.ts"
import type { Token } from "./lexer.ts"
import { toLineNumber } from "./unclosed.ts"

/** A call without its closing parenthesis. */
export interface ComponentCall {
  readonly call: Code
  readonly separator: string
}

const callFix = "Write markup after a call: {Name(…) { markup }}, {await Name(…) { markup }}."

/** The beginning of a template with its name, and an import without its module. */
const declarationHead = /^(?:template[ \t]+\w+|import\s[^"']{0,1000})/gm

/** Returns how to write an element whose name is that of a component. */
export function findComponentFix(source: string, name: string): string {
  const names = (source.match(declarationHead) ?? []).flatMap((text) => text.match(/\b[A-Z]\w*/g) ?? [])
  const intendedName = names.includes(name)
    ? name
    : names.find((one) => isWithinOneEdit(one.toLowerCase(), name.toLowerCase()))
  const call = intendedName ?? "Name"
  const question = intendedName === undefined || intendedName === name ? "" : `Did you mean ${intendedName}? `
  return `${question}Call a component in braces: {${call}(…)} or {${call}(…) { markup }}.`
}

/** Words of TypeScript after which a brace begins a type. */
const typeOperators = new Set(["as", "satisfies", "is"])

/**
 * Returns true if a brace after these tokens begins the children of a component. No expression could continue with it.
 */
export function opensChildren(token: Token, tokens: readonly Token[]): boolean {
  const previous = tokens.at(-1)
  if (token.text !== "{" || token.kind !== "mark" || !previous?.isOperand) return false
  if (previous.kind === "word" && typeOperators.has(previous.text) && tokens.length > 1) return false
  return !filterOutermost(tokens).some((other) => other.text === "function" || other.text === "class")
}

/** Returns the index of the parenthesis that the last token closes; -1 if there is none. */
function findOpeningParenthesis(tokens: readonly Token[]): number {
  let depth = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    depth += getDepthChange(tokens[at])
    if (depth === 0) return tokens[at]?.text === "(" ? at : -1
  }
  return -1
}

/** Returns true if the tokens before `open` have the form `[await] a.b<T>`. */
function isCallee(tokens: readonly Token[], open: number): boolean {
  let at = tokens[0]?.text === "await" ? 1 : 0
  if (tokens[at]?.kind !== "word" || !tokens[at]?.isOperand) return false
  for (at++; tokens[at]?.text === "." && tokens[at + 1]?.kind === "word"; at += 2);
  return at === open || (tokens[at]?.text === "<" && tokens[open - 1]?.text === ">")
}

/** Checks that code is the call of a component. Returns it without its closing parenthesis. */
export function toComponentCall(cursor: Cursor, code: Code, tokens: readonly Token[], brace: Token): ComponentCall {
  const last = tokens.at(-1)
  const open = last?.text === ")" ? findOpeningParenthesis(tokens) : -1
  if (!last || open < 0 || !isCallee(tokens, open)) {
    throw new Problem(brace.start, "this brace does not follow a call of a component", callFix)
  }
  const before = tokens[tokens.length - 2]
  const separator = before === tokens[open] ? "" : before?.text === "," ? " " : ", "
  const hasLineComment = code.hasLineComment && cursor.source.slice(code.start, last.start).includes("//")
  return { call: { ...code, end: last.start, hasLineComment }, separator }
}

/** Reads the `}` after the children of a component. */
export function expectComponentEnd(cursor: Cursor, brace: number): void {
  const fix = 'Close it with "}" after the children.'
  const message = "these braces contain more than a component"
  cursor.expect("}", message, () => `${fix} They opened on line ${toLineNumber(cursor.source, brace)}.`)
}
