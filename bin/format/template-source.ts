/** The source of a template: its tokens and comments, and the white space between nodes. */

import { locate } from "../../lib/scan/position.ts"
import type { Code, Markup, Span } from "../../template/ast.ts"
import { findFirstToken } from "../../template/parse/code-reader.ts"
import { Lexer, type Token } from "../../template/parse/lexer.ts"
import { anchor, concat, type Doc, hardLine, type TextLine, toLines } from "./document.ts"
import { countColumns, type LineStyle } from "./layout.ts"

/** Converts the markup inside code. */
export type MarkupWriter = (markup: Markup) => Doc

const blankRun = /\s*/y

/** The source of a template, with methods that convert its parts to documents. */
export class TemplateSource {
  readonly text: string
  readonly #style: LineStyle
  /** The offsets at which lines start. */
  readonly #lineStarts: readonly number[]

  constructor(text: string, style: LineStyle) {
    this.text = text
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)]
    this.#style = style
  }

  /** Returns the text of a range. */
  slice({ start, end }: Span): string {
    return this.text.slice(start, end)
  }

  /** Returns the tokens and comments of a range. Markup is a single token. Brackets may be unclosed at the end. */
  readTokens({ start, end }: Span, markup: readonly Markup[] = []): Token[] {
    const lexer = new Lexer(this.text.slice(0, end), start)
    const found: Token[] = []
    for (;;) {
      blankRun.lastIndex = lexer.position
      if (blankRun.test(lexer.source) && blankRun.lastIndex >= end) return found
      const token = lexer.next()
      if (!token) return found
      const inner = markup.find((one) => one.start === token.start)
      found.push(inner ? lexer.skipMarkup(token, inner.end, inner.awaits) : token)
    }
  }

  /** Returns the indentation of the line at an offset, in columns. */
  countIndent(offset: number): number {
    const { line } = locate(this.#lineStarts, offset)
    return countColumns(this.text.slice(this.#lineStarts[line], offset), this.#style)
  }

  /**
   * Converts code. Its other lines are indented together with the first one. Lines in a template literal or string
   * stay unchanged.
   */
  writeCode(span: Span, markup: readonly Markup[], write: MarkupWriter): Doc {
    const tokens = this.readTokens(span, markup)
    const [first, last] = [tokens[0], tokens.at(-1)]
    if (!first || !last) return ""
    const parts: Doc[] = []
    const literalTokens = tokens.filter(({ kind }) => kind === "template" || kind === "string")
    let from = first.start
    for (const inner of [...markup.filter((one) => one.end <= last.end), undefined]) {
      const to = inner?.start ?? last.end
      parts.push(this.#writeLines({ start: from, end: to }, literalTokens, this.countIndent(first.start)))
      if (!inner) break
      parts.push(write(inner))
      from = inner.end
    }
    if (last.kind === "comment" && last.text.startsWith("//")) parts.push(hardLine)
    return parts.length === 1 && typeof parts[0] === "string" ? parts[0] : anchor(concat(...parts))
  }

  #writeLines({ start, end }: Span, literalTokens: readonly Token[], base: number): Doc {
    const lines: TextLine[] = []
    let from = start
    let ending: string | undefined
    let isKept = false
    const breaks = /\r\n|\n|\r/g
    breaks.lastIndex = start
    for (;;) {
      const found = breaks.exec(this.text)
      const isLast = !found || found.index >= end
      const stop = isLast ? end : found.index
      const staysAtEnd = !isLast && literalTokens.some((token) => token.start < stop && stop < token.end)
      const text = this.text.slice(from, stop)
      const trimmed = staysAtEnd || isLast ? text : text.replace(/[ \t]+$/, "")
      if (lines.length === 0 || isKept) lines.push({ text: trimmed, ending })
      else lines.push({ text: trimmed.replace(/^[ \t]+/, ""), offset: countColumns(text, this.#style) - base })
      if (isLast) return toLines(lines)
      from = breaks.lastIndex
      isKept = staysAtEnd
      ending = staysAtEnd ? found[0] : undefined
    }
  }

  /** Converts a comment. Its other lines are indented together with the first one. */
  writeComment(span: Span): Doc {
    return anchor(this.#writeLines(span, [], this.countIndent(span.start)))
  }

  /**
   * Converts marks and words, such as `} else {`. Returns `text` if the range contains no comment; otherwise the
   * tokens and comments with spaces between them.
   */
  writeMarks(span: Span, text: string): Doc {
    if (!/\/[/*]/.test(this.slice(span))) return text
    const parts: Doc[] = []
    let isBroken = true
    for (const token of this.readTokens(span)) {
      if (!isBroken) parts.push(" ")
      isBroken = token.text.startsWith("//") || token.text === "{"
      parts.push(token.kind === "comment" ? this.writeComment(token) : token.text)
      if (isBroken && token.kind === "comment") parts.push(hardLine)
    }
    if (/^\s/.test(text)) parts.unshift(" ")
    if (/\s$/.test(text) && !isBroken) parts.push(" ")
    return concat(...parts)
  }

  /** Converts the comments in a range. */
  writeComments(span: Span): Doc[] {
    return this.readTokens(span).flatMap((token) => (token.kind === "comment" ? [this.writeComment(token)] : []))
  }

  /** Returns the range of the parentheses around code. */
  findParentheses(from: number, code: Code): Span {
    const before = this.readTokens({ start: from, end: code.start }).findLast(({ text }) => text === "(")
    const after = findFirstToken(this.text, code.end).token
    return { start: before?.start ?? code.start, end: after?.end ?? code.end }
  }
}
