/**
 * Decides whether markup may begin inside an expression. It must be a whole argument, Card({<b>a</b>}), or the whole
 * value of a property, { header: {<b>a</b>} }.
 */

import { Problem } from "../diagnostic.ts"
import { closesBracket, opensBracket } from "./brackets.ts"
import type { Token } from "./lexer.ts"

const blockFix = "Markup is not an expression: use {if (…) { … }} or {for (…) { … }} around it."
const withoutBracesFix = "Write the markup without braces around it."
const placesFix =
  "Markup may be a whole argument, {Card({<b>…</b>})}, or the whole value of a property, {Card({ title: {<b>…</b>} })}."
/** Words whose parentheses do not contain arguments. */
const statementWords = new Set("if while for switch catch with function".split(" "))
/** Marks after which a value must follow. A `<` after them is neither a comparison nor the start of type arguments. */
const marksBeforeValue = new Set("&& || ?? ? : => ( , [ = ! return".split(" "))
const whiteSpace = /\s*/y
/** The start of markup directly after its brace: a tag, whose name may be an expression. */
const markupStart = /<[A-Za-z{]/y
const tagStart = /<(?:[A-Za-z][\w:.-]*[\s/>]|>|\/[A-Za-z])/y
/** An end tag. It could also be a comparison with a regular expression, but nobody writes that without a space. */
const endTag = /<\/[A-Za-z][\w:.-]*\s*>/y
/** A fragment, an end tag or a comment. Markup cannot begin with them. */
const fragmentOrEndTag = /<[>/!]/y
const genericFunction = /<(?:const\s+)?[A-Z][\w$]*(?:\s+extends\b|\s*[,=]|\s*>\s*\()/y

const matchesAt = (pattern: RegExp, source: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(source)
}

/** Tracks the open brackets in the tokens of an expression. */
export class Nesting {
  readonly #tokens: readonly Token[]
  /** The indexes of the open brackets, innermost last. */
  readonly #open: number[] = []
  /** The index of the last bracket that was closed. */
  #lastClosed = -1

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Reads the token that was added last. */
  recordLastToken(): void {
    const last = this.#tokens.at(-1)
    if (closesBracket(last)) this.#lastClosed = this.#open.pop() ?? -1
    if (opensBracket(last)) this.#open.push(this.#tokens.length - 1)
  }

  /** True if the next token begins an argument, or the value of a property. */
  get beginsValue(): boolean {
    const at = this.#open.at(-1)
    const last = this.#tokens.at(-1)
    if (at === undefined || last?.kind !== "mark") return false
    const bracket = this.#tokens[at]?.text
    if (bracket === "(") return (last.text === "(" || last.text === ",") && this.#isCall(at)
    return bracket === "{" && last.text === ":" && this.#isKey()
  }

  /** Returns true if a parenthesis contains arguments. */
  #isCall(at: number): boolean {
    const previous = this.#tokens[at - 1]
    if (previous?.text === "?." || previous?.text === ">") return true
    return previous?.isOperand === true && !statementWords.has(previous.text)
  }

  /** Returns true if the last token is the colon after the name of a property, and not that of a condition. */
  #isKey(): boolean {
    const tokens = this.#tokens
    const key = tokens.at(-2)
    const isComputed = key?.text === "]"
    if (!isComputed && !/^(?:word|string|number)$/.test(key?.kind ?? "")) return false
    const previous = tokens[isComputed ? this.#lastClosed - 1 : tokens.length - 3]
    return previous?.text === "{" || previous?.text === ","
  }
}

/** Throws for markup without its own braces where a value is expected. */
export function refuseBareMarkup(source: string, token: Token, previous: Token | undefined, nesting: Nesting): void {
  if (token.text !== "<") return
  if (matchesAt(endTag, source, token.start)) {
    throw new Problem(token.start, "a tag cannot be inside an expression", `${blockFix} ${placesFix}`)
  }
  if (previous && !marksBeforeValue.has(previous.text)) return
  if (previous?.kind === "word" && previous.isOperand) return
  if (!matchesAt(tagStart, source, token.start) || matchesAt(genericFunction, source, token.start)) return
  const fix = nesting.beginsValue
    ? `Put braces around it: {<b>…</b>}. ${blockFix}`
    : previous
      ? blockFix
      : withoutBracesFix
  throw new Problem(token.start, "a tag cannot be inside an expression", fix)
}

/**
 * Returns true if a brace begins markup.
 *
 * @throws Problem if markup begins where it is not allowed.
 */
export function beginsMarkup(source: string, brace: Token, nesting: Nesting): boolean {
  if (brace.text !== "{" || brace.kind !== "mark") return false
  whiteSpace.lastIndex = brace.end
  whiteSpace.test(source)
  const at = whiteSpace.lastIndex
  const isDirect = at === brace.end
  if (nesting.beginsValue && matchesAt(fragmentOrEndTag, source, at)) {
    const fix = "Begin it with an element, {<b>…</b>}: there are no fragments. Text is a string."
    throw new Problem(at, "markup cannot begin like this", fix)
  }
  if (!matchesAt(isDirect ? markupStart : tagStart, source, at) || matchesAt(genericFunction, source, at)) return false
  if (!nesting.beginsValue) throw new Problem(brace.start, "markup is not allowed here", `${blockFix} ${placesFix}`)
  if (isDirect) return true
  throw new Problem(at, "there is white space before this tag", "Write it directly after the brace: {<b>…</b>}.")
}

/** Checks that nothing follows markup in its argument or value. @throws Problem if something does. */
export function checkWholeMarkup(previous: Token | undefined, token: Token): void {
  if (previous?.kind !== "markup" || /^[,)}]$/.test(token.text)) return
  throw new Problem(token.start, "this follows markup in the same argument or value", `${blockFix} ${placesFix}`)
}
