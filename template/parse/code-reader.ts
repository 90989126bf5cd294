/** Reads code in braces and parentheses, together with what the emitter must know about it. */

import type { Code, Markup, Node } from "../ast.ts"
import { isAsync } from "../check/node-facts.ts"
import { Problem } from "../diagnostic.ts"
import { hasAwait } from "../emit/async.ts"
import { closesBracket, findMissingClosers } from "./brackets.ts"
import { beginsMarkup, checkWholeMarkup, Nesting, refuseBareMarkup } from "./inline-markup.ts"
import { Lexer, type Token } from "./lexer.ts"
import { refuseTemplateToken } from "./next-part.ts"
import { keepPartialNodes, toUnfinishedNodes } from "./partial-nodes.ts"
import { findUnclosedBraces, refuseOpenParenthesis } from "./unclosed.ts"

/** Code, and the token at which it ends. */
export interface CodeReading {
  readonly code: Code
  /** The tokens of the code, without comments. */
  readonly tokens: readonly Token[]
  readonly stop: Token
}

/** How far code is read. */
export interface CodeLimits {
  /** Returns true if the code ends before a token that is outside of all brackets. */
  readonly endsBefore?: (token: Token, tokens: readonly Token[]) => boolean
  /** True if semicolons are allowed, as in the head of a loop. */
  readonly allowsSemicolons?: boolean
  /** True if the template is known to have an error. The code then also ends where the next part of the file begins. */
  readonly findsNextPart?: boolean
}

const reservedNameFix = "Names that start with $fw belong to the generated code. Choose another name."

/** Throws for names that are reserved for generated code. */
export function refuseReservedName(token: Token, previous: Token | undefined): void {
  if (token.kind !== "word" || !token.text.startsWith("$fw") || previous?.text === ".") return
  throw new Problem(token.start, `"${token.text}" is reserved`, reservedNameFix)
}

/** Reads the markup whose opening brace is at an offset. */
export type MarkupReader = (brace: number) => Markup

/**
 * Reads code up to a closing bracket that the code has not opened, or to the end that `limits` sets. White space at
 * both ends is left out; comments there belong to the code.
 *
 * @param readMarkup reads markup inside an argument. Without it, markup is not allowed.
 */
export function readCode(
  source: string,
  start: number,
  limits: CodeLimits = {},
  readMarkup?: MarkupReader,
): CodeReading {
  const reader = new CodeReader(source, start, readMarkup)
  return keepPartialNodes(
    () => reader.read(limits),
    (nodes) => reader.toUnfinishedNodes(nodes),
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
  #codeStart = -1
  #codeEnd: number
  /** The opening brace of the markup that is being read. */
  #markupBrace: Token | undefined
  #hasCommas = false
  #hasLineComment = false

  constructor(source: string, start: number, readMarkup: MarkupReader | undefined) {
    this.#source = source
    this.#start = start
    this.#codeEnd = start
    this.#lexer = new Lexer(source, start)
    this.#readMarkup = readMarkup
  }

  read({ endsBefore, allowsSemicolons = false, findsNextPart = false }: CodeLimits): CodeReading {
    const lexer = this.#lexer
    for (;;) {
      const isOutside = lexer.openBrackets.length === 0
      const { previous } = lexer
      const token = lexer.next()
      if (!token)
        throw new Problem(this.#start - 1, "these brackets are never closed", "Close the bracket that is opened here.")
      if (token.kind === "comment") {
        this.#extendCode(token)
        this.#hasLineComment ||= token.text.startsWith("//")
        continue
      }
      checkWholeMarkup(previous, token)
      if (isOutside && ((token.kind === "mark" && closesBracket(token)) || endsBefore?.(token, this.#tokens)))
        return this.#toReading(token)
      if (isOutside && token.text === ";" && !allowsSemicolons) {
        throw new Problem(token.start, "an expression cannot contain statements", 'Remove the ";".')
      }
      this.#hasCommas ||= isOutside && token.text === ","
      refuseReservedName(token, previous)
      if (findsNextPart) this.#refuseNextPart(token)
      this.#addToken(token, previous)
    }
  }

  #refuseNextPart(token: Token): void {
    refuseTemplateToken(this.#source, token)
    const before = this.#lexer.openBrackets.at(-2)?.start ?? this.#start - 1
    refuseOpenParenthesis(this.#source, before, token, this.#tokens)
  }

  /** Adds a token. If markup begins with it, adds the markup instead. */
  #addToken(token: Token, previous: Token | undefined): void {
    let tokenOrMarkup = token
    const open = this.#lexer.openBrackets.at(-1)?.start ?? this.#start - 1
    const problem = token.text === "<" && findUnclosedBraces(this.#source, open, token)
    if (problem) throw problem
    refuseBareMarkup(this.#source, token, previous, this.#nesting)
    if (beginsMarkup(this.#source, token, this.#nesting)) {
      this.#markupBrace = token
      const markup = this.#readMarkup?.(token.start)
      this.#markupBrace = undefined
      if (!markup) throw new Problem(token.start, "a script cannot contain markup", "Print JSON here: {{value}}.")
      this.#markup.push(markup)
      tokenOrMarkup = this.#lexer.skipMarkup(token, markup.end, markup.awaits)
    }
    this.#extendCode(tokenOrMarkup)
    this.#tokens.push(tokenOrMarkup)
    this.#nesting.recordLastToken()
  }

  #extendCode({ start, end }: Token): void {
    if (this.#codeStart < 0) this.#codeStart = start
    this.#codeEnd = end
  }

  #toReading(stop: Token): CodeReading {
    return { code: this.#toCode(), tokens: this.#tokens, stop }
  }

  #toCode(): Code {
    return {
      start: this.#codeStart < 0 ? this.#start : this.#codeStart,
      end: this.#codeEnd,
      hasCommas: this.#hasCommas,
      hasLineComment: this.#hasLineComment,
      awaits: hasAwait(this.#tokens),
      markup: this.#markup,
    }
  }

  /** Returns the code that was read before an error, with the nodes of the markup in it. */
  toUnfinishedNodes(nodes: readonly Node[]): Node[] {
    const brace = this.#markupBrace
    if (brace) {
      this.#markup.push({ start: brace.start, end: brace.end, nodes, awaits: isAsync(nodes) })
      this.#extendCode(brace)
    }
    if (this.#codeStart < 0) return []
    const code = this.#toCode()
    const end = this.#findCodeEnd(code)
    const tokens = this.#tokens.filter((token) => token.end <= end)
    const markup = code.markup.filter((one) => one.end <= end)
    const isAsyncCode = hasAwait(tokens) || markup.some((one) => one.awaits)
    return toUnfinishedNodes({
      ...code,
      end,
      markup,
      awaits: isAsyncCode,
      missingClosers: findMissingClosers(tokens),
    })
  }

  /** Returns where code without an end should end: before a tag at the start of a line that is not in its markup. */
  #findCodeEnd({ start, end, markup }: Code): number {
    const [first] = markup
    const text = this.#source.slice(start, first?.start ?? end)
    const at = text.search(/\n[^\S\n]*<[A-Za-z/!]/)
    return at < 0 ? end : start + text.slice(0, at).trimEnd().length
  }
}

/** Returns the first token at or after `start` that is not a comment, and whether there is a comment before it. */
export function findFirstToken(source: string, start: number): { token: Token | undefined; hasComment: boolean } {
  const lexer = new Lexer(source, start)
  let token = lexer.next()
  const hasComment = token?.kind === "comment"
  while (token?.kind === "comment") token = lexer.next()
  return { token, hasComment }
}
