/** Texts that an expression can be, as pieces of literal text and unknown parts. */

import { stringValue } from "../../../lib/scan/proxy-config.ts"
import { change, closes, opens } from "../../../lib/template/brackets.ts"
import { Lexer, type Token } from "../../../lib/template/lexer.ts"
import { outcomes } from "../../../lib/template/outcomes.ts"
import type { Piece } from "./target.ts"

/** Returns the tokens of some code without its comments; none for code that cannot be read. */
export function tokensIn(source: string, start = 0, end = source.length): Token[] {
  const lexer = new Lexer(source.slice(0, end), start)
  const tokens: Token[] = []
  try {
    for (let token = lexer.next(); token; token = lexer.next())
      if (token.kind !== "comment") tokens.push(token)
  } catch {
    return []
  }
  return tokens
}

/** Returns the texts of an expression's outcomes, each as pieces. Outcomes of which nothing is known are left out. */
export function textsOf(tokens: readonly Token[]): Piece[][] {
  return outcomes(tokens).flatMap((outcome) => {
    const pieces = sumOf(outcome)
    return pieces.some((piece) => piece !== null) ? [joined(pieces)] : []
  })
}

/** Returns the text of `"a" + b`. Without a text in it, `+` adds numbers. */
function sumOf(tokens: readonly Token[]): Piece[] {
  return splitAt(tokens, "+").flatMap(piecesOf)
}

/** Splits tokens at a mark outside all brackets. */
export function splitAt(tokens: readonly Token[], mark: string): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    depth += change(token)
    if (depth === 0 && token.kind === "mark" && token.text === mark) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function piecesOf(tokens: readonly Token[]): Piece[] {
  const [token] = tokens
  if (token?.kind === "string" && tokens.length === 1) return [stringValue(token.text)]
  return token?.kind === "template" ? templatePieces(tokens) : [null]
}

/** Returns the pieces of a template literal, of whose expressions nothing is known. */
function templatePieces(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (closes(token)) depth--
    if (depth === 0 && token.kind !== "template") return [null]
    if (depth === 0) {
      if (at > 0) pieces.push(null)
      // The value of a string is what is between its first and its last character.
      pieces.push(stringValue(`${token.text.replace(/\$\{$/, "$")}`))
    }
    if (opens(token)) depth++
  }
  return pieces
}

/** Joins pieces next to each other, and leaves empty ones out. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (typeof piece === "string" && typeof last === "string") all[all.length - 1] = last + piece
    else if (piece !== "" && (piece !== null || last !== null)) all.push(piece)
  }
  return all
}
