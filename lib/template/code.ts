/** Reads the code inside braces and parentheses to its end, with the facts that the emitter needs. */

import type { Code, Markup } from "./ast.ts"
import { awaits } from "./async.ts"
import { closes } from "./brackets.ts"
import { Problem } from "./diagnostic.ts"
import { beginsMarkup, checkWhole, Nesting, refuseBareMarkup } from "./inline-markup.ts"
import { Lexer, type Token } from "./lexer.ts"
import { unclosedBraces } from "./unclosed.ts"

/** Code, and the token before which it ended. */
export interface Reading {
  readonly code: Code
  /** Its tokens without comments. */
  readonly tokens: readonly Token[]
  readonly stop: Token
}

/** Limits of the code to read. */
export interface Limits {
  /** Returns true if the code ends before this token, which is outside all brackets. */
  readonly ends?: (token: Token, tokens: readonly Token[]) => boolean
  /** True if `;` is allowed, as in the header of a loop. */
  readonly semicolons?: boolean
}

const reserved = "Names that start with $fw belong to the generated code. Choose another name."

/** Throws for names that the generated code uses. */
export function refuseReserved(token: Token, previous: Token | undefined): void {
  if (token.kind !== "word" || !token.text.startsWith("$fw") || previous?.text === ".") return
  throw new Problem(token.start, `"${token.text}" is reserved`, reserved)
}

/** Reads the markup whose brace is at an offset. */
export type MarkupReader = (brace: number) => Markup

/**
 * Reads code from `start` to a closing bracket that it did not open, or to the end that `limits.ends` sets.
 * The result is trimmed; comments at its ends belong to it.
 *
 * @param readMarkup reads markup in an argument; without it there is none.
 */
export function readCode(
  source: string,
  start: number,
  limits: Limits = {},
  readMarkup?: MarkupReader,
): Reading {
  return new CodeReader(source, start, readMarkup).read(limits)
}

class CodeReader {
  readonly #source: string
  readonly #start: number
  readonly #lexer: Lexer
  readonly #readMarkup: MarkupReader | undefined
  readonly #tokens: Token[] = []
  readonly #nesting = new Nesting(this.#tokens)
  readonly #markup: Markup[] = []
  #first = -1
  #last: number
  #commas = false
  #lineComment = false

  constructor(source: string, start: number, readMarkup: MarkupReader | undefined) {
    this.#source = source
    this.#start = start
    this.#last = start
    this.#lexer = new Lexer(source, start)
    this.#readMarkup = readMarkup
  }

  read({ ends, semicolons = false }: Limits): Reading {
    const lexer = this.#lexer
    for (;;) {
      const isOutside = lexer.open.length === 0
      const { previous } = lexer
      const token = lexer.next()
      if (!token)
        throw new Problem(
          this.#start - 1,
          "these brackets are never closed",
          "Close the bracket that is opened here.",
        )
      if (token.kind === "comment") {
        this.#reached(token)
        this.#lineComment ||= token.text.startsWith("//")
        continue
      }
      checkWhole(previous, token)
      if (isOutside && ((token.kind === "mark" && closes(token)) || ends?.(token, this.#tokens)))
        return this.#reading(token)
      if (isOutside && token.text === ";" && !semicolons) {
        throw new Problem(token.start, "an expression cannot contain statements", 'Remove the ";".')
      }
      this.#commas ||= isOutside && token.text === ","
      refuseReserved(token, previous)
      this.#take(token, previous)
    }
  }

  /** Adds a token, or the markup that begins with it. */
  #take(token: Token, previous: Token | undefined): void {
    let taken = token
    const open = this.#lexer.open.at(-1)?.start ?? this.#start - 1
    const unclosed = token.text === "<" && unclosedBraces(this.#source, open, token)
    if (unclosed) throw unclosed
    refuseBareMarkup(this.#source, token, previous, this.#nesting)
    if (beginsMarkup(this.#source, token, this.#nesting)) {
      const markup = this.#readMarkup?.(token.start)
      if (!markup)
        throw new Problem(token.start, "a script cannot contain markup", "Print JSON here: {{value}}.")
      this.#markup.push(markup)
      taken = this.#lexer.skipMarkup(token, markup.end, markup.awaits)
    }
    this.#reached(taken)
    this.#tokens.push(taken)
    this.#nesting.added()
  }

  #reached({ start, end }: Token): void {
    if (this.#first < 0) this.#first = start
    this.#last = end
  }

  #reading(stop: Token): Reading {
    const code = {
      start: this.#first < 0 ? this.#start : this.#first,
      end: this.#last,
      commas: this.#commas,
      lineComment: this.#lineComment,
      awaits: awaits(this.#tokens),
      markup: this.#markup,
    }
    return { code, tokens: this.#tokens, stop }
  }
}

/** Returns the first token at or after `start` that is not a comment, and if a comment comes before it. */
export function firstToken(source: string, start: number): { token: Token | undefined; commented: boolean } {
  const lexer = new Lexer(source, start)
  let token = lexer.next()
  const commented = token?.kind === "comment"
  while (token?.kind === "comment") token = lexer.next()
  return { token, commented }
}
