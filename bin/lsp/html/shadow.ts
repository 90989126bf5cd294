/**
 * Creates the shadow of a template for programs that read HTML: everything except markup is replaced by spaces, so
 * that all offsets stay the same.
 */

import { Problem } from "../../../template/diagnostic.ts"
import { Lexer } from "../../../template/parse/lexer.ts"
import type { Block, Shadow, Span, StylePart, Tag, TemplateBody } from "./shadow-parts.ts"

const templateStart = /^(template[ \t]+)[\p{L}$_][\p{L}\p{N}$_]*[ \t]*(?=[(<])/gmu
const tagStart = /<\/?[A-Za-z][^\s/>{}<"'=]*/y
/** Matches the end of a text. */
const textEnd = /[<{}]/g
const blockWord = /\s*(if|for|switch|defer(?=\s*\{)|const)\b/y
const literalContent = /^<(script|style)$/i
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

/** Reads the markup. Incomplete markup is read as far as possible, because the user may be writing it. */
export function readShadow(source: string): Shadow {
  const starts = [...source.matchAll(templateStart)]
  const reader = new ShadowReader(source)
  for (const [at, found] of starts.entries()) {
    const end = starts[at + 1]?.index ?? source.length
    const name = {
      start: found.index + (found[1]?.length ?? 0),
      end: found.index + found[0].trimEnd().length,
    }
    reader.readTemplate(found.index + found[0].length, end, { keywordStart: found.index, name })
  }
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
  #templateEnd = 0
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

  readTemplate(at: number, end: number, head: Omit<TemplateBody, keyof Span>): void {
    this.#templateEnd = end
    this.#openBlocks = []
    this.#unclosedNames.clear()
    const brace = this.#findBrace(at)
    if (brace === undefined) return
    this.#position = brace + 1
    this.#openContexts = ["markup"]
    while (this.#position < end && this.#openContexts.length > 0) {
      if (this.#openContexts.at(-1) === "markup") this.#readMarkup()
      else this.#readBetweenBlocks()
    }
    this.#bodies.push({
      ...head,
      start: brace + 1,
      end: this.#openContexts.length === 0 ? this.#position - 1 : end,
    })
  }

  /** Begins a block at a brace. */
  #openBlock(word: string): void {
    const block = { word, start: this.#position, end: this.#templateEnd, bodies: [] }
    this.#blocks.push(block)
    this.#openBlocks.push(block)
    this.#openContexts.push("code")
  }

  /** Begins the markup of the innermost block. */
  #openBody(): void {
    this.#openContexts.push("markup")
    this.#openBlocks.at(-1)?.bodies.push({ start: this.#position, end: this.#templateEnd })
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
    const source = this.#source
    const character = source[this.#position]
    tagStart.lastIndex = this.#position
    const [tag] = tagStart.exec(source) ?? []
    if (tag !== undefined) this.#readTag(tag)
    else if (source.startsWith("<!--", this.#position)) {
      const start = this.#position
      const found = source.slice(start, this.#templateEnd).indexOf("-->")
      const end = found < 0 ? this.#templateEnd : start + found + 3
      this.#copy(end)
      this.#tags.push({ kind: "comment", start, end, name: { start, end: start }, isSelfClosed: true })
    } else if (character === "}") {
      this.#openContexts.pop()
      const body = this.#openBlocks.at(-1)?.bodies.at(-1)
      if (body) body.end = this.#position
      this.#skipCode(this.#position + 1)
    } else if (character === "{") this.#readBraces()
    else {
      textEnd.lastIndex = this.#position + 1
      this.#copy(Math.min(textEnd.exec(source)?.index ?? this.#templateEnd, this.#templateEnd))
    }
  }

  #readTag(tag: string): void {
    const start = this.#position
    const name = { start: start + (tag[1] === "/" ? 2 : 1), end: start + tag.length }
    this.#copy(name.end)
    const isWhole = this.#readAttributes()
    const text = this.#source.slice(start, this.#position)
    const kind = tag[1] === "/" ? "end" : "start"
    this.#tags.push({ kind, start, end: this.#position, name, isSelfClosed: text.endsWith("/>") })
    const [, literal] = (isWhole && literalContent.exec(tag)) || []
    if (literal !== undefined) this.#readLiteralContent(literal.toLowerCase(), text)
  }

  /** Reads the rest of a tag. Returns false if another tag begins before its end. */
  #readAttributes(): boolean {
    while (this.#position < this.#templateEnd) {
      const character = this.#source[this.#position] ?? ""
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
    const isStyle = styleAttribute.test(this.#source.slice(Math.max(0, start - 20), start - 1))
    this.#copy(this.#findQuoteEnd(quote))
    if (!isStyle) return
    const isClosed = this.#position > start && this.#source[this.#position - 1] === quote
    const end = isClosed ? this.#position - 1 : this.#position
    this.#styles.push({ kind: "declarations", start, end, isClosed })
  }

  /** Reads the content of a script or style element. */
  #readLiteralContent(name: string, tag: string): void {
    const start = this.#position
    const found = this.#unclosedNames.has(name)
      ? -1
      : this.#source.slice(start, this.#templateEnd).search(new RegExp(`</${name}`, "i"))
    if (found < 0) this.#unclosedNames.add(name)
    if (found >= 0) this.#copy(start + found)
    else if (name === "style") {
      const next = this.#source.slice(start, this.#templateEnd).search(afterStyle)
      this.#copy(next < 0 ? this.#templateEnd : start + next)
    }
    if (name !== "style" || otherLanguage.test(tag)) return
    this.#styles.push({ kind: "sheet", start, end: this.#position, isClosed: found >= 0 })
  }

  /** Returns the offset after a quoted value. For a value without a closing quote, it is the end of the line. */
  #findQuoteEnd(quote: string): number {
    const end = this.#source.indexOf(quote, this.#position + 1)
    if (end >= 0 && end < this.#templateEnd) return end + 1
    return this.#findLineEnd()
  }

  #findLineEnd(): number {
    const end = this.#source.indexOf("\n", this.#position + 1)
    return end < 0 || end > this.#templateEnd ? this.#templateEnd : end
  }

  /** Reads `{expression}` in a tag. After `=` it is a value, and gets quotes in the shadow. */
  #readValue(): void {
    const start = this.#position
    this.#position++
    const end = this.#findClosingBrace() ?? this.#findLineEnd()
    this.#position = start
    const ends = this.#source[start - 1] === "=" ? new Set([start, end - 1]) : []
    this.#copies.push(...[...ends].map((at) => ({ start: at, end: at + 1, quote: '"' })))
    this.#skipCode(end)
  }

  #readBraces(): void {
    const start = this.#position
    blockWord.lastIndex = start + 1
    const [head, word] = blockWord.exec(this.#source) ?? []
    if (word !== undefined && word !== "const") {
      const brace = this.#findBrace(start + 1 + (head?.length ?? 0))
      this.#position = start
      this.#openBlock(word)
      this.#skipCode(brace === undefined ? this.#findLineEnd() : brace + 1)
      if (brace === undefined) return
      if (word === "switch") this.#openContexts.push("cases")
      else this.#openBody()
      return
    }
    const children = word === "const" ? undefined : this.#findBrace(start + 1, true)
    this.#position = start + 1
    const end = children === undefined ? (this.#findClosingBrace() ?? this.#findLineEnd()) : children + 1
    this.#position = start
    if (children !== undefined) this.#openBlock("call")
    this.#skipCode(end)
    if (children !== undefined) this.#openBody()
  }

  /** Reads code between two branches: `else {`, `case 1: {`, or the brace that ends the block. */
  #readBetweenBlocks(): void {
    const brace = this.#findBrace(this.#position)
    if (brace !== undefined) {
      this.#skipCode(brace + 1)
      this.#openBody()
    } else {
      const isBlock = this.#openContexts.pop() === "code"
      this.#skipCode(this.#findClosingBrace() ?? this.#findLineEnd())
      const block = isBlock ? this.#openBlocks.pop() : undefined
      if (block) block.end = this.#position
    }
  }

  /** Returns the offset of the next brace outside all brackets; undefined if a closing bracket comes first. */
  #findBrace(from: number, isAfterCall = false): number | undefined {
    return this.#scanTokens(from, (lexer, text, before) => {
      if (lexer.openBrackets.length === 1 && text === "{") {
        if (!isAfterCall || before === ")") return lexer.position - 1
        return null
      }
      return lexer.openBrackets.length === 0 && text === "}" ? null : undefined
    })
  }

  /** Returns the offset after the closing brace for the brace before the position. */
  #findClosingBrace(): number | undefined {
    return this.#scanTokens(this.#position, (lexer, text, _, depth) =>
      depth === 0 && text === "}" ? lexer.position : undefined,
    )
  }

  /**
   * Reads tokens until a function returns an offset, or null to stop. Returns undefined if it stopped, or if the
   * code cannot be parsed.
   */
  #scanTokens(
    from: number,
    visit: (lexer: Lexer, text: string, before: string | undefined, depth: number) => number | null | undefined,
  ): number | undefined {
    const lexer = new Lexer(this.#source, from)
    let count = 0
    try {
      for (; count < this.#tokensLeft; count++) {
        const before = lexer.previous?.text
        const depth = lexer.openBrackets.length
        const token = lexer.next()
        if (!token || token.start >= this.#templateEnd) break
        const offset = visit(lexer, token.text, before, depth)
        if (offset !== undefined) return offset ?? undefined
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      count = Math.max(count, minErrorTokens)
    }
    this.#tokensLeft -= count
    return undefined
  }
}
