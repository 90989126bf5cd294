/** Finds the texts that an expression may result in, as literal pieces and unknown parts. */

import { parseStringLiteral } from "../../../lib/scan/proxy-config.ts"
import { findOutcomes } from "../../../template/emit/outcomes.ts"
import { closesBracket, getDepthChange, opensBracket } from "../../../template/parse/brackets.ts"
import { Lexer, type Token } from "../../../template/parse/lexer.ts"
import type { Piece } from "./link-target.ts"

/** Returns the tokens of code without comments; none if the code cannot be parsed. */
export function readTokens(source: string, start = 0, end = source.length): Token[] {
  const lexer = new Lexer(source.slice(0, end), start)
  const tokens: Token[] = []
  try {
    for (let token = lexer.next(); token; token = lexer.next()) if (token.kind !== "comment") tokens.push(token)
  } catch {
    return []
  }
  return tokens
}

/** Returns the possible texts of an expression, each as pieces. A result of which nothing is known is left out. */
export function findTexts(tokens: readonly Token[]): Piece[][] {
  return findOutcomes(tokens).flatMap((outcome) => {
    const pieces = readSum(outcome)
    return pieces.some((piece) => piece !== null) ? [joinPieces(pieces)] : []
  })
}

/** Returns the pieces of a sum such as `"a" + b`. Any other operand than a string or template literal is an unknown part. */
function readSum(tokens: readonly Token[]): Piece[] {
  return splitAt(tokens, "+").flatMap(toPieces)
}

/** Splits tokens at a mark that is outside all brackets. */
export function splitAt(tokens: readonly Token[], mark: string): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    depth += getDepthChange(token)
    if (depth === 0 && token.kind === "mark" && token.text === mark) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function toPieces(tokens: readonly Token[]): Piece[] {
  const [token] = tokens
  if (token?.kind === "string" && tokens.length === 1) return [parseStringLiteral(token.text)]
  return token?.kind === "template" ? readTemplatePieces(tokens) : [null]
}

/** Returns the pieces of a template literal. Its expressions are unknown parts. */
function readTemplatePieces(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (closesBracket(token)) depth--
    if (depth === 0 && token.kind !== "template") return [null]
    if (depth === 0) {
      if (at > 0) pieces.push(null)
      // With one character at each end, as quotes have, the text can be parsed as a string literal.
      pieces.push(parseStringLiteral(token.text.replace(/\$\{$/, "$")))
    }
    if (opensBracket(token)) depth++
  }
  return pieces
}

/** Joins adjacent pieces and removes empty ones. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (typeof piece === "string" && typeof last === "string") all[all.length - 1] = last + piece
    else if (piece !== "" && (piece !== null || last !== null)) all.push(piece)
  }
  return all
}
