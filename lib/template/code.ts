/** Reads the code inside braces and parentheses to its end, with the facts that the emitter needs. */

import type { Code, Markup, Node } from "./ast.ts"
import { awaits } from "./async.ts"
import { closes, missingAfter } from "./brackets.ts"
import { Problem } from "./diagnostic.ts"
import { isAsync } from "./facts.ts"
import { beginsMarkup, checkWhole, Nesting, refuseBareMarkup } from "./inline-markup.ts"
import { keeping, unfinished } from "./keeping.ts"
import { Lexer, type Token } from "./lexer.ts"
import { refuseTemplateToken } from "./next-template.ts"
import { refuseOpenParenthesis, unclosedBraces } from "./unclosed.ts"

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
  /** True if the code belongs to a template with an error, which the beginning of the next part of the file ends. */
  readonly findsNextPart?: boolean
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
  const reader = new CodeReader(source, start, readMarkup)
  return keeping(
    () => reader.read(limits),
    (nodes) => reader.unfinished(nodes),
  )
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
  /** The brace of the markup that is being read. */
  #brace: Token | undefined
  #commas = false
  #lineComment = false

  constructor(source: string, start: number, readMarkup: MarkupReader | undefined) {
    this.#source = source
    this.#start = start
    this.#last = start
    this.#lexer = new Lexer(source, start)
    this.#readMarkup = readMarkup
  }

  read({ ends, semicolons = false, findsNextPart = false }: Limits): Reading {
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
      if (findsNextPart) this.#refuseNextPart(token)
      this.#take(token, previous)
    }
  }

  #refuseNextPart(token: Token): void {
    refuseTemplateToken(this.#source, token)
    const before = this.#lexer.open.at(-2)?.start ?? this.#start - 1
    refuseOpenParenthesis(this.#source, before, token, this.#tokens)
  }

  /** Adds a token, or the markup that begins with it. */
  #take(token: Token, previous: Token | undefined): void {
    let taken = token
    const open = this.#lexer.open.at(-1)?.start ?? this.#start - 1
    const unclosed = token.text === "<" && unclosedBraces(this.#source, open, token)
    if (unclosed) throw unclosed
    refuseBareMarkup(this.#source, token, previous, this.#nesting)
    if (beginsMarkup(this.#source, token, this.#nesting)) {
      this.#brace = token
      const markup = this.#readMarkup?.(token.start)
      this.#brace = undefined
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
    return { code: this.#code(), tokens: this.#tokens, stop }
  }

  #code(): Code {
    return {
      start: this.#first < 0 ? this.#start : this.#first,
      end: this.#last,
      commas: this.#commas,
      lineComment: this.#lineComment,
      awaits: awaits(this.#tokens),
      markup: this.#markup,
    }
  }

  /** Returns the code that was read before an error, with the nodes of markup in it. */
  unfinished(nodes: readonly Node[]): Node[] {
    const brace = this.#brace
    if (brace) {
      this.#markup.push({ start: brace.start, end: brace.end, nodes, awaits: isAsync(nodes) })
      this.#reached(brace)
    }
    if (this.#first < 0) return []
    const code = this.#code()
    const end = this.#tagAfter(code)
    const tokens = this.#tokens.filter((token) => token.end <= end)
    const markup = code.markup.filter((one) => one.end <= end)
    const isAsyncCode = awaits(tokens) || markup.some((one) => one.awaits)
    return unfinished({ ...code, end, markup, awaits: isAsyncCode, missing: missingAfter(tokens) })
  }

  /** Returns where code ends that was not closed: before a tag at the start of a line, which is not in its markup. */
  #tagAfter({ start, end, markup }: Code): number {
    const [first] = markup
    const text = this.#source.slice(start, first?.start ?? end)
    const at = text.search(/\n[^\S\n]*<[A-Za-z/!]/)
    return at < 0 ? end : start + text.slice(0, at).trimEnd().length
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
