/** Parses the head of a template: `template Name<T>(parameters) {`. */

import type { Code, Parameter } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { getDepthChange } from "./brackets.ts"
import type { Cursor } from "./cursor.ts"
import { Lexer, type Token } from "./lexer.ts"
import { keepPartialNodes, toUnfinishedNodes } from "./partial-nodes.ts"

/** The content of the head of a template. */
export interface Header {
  readonly generics: { readonly start: number; readonly end: number }
  readonly parameterList: Code
  readonly parameters: readonly Parameter[]
  readonly separator: string
  /** The offset of the brace that opens the body. */
  readonly braceStart: number
}

/** Parses the head. The cursor is after the name, and moves behind the opening brace. */
export function parseHeader(cursor: Cursor, name: string): Header {
  const start = cursor.position
  skipGenerics(cursor)
  const generics = { start, end: cursor.position }
  const form = `Write template ${name}(…) { … }.`
  cursor.expect("(", `"(" is missing after template ${name}`, form)
  const { code, tokens } = cursor.readCodeTo(")")
  return keepPartialNodes(
    () => {
      const parameters = splitParameters(tokens)
      const braceStart = parseBrace(cursor, name, form)
      const separator = tokens.length === 0 ? "" : tokens.at(-1)?.text === "," ? " " : ", "
      return { generics, parameterList: code, parameters, separator, braceStart }
    },
    () => toUnfinishedNodes(code),
  )
}

/** Reads the brace that opens the body. Returns its offset. */
function parseBrace(cursor: Cursor, name: string, form: string): number {
  const next = cursor.peek()
  if (next?.text === ":" || next?.text === "=>") {
    throw new Problem(next.start, "a template has no return type", "Remove it: every template returns Html.")
  }
  return cursor.expect("{", `"{" is missing after template ${name}(…)`, form).start
}

/** Moves behind type parameters by counting angle brackets. None of them can be a comparison here. */
function skipGenerics(cursor: Cursor): void {
  const open = cursor.peek()
  if (open?.text !== "<") return
  const lexer = new Lexer(cursor.source, open.start)
  let depth = 0
  for (;;) {
    const isOutside = lexer.openBrackets.length === 0
    const token = lexer.next()
    if (!token || (isOutside && /^[)\]}]$/.test(token.text))) break
    if (isOutside && token.text === "<") depth++
    if (isOutside && token.text === ">" && --depth === 0) break
  }
  if (depth > 0) throw new Problem(open.start, 'this "<" is never closed', 'Close the type parameters with ">".')
  cursor.position = lexer.position
}

/**
 * Splits the tokens of parameters at commas. Commas inside of brackets, or inside the angle brackets of types, do not
 * count.
 */
function splitGroups(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  let group: Token[] = []
  let depth = 0
  let angleDepth = 0
  let section: "name" | "type" | "value" = "name"
  for (const token of tokens) {
    const { text } = token
    const isMark = token.kind === "mark"
    if (isMark && depth === 0) {
      if (text === ":" && section === "name") section = "type"
      if (text === "=" && angleDepth <= 0) section = "value"
      if (section === "type" && text === "<") angleDepth++
      if (section === "type" && text === ">") angleDepth--
      if (text === "," && angleDepth <= 0) {
        groups.push(group)
        group = []
        section = "name"
        angleDepth = 0
        continue
      }
    }
    depth += getDepthChange(token)
    group.push(token)
  }
  if (group.length > 0) groups.push(group)
  return groups
}

/**
 * Reads parameters. A group of tokens that does not begin like a parameter belongs to the default value before it, such
 * as `a < b, c > d`.
 */
function splitParameters(tokens: readonly Token[]): Parameter[] {
  const parameterTokens: Token[][] = []
  for (const group of splitGroups(tokens)) {
    const last = parameterTokens.at(-1)
    if (last && !beginsParameter(group)) last.push(...group)
    else parameterTokens.push(group)
  }
  return parameterTokens.map(toParameter)
}

function beginsParameter(group: readonly Token[]): boolean {
  const [first, second] = group
  if (first?.text === "..." || first?.text === "{" || first?.text === "[") return true
  return first?.kind === "word" && (!second || /^(?:[:?]|=)$/.test(second.text))
}

function toParameter(group: readonly Token[]): Parameter {
  const [first] = group
  const isRest = first?.text === "..."
  const pattern = findPattern(isRest ? group.slice(1) : group)
  const rest = group.slice(pattern.length + (isRest ? 1 : 0))
  const typeAt = rest.findIndex((token) => token.text === ":")
  const valueAt = findOutermostMark(rest, "=")
  const isOptional = isRest || rest[0]?.text === "?" || valueAt >= 0
  const typeTokens = typeAt < 0 ? [] : rest.slice(typeAt + 1, valueAt < 0 ? undefined : valueAt)
  const type = typeTokens[0] && { start: typeTokens[0].start, end: typeTokens.at(-1)?.end ?? 0 }
  if (first?.text === "{" || first?.text === "[" || isRest) refuseChildrenInPattern(pattern)
  const name = pattern.length === 1 ? (pattern[0]?.text ?? "") : ""
  return { name, start: first?.start ?? 0, isOptional, type }
}

/** Returns the index of a mark outside of all brackets; -1 if there is none. */
function findOutermostMark(tokens: readonly Token[], text: string): number {
  let depth = 0
  return tokens.findIndex((token) => {
    if (depth === 0 && token.kind === "mark" && token.text === text) return true
    depth += getDepthChange(token)
    return false
  })
}

/** Returns the tokens of a parameter's name or destructuring pattern. */
function findPattern(group: readonly Token[]): readonly Token[] {
  let depth = 0
  for (let at = 0; at < group.length; at++) {
    const token = group[at]
    if (token) depth += getDepthChange(token)
    if (depth === 0) return group.slice(0, at + 1)
  }
  return group
}

/** Throws for a pattern that binds the name `children`. */
function refuseChildrenInPattern(pattern: readonly Token[]): void {
  pattern.forEach((token, at) => {
    if (token.text === "children" && pattern[at + 1]?.text !== ":") refuseChildrenParameter(token.start)
  })
}

/** Throws for a parameter with the name `children`. */
export function refuseChildrenParameter(offset: number): never {
  const fix = "Print {children} where the caller's markup belongs. The parameter is added for you."
  throw new Problem(offset, 'a parameter cannot be called "children"', fix)
}
