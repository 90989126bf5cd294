/**
 * Splits a script at its interpolations. Refuses interpolations where no value is allowed, and where JSON could become
 * code.
 */

import type { Node } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { Cursor } from "./cursor.ts"
import { Lexer, type Token } from "./lexer.ts"
import { keepPartialNodes } from "./partial-nodes.ts"

const twoBracesFix = "For two literal braces, put a space between them."
const constFix = "Put the value into a const first, on a line of its own: const name = {{name}}."

/** Words after which no value may follow. */
const wordsWithoutValue = new Set("const export extends import let new var".split(" "))
const marksWithoutValue = new Set(". ?. ++ -- # @ ) }".split(" "))
/**
 * Words that are names in some scripts and keywords in others. A `/` after them can be a division or begin a regular
 * expression.
 */
const contextualKeywords = new Set("async await let of yield".split(" "))
/** Statements that end with their line. A regular expression may begin on the next line. */
const lineBreakStatements = new Set("break continue debugger".split(" "))
const lineBreak = /[\n\r\u2028\u2029]/g
/** Maximum number of characters in which the end of a regular expression is looked for. */
const maxRegexLength = 1_000
const regexBody = /^\/(?:[^\\/[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*\])+\//

/** Splits a script at its interpolations. */
export class ScriptParser {
  readonly #source: string
  readonly #end: number
  readonly #place: "script" | "json"
  readonly #lexer: Lexer
  readonly #nodes: Node[] = []
  #verbatimStart: number
  /** The last token but one. */
  #tokenBeforeLast: Token | undefined = undefined
  readonly #foundPositions = new Map<string | RegExp, number>()

  constructor(source: string, start: number, end: number, place: "script" | "json") {
    this.#source = source
    this.#end = end
    this.#place = place
    this.#verbatimStart = start
    this.#lexer = new Lexer(source.slice(0, end), start)
  }

  parse(): Node[] {
    return keepPartialNodes(
      () => this.#parse(),
      (nodes) => [...this.#nodes, ...nodes],
    )
  }

  #parse(): Node[] {
    for (;;) {
      const { previous } = this.#lexer
      const token = this.#lexer.next()
      if (!token) break
      this.#refuseUnclearSlash(token, previous)
      if (token.kind === "mark" && token.text === "{" && this.#source[token.end] === "{") {
        this.#interpolate(token, previous)
      } else if (token.kind !== "mark" && token.text.includes("{{")) {
        const tokenName =
          token.kind === "template" ? "template literal" : token.kind === "regex" ? "regular expression" : token.kind
        const at = token.start + token.text.indexOf("{{")
        const fix = "Print the value by itself, const name = {{name}}, and use it here."
        throw new Problem(at, `"{{" is not allowed in a ${tokenName}`, fix)
      }
      if (token.kind !== "comment") this.#tokenBeforeLast = previous
    }
    this.#addVerbatimUntil(this.#end)
    return this.#nodes
  }

  /** Throws if browsers may read the text after a slash in another way than the lexer. */
  #refuseUnclearSlash({ kind, start, text }: Token, previous: Token | undefined): void {
    if (kind === "mark") this.#refuseComments(start, text, previous)
    if (text[0] !== "/" || kind === "comment" || !this.#isUnclearSlash(previous)) return
    const interpolation = this.#findNext("{{", start)
    if (interpolation === this.#end) return
    const lineEnd = this.#findNext(lineBreak, start)
    const isInside = interpolation < lineEnd
    // Both readings agree on the rest, unless one of them skips a quote.
    const body = this.#source.slice(start, Math.min(lineEnd, start + maxRegexLength))
    if (!isInside && (previous?.text === ")" || !/["'`]|\/\*/.test(regexBody.exec(body)?.[0] ?? ""))) return
    throw new Problem(
      isInside ? interpolation : start,
      `the "/" after "${previous?.text}" may divide or begin a regular expression`,
      isInside ? constFix : "Put a ; before a regular expression, or the divided value into a const first.",
    )
  }

  /** Throws for comments that exist only in scripts that are not modules (ECMAScript §12.5, annex B.1.1). */
  #refuseComments(start: number, text: string, previous: Token | undefined): void {
    const refuse = (mark: string, instead: string): void => {
      if (!this.#source.startsWith(mark, start)) return
      const fix = `Write ${instead}, or // for a comment.`
      throw new Problem(start, `"${mark}" begins a comment in a script`, fix)
    }
    if (text === "<") refuse("<!--", "< !--")
    else if (text === "#" && !previous) refuse("#!", "//")
    else if (text === "--" && (!previous || searchFrom(lineBreak, this.#source.slice(previous.end, start), 0) >= 0))
      refuse("-->", "-- >")
  }

  /**
   * Returns the next position of a text or pattern, at or after `at`; the end of the script if there is none. The
   * result is stored, so that nothing is searched twice.
   */
  #findNext(searched: string | RegExp, at: number): number {
    const storedPosition = this.#foundPositions.get(searched)
    if (storedPosition !== undefined && storedPosition >= at) return storedPosition
    const match =
      typeof searched === "string"
        ? this.#lexer.source.indexOf(searched, at)
        : searchFrom(searched, this.#lexer.source, at)
    const position = match < 0 ? this.#end : match
    this.#foundPositions.set(searched, position)
    return position
  }

  /** Returns true if a `/` after a token may be a division or begin a regular expression. */
  #isUnclearSlash(previous: Token | undefined): boolean {
    if (!previous) return false
    const { kind, text, isOperand } = previous
    if (kind === "mark") return /^(?:[)}!]|\+\+|--)$/.test(text) && (isOperand || text === ")" || text === "}")
    if (kind !== "word") return false
    return (
      lineBreakStatements.has(text) ||
      contextualKeywords.has(text) ||
      lineBreakStatements.has(this.#tokenBeforeLast?.text ?? "")
    )
  }

  #addVerbatimUntil(end: number): void {
    if (end > this.#verbatimStart) {
      this.#addVerbatim(this.#verbatimStart, end)
    }
  }

  #addVerbatim(start: number, end: number, text = this.#source.slice(start, end)): void {
    this.#nodes.push({ kind: "verbatim", text, start, end })
  }

  #interpolate(token: Token, previous: Token | undefined): void {
    if (
      previous &&
      (previous.isOperand || wordsWithoutValue.has(previous.text) || marksWithoutValue.has(previous.text))
    ) {
      throw new Problem(token.start, '"{{" is where JavaScript takes no value', twoBracesFix)
    }
    const cursor = new Cursor(this.#source, token.end + 1)
    const { code, stop } = cursor.readExpression(token.start)
    const end = stop.end + 1
    if (this.#source[stop.end] !== "}") {
      throw new Problem(token.start, 'this "{{" is never closed', 'Close it with "}}".')
    }
    if (end > this.#end) throw new Problem(token.start, "this expression contains an end tag", "Split it.")
    this.#addVerbatimUntil(token.start)
    const { start } = token
    if (/[\w$+\-\u0080-\uffff]/.test(this.#source[start - 1] ?? "")) this.#addVerbatim(start, start, " ")
    this.#nodes.push({ kind: "expression", start, end, code, place: this.#place, isChildren: false })
    if (/[\w$.\u0080-\uffff]/.test(this.#source[end] ?? "")) this.#addVerbatim(end, end, " ")
    this.#verbatimStart = end
    this.#lexer.openBrackets.pop()
    this.#lexer.position = end
    this.#lexer.previous = { ...token, isOperand: true, end }
  }
}

function searchFrom(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.index ?? -1
}
