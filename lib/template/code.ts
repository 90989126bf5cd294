// Reads the code inside braces and parentheses up to where it ends, and says what the emitter must
// know of it; the parsers of tags, control blocks and headers call it.

import type { Code } from "./ast.ts"
import { awaits } from "./async.ts"
import { closes } from "./brackets.ts"
import { Problem } from "./diagnostic.ts"
import { Lexer, type Token } from "./lexer.ts"

/** Code that has been read, and the token it ended before. */
export interface Reading {
  readonly code: Code
  /** Its tokens without comments. */
  readonly tokens: readonly Token[]
  readonly stop: Token
}

/** How far to read, and what may stand in the code. */
export interface Limits {
  /** Whether the code ends before this token, which stands outside all brackets. */
  readonly ends?: (token: Token, tokens: readonly Token[]) => boolean
  /** Whether `;` may stand in it, as in the header of a loop. */
  readonly semicolons?: boolean
}

const reserved = "Names that start with $fw belong to the generated code. Choose another name."
const loops = "Markup is no expression: use {if (…) { … }} or {for (…) { … }} around it."
const alone = "Markup stands by itself, without braces around it."

/** Marks after which a value must follow, so that `<` cannot compare or call. */
const beforeValue = new Set("&& || ?? ? : => ( , [ = ! return".split(" "))
const tag = /<(?:[A-Za-z][\w:.-]*[\s/>]|>|\/[A-Za-z])/y
const generic = /<(?:const\s+)?[A-Z][\w$]*(?:\s+extends\b|\s*[,=]|\s*>\s*\()/y

const matches = (pattern: RegExp, source: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(source)
}

/** Throws where markup stands in place of a value. */
function refuseMarkup(source: string, token: Token, previous: Token | undefined): void {
  if (token.text !== "<" || (previous && !beforeValue.has(previous.text))) return
  if (previous?.kind === "word" && previous.operand) return
  if (!matches(tag, source, token.start) || matches(generic, source, token.start)) return
  throw new Problem(token.start, "a tag cannot stand inside an expression", previous ? loops : alone)
}

/** Throws for names that the generated code uses. */
export function refuseReserved(token: Token, previous: Token | undefined): void {
  if (token.kind !== "word" || !token.text.startsWith("$fw") || previous?.text === ".") return
  throw new Problem(token.start, `"${token.text}" is reserved`, reserved)
}

/**
 * Reads code from `start` to a closing bracket that it did not open, or to where `limits.ends` says.
 * What it gives is trimmed; comments at its ends belong to it.
 */
export function readCode(source: string, start: number, limits: Limits = {}): Reading {
  const lexer = new Lexer(source, start)
  const tokens: Token[] = []
  let first = -1
  let last = start
  let commas = false
  let lineComment = false
  for (;;) {
    const depth = lexer.open.length
    const previous = lexer.previous
    const token = lexer.next()
    if (!token) throw new Problem(start - 1, "these brackets are never closed", "Close what is opened here.")
    const outside = depth === 0
    if (
      outside &&
      token.kind !== "comment" &&
      ((token.kind === "mark" && closes(token)) || limits.ends?.(token, tokens))
    ) {
      const code = {
        start: first < 0 ? start : first,
        end: last,
        commas,
        lineComment,
        awaits: awaits(tokens),
      }
      return { code, tokens, stop: token }
    }
    if (first < 0) first = token.start
    last = token.end
    if (token.kind === "comment") {
      lineComment ||= token.text.startsWith("//")
      continue
    }
    if (outside && token.text === ";" && !limits.semicolons) {
      throw new Problem(token.start, "an expression holds no statements", 'Remove the ";".')
    }
    commas ||= outside && token.text === ","
    refuseReserved(token, previous)
    refuseMarkup(source, token, previous)
    tokens.push(token)
  }
}

/** The first token at or after `start` that is no comment, and whether a comment stands before it. */
export function firstToken(source: string, start: number): { token: Token | undefined; commented: boolean } {
  const lexer = new Lexer(source, start)
  let token = lexer.next()
  const commented = token?.kind === "comment"
  while (token?.kind === "comment") token = lexer.next()
  return { token, commented }
}
