/**
 * Creates the shadow of a template for programs that read HTML: everything except markup is replaced by spaces, so
 * that all offsets stay the same.
 */

import type { Template, TypeScriptPart } from "../../../template/ast.ts"
import { opaqueElements, textElements } from "../../../template/check/elements.ts"
import { Problem } from "../../../template/diagnostic.ts"
import { parseModule } from "../../../template/module.ts"
import { Cursor } from "../../../template/parse/cursor.ts"
import { parseHeader } from "../../../template/parse/header.ts"
import { Lexer, type Token } from "../../../template/parse/lexer.ts"
import { parseBlock } from "../../../template/parse/markup.ts"
import type { Block, Shadow, Span, StylePart, Tag, TemplateBody } from "./shadow-parts.ts"

const tagStart = /<\/?[A-Za-z][^\s/>{}<"'=]*/y
/** Matches the marks that end plain text in markup. */
const textEnd = /[<{}]/g
const blockWord = /^(?:if|for|switch)$/
const markupInCode = /\{<[A-Za-z{]/y
/** Matches where an unclosed style element ends: at the next tag, or at the end of the template. */
const afterStyle = /<\/?[A-Za-z]|^\}/m
const styleAttribute = /[\s"']style\s*=\s*$/i
/** Matches the start of a style element whose content is in another language than CSS. */
const otherLanguage = /\stype\s*=\s*["']?(?!text\/css\b|["'])/i

/** The number of tokens that may be read in one file without a result. */
const maxWastedTokens = 20_000
/**
 * The number of tokens that code with an error counts for, at least. An unclosed comment is a single token that
 * reaches to the end of the file.
 */
const minErrorTokens = 100

/**
 * Reads the markup. Incomplete markup is read as far as possible, because the user may be writing it. The parser of
 * templates ends at the first error, so it is asked only where templates and their bodies begin, and where markup in
 * code ends.
 */
export function readShadow(
  source: string,
  parts: readonly (TypeScriptPart | Template)[] = parseModule(source).parts,
): Shadow {
  const templates = parts.filter((part) => part.kind === "template")
  const reader = new ShadowReader(source)
  for (const [at, template] of templates.entries()) reader.readTemplate(template, templates[at + 1]?.start)
  return reader.toShadow()
}

interface OpenBlock extends Block {
  end: number
  readonly bodies: (Span & { end: number })[]
}

class ShadowReader {
  readonly #source: string
  readonly #copies: (Span & { readonly quote?: string })[] = []
  readonly #code: Span[] = []
  readonly #bodies: TemplateBody[] = []
  readonly #blocks: OpenBlock[] = []
  readonly #tags: Tag[] = []
  /** The open blocks. The innermost is the last. */
  #openBlocks: OpenBlock[] = []
  readonly #styles: StylePart[] = []
  /**
   * The number of tokens that may still be read without a result. The limit keeps a file with many errors as fast
   * as one without errors.
   */
  #tokensLeft = maxWastedTokens
  #position = 0
  /** The source up to the end of the template that is read. */
  #text = ""
  /** Names of elements that have no end tag in the rest of the template. It is searched only once. */
  readonly #unclosedNames = new Set<string>()
  /**
   * What each open brace contains, the innermost last: markup, or the code between the branches of an `if` or the
   * cases of a `switch`.
   */
  #openContexts: ("markup" | "code" | "cases")[] = []

  constructor(source: string) {
    this.#source = source
  }

  toShadow(): Shadow {
    let text = ""
    let last = 0
    const blank = (start: number, end: number): string =>
      this.#source.slice(start, end).replace(/[^\r\n]+/g, (line) => " ".repeat(line.length))
    for (const { start, end, quote } of this.#copies) {
      text += blank(last, start) + (quote ?? this.#source.slice(start, end))
      last = end
    }
    return {
      text: text + blank(last, this.#source.length),
      code: this.#code,
      bodies: this.#bodies,
      blocks: this.#blocks,
      tags: this.#tags,
      styles: this.#styles,
    }
  }

  readTemplate({ start, name, nameStart }: Template, end = this.#source.length): void {
    const nameSpan = { start: nameStart, end: nameStart + name.length }
    this.#text = this.#source.slice(0, end)
    this.#openBlocks = []
    this.#unclosedNames.clear()
    const header = readOrNothing(() => parseHeader(new Cursor(this.#text, nameSpan.end), name))
    const brace = header?.braceStart ?? this.#findBrace(nameSpan.end)
    if (brace === undefined) return
    this.#position = brace + 1
    this.#openContexts = ["markup"]
    while (this.#position < end && this.#openContexts.length > 0) {
      if (this.#openContexts.at(-1) === "markup") this.#readMarkup()
      else this.#readBetweenBlocks()
    }
    this.#bodies.push({
      keywordStart: start,
      name: nameSpan,
      start: brace + 1,
      end: this.#openContexts.length === 0 ? this.#position - 1 : end,
    })
  }

  /** Begins a block at a brace. */
  #openBlock(word: string): void {
    const block = { word, start: this.#position, end: this.#text.length, bodies: [] }
    this.#blocks.push(block)
    this.#openBlocks.push(block)
    this.#openContexts.push("code")
  }

  /** Begins the markup of the innermost block. */
  #openBody(): void {
    this.#openContexts.push("markup")
    this.#openBlocks.at(-1)?.bodies.push({ start: this.#position, end: this.#text.length })
  }

  #copy(end: number): void {
    this.#copies.push({ start: this.#position, end })
    this.#position = end
  }

  #skipCode(end: number): void {
    this.#code.push({ start: this.#position, end })
    this.#position = end
  }

  #readMarkup(): void {
    const source = this.#text
    const character = source[this.#position]
    tagStart.lastIndex = this.#position
    const [tag] = tagStart.exec(source) ?? []
    if (tag !== undefined) this.#readTag(tag)
    else if (source.startsWith("<!--", this.#position)) {
      const start = this.#position
      this.#copy(this.#findEnd("-->") ?? source.length)
      this.#tags.push({ kind: "comment", start, end: this.#position, name: { start, end: start }, isSelfClosed: true })
    } else if (source.startsWith("<![CDATA[", this.#position)) {
      this.#copy(this.#findEnd("]]>") ?? source.length)
    } else if (character === "}") {
      this.#openContexts.pop()
      const body = this.#openBlocks.at(-1)?.bodies.at(-1)
      if (body) body.end = this.#position
      this.#skipCode(this.#position + 1)
    } else if (character === "{") this.#readBraces()
    else {
      textEnd.lastIndex = this.#position + 1
      this.#copy(textEnd.exec(source)?.index ?? source.length)
    }
  }

  #readTag(tag: string): void {
    const start = this.#position
    const name = { start: start + (tag[1] === "/" ? 2 : 1), end: start + tag.length }
    this.#copy(name.end)
    const isWhole = this.#readAttributes()
    const text = this.#text.slice(start, this.#position)
    const kind = tag[1] === "/" ? "end" : "start"
    this.#tags.push({ kind, start, end: this.#position, name, isSelfClosed: text.endsWith("/>") })
    if (!isWhole || kind === "end" || text.endsWith("/>")) return
    const element = tag.slice(1).toLowerCase()
    if (element === "script" || element === "style" || opaqueElements.has(element))
      this.#readLiteralContent(element, text)
    else if (textElements.has(element)) this.#readTextContent(element)
  }

  /** Reads the rest of a tag. Returns false if another tag begins before its end. */
  #readAttributes(): boolean {
    while (this.#position < this.#text.length) {
      const character = this.#text[this.#position] ?? ""
      if (character === "<" || character === "}") return false
      if (character === '"' || character === "'") this.#readQuoted(character)
      else if (character === "{") this.#readValue()
      else this.#copy(this.#position + 1)
      if (character === ">") break
    }
    return true
  }

  #readQuoted(quote: string): void {
    const start = this.#position + 1
    const isStyle = styleAttribute.test(this.#text.slice(Math.max(0, start - 20), start - 1))
    this.#copy(this.#findQuoteEnd(quote))
    if (!isStyle) return
    const isClosed = this.#position > start && this.#text[this.#position - 1] === quote
    const end = isClosed ? this.#position - 1 : this.#position
    this.#styles.push({ kind: "declarations", start, end, isClosed })
  }

  /** Returns the offset of the end tag of an element; undefined if there is none in the template. */
  #findEndTag(name: string): number | undefined {
    if (this.#unclosedNames.has(name)) return undefined
    const found = this.#text.slice(this.#position).search(new RegExp(`</${name}`, "i"))
    if (found >= 0) return this.#position + found
    this.#unclosedNames.add(name)
    return undefined
  }

  /** Reads text with expressions, as in a title. */
  #readTextContent(name: string): void {
    const end = this.#findEndTag(name)
    while (end !== undefined && this.#position < end) {
      if (this.#text[this.#position] === "{") this.#skipCode(this.#findExpressionEnd(this.#position))
      else {
        const brace = this.#text.indexOf("{", this.#position)
        this.#copy(brace < 0 ? end : Math.min(brace, end))
      }
    }
  }

  /** Reads the content of an element that contains no markup, such as a script or a style. */
  #readLiteralContent(name: string, tag: string): void {
    const start = this.#position
    const end = this.#findEndTag(name)
    if (end !== undefined) this.#copy(end)
    else if (name === "style") {
      const next = this.#text.slice(start).search(afterStyle)
      this.#copy(next < 0 ? this.#text.length : start + next)
    }
    if (name !== "style" || otherLanguage.test(tag)) return
    this.#styles.push({ kind: "sheet", start, end: this.#position, isClosed: end !== undefined })
  }

  /** Returns the offset after a quoted value. For a value without a closing quote, it is the end of the line. */
  #findQuoteEnd(quote: string): number {
    const end = this.#text.indexOf(quote, this.#position + 1)
    return end < 0 ? this.#findLineEnd(this.#position) : end + 1
  }

  /** Returns the offset after a text; undefined if there is none in the template. */
  #findEnd(text: string): number | undefined {
    const at = this.#text.indexOf(text, this.#position)
    return at < 0 ? undefined : at + text.length
  }

  #findLineEnd(from: number): number {
    const end = this.#text.indexOf("\n", from + 1)
    return end < 0 ? this.#text.length : end
  }

  /** Reads `{expression}` in a tag. After `=` it is a value, and gets quotes in the shadow. */
  #readValue(): void {
    const start = this.#position
    const end = this.#findExpressionEnd(start)
    const braces = this.#text[start - 1] === "=" ? new Set([start, end - 1]) : []
    this.#copies.push(...[...braces].map((at) => ({ start: at, end: at + 1, quote: '"' })))
    this.#skipCode(end)
  }

  #readBraces(): void {
    const start = this.#position
    const first = this.#findFirstToken(start + 1)
    const isDefer = first?.text === "defer" && this.#findFirstToken(first.end)?.text === "{"
    const word = first && (isDefer || blockWord.test(first.text)) ? first : undefined
    const brace = first?.text === "const" ? undefined : this.#findBrace(word?.end ?? start + 1, word === undefined)
    if (word || brace !== undefined) this.#openBlock(word?.text ?? "call")
    if (brace !== undefined) this.#skipCode(brace + 1)
    else this.#skipCode(word ? this.#findLineEnd(start) : this.#findExpressionEnd(start))
    if (brace === undefined) return
    if (word?.text === "switch") this.#openContexts.push("cases")
    else this.#openBody()
  }

  /** Reads code between two branches: `else {`, `case 1: {`, or the brace that ends the block. */
  #readBetweenBlocks(): void {
    const brace = this.#findBrace(this.#position)
    if (brace !== undefined) {
      this.#skipCode(brace + 1)
      this.#openBody()
    } else {
      const isBlock = this.#openContexts.pop() === "code"
      this.#skipCode(this.#findClosingBrace(this.#position) ?? this.#findLineEnd(this.#position))
      const block = isBlock ? this.#openBlocks.pop() : undefined
      if (block) block.end = this.#position
    }
  }

  /** Returns the next token that is not a comment; undefined for code that cannot be read. */
  #findFirstToken(from: number): Token | undefined {
    let found: Token | undefined
    this.#scanTokens(from, (_, token) => {
      if (token.kind === "comment") return undefined
      found = token
      return token.start
    })
    return found
  }

  /** Returns the offset of the next brace outside all brackets; undefined if a closing bracket comes first. */
  #findBrace(from: number, isAfterCall = false): number | undefined {
    return this.#scanTokens(from, (lexer, { text, start }, before) => {
      if (lexer.openBrackets.length === 1 && text === "{") return !isAfterCall || before === ")" ? start : null
      return lexer.openBrackets.length === 0 && text === "}" ? null : undefined
    })
  }

  /**
   * Returns the offset after the braces that begin at an offset. If they have no end, returns the end of their line.
   */
  #findExpressionEnd(brace: number): number {
    return this.#findClosingBrace(brace + 1) ?? this.#findLineEnd(brace)
  }

  /** Returns the offset after the brace that closes the braces around an offset. */
  #findClosingBrace(from: number): number | undefined {
    return this.#scanTokens(from, (_lexer, { text, end }, _before, depth) =>
      depth === 0 && text === "}" ? end : undefined,
    )
  }

  /** Returns the offset after markup in code, such as an argument; undefined if the parser cannot read it. */
  #findMarkupEnd(brace: number): number | undefined {
    const cursor = new Cursor(this.#text, brace + 1, parseBlock)
    return readOrNothing(() => parseBlock(cursor, "html", brace)) && cursor.position
  }

  /**
   * Reads tokens until a function returns an offset, or null to stop. Returns undefined if it stopped, or if the
   * code cannot be parsed.
   *
   * @param visit gets a token, the text of the one before it, and how many brackets were open before it.
   */
  #scanTokens(
    from: number,
    visit: (lexer: Lexer, token: Token, before: string | undefined, depth: number) => number | null | undefined,
  ): number | undefined {
    const lexer = new Lexer(this.#text, from)
    let count = 0
    try {
      for (; count < this.#tokensLeft; count++) {
        const before = lexer.previous?.text
        const depth = lexer.openBrackets.length
        const token = lexer.next()
        if (!token) break
        markupInCode.lastIndex = token.start
        if (/^[(,:]$/.test(before ?? "") && markupInCode.test(this.#text)) {
          const end = this.#findMarkupEnd(token.start)
          count += end === undefined ? minErrorTokens : end - token.start
          if (end !== undefined) lexer.skipMarkup(token, end, false)
        } else {
          const offset = visit(lexer, token, before, depth)
          if (offset !== undefined) return offset ?? undefined
        }
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      count = Math.max(count, minErrorTokens)
    }
    this.#tokensLeft -= count
    return undefined
  }
}

/** Returns what a parser reads; undefined if it finds an error. */
function readOrNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return undefined
  }
}
