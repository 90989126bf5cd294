/** The markup of a template for programs that read HTML: everything else is blank, and every character keeps its place. */

import { Problem } from "../../../lib/template/diagnostic.ts"
import { Lexer } from "../../../lib/template/lexer.ts"
import type { Block, Body, Part, Shadow, StylePart, Tag } from "./shadow-parts.ts"

const templateStart = /^(template[ \t]+)[\p{L}$_][\p{L}\p{N}$_]*[ \t]*(?=[(<])/gmu
const tagStart = /<\/?[A-Za-z][^\s/>{}<"'=]*/y
/** The end of a text. */
const markup = /[<{}]/g
const blockWord = /\s*(if|for|switch|defer(?=\s*\{)|const)\b/y
const literalContent = /^<(script|style)$/i
/** The end of a style sheet without an end tag: the next tag, or the end of the template. */
const afterStyle = /<\/?[A-Za-z]|^\}/m
const styleAttribute = /[\s"']style\s*=\s*$/i
/** The beginning of a style element whose content is another language. */
const otherLanguage = /\stype\s*=\s*["']?(?!text\/css\b|["'])/i

/** Most tokens to read without success, in one file. */
const mostWasted = 20_000
/** Tokens that code with an error counts for at least, because a comment without an end is one token up to the end of the file. */
const errorCost = 100

/** Reads the markup. Unfinished markup is read as far as it goes, because it is what a person is writing. */
export function shadowOf(source: string): Shadow {
  const starts = [...source.matchAll(templateStart)]
  const reader = new ShadowReader(source)
  for (const [at, found] of starts.entries()) {
    const end = starts[at + 1]?.index ?? source.length
    const name = {
      start: found.index + (found[1]?.length ?? 0),
      end: found.index + found[0].trimEnd().length,
    }
    reader.template(found.index + found[0].length, end, { keyword: found.index, name })
  }
  return reader.shadow()
}

interface OpenBlock extends Block {
  end: number
  readonly bodies: (Part & { end: number })[]
}

class ShadowReader {
  readonly #source: string
  readonly #copied: (Part & { readonly quote?: string })[] = []
  readonly #code: Part[] = []
  readonly #bodies: Body[] = []
  readonly #blocks: OpenBlock[] = []
  readonly #tags: Tag[] = []
  /** The blocks that are open, innermost last. */
  #openBlocks: OpenBlock[] = []
  readonly #styles: StylePart[] = []
  /** Tokens that may still be read without success, so that a file with many errors costs no more than one without. */
  #left = mostWasted
  #at = 0
  #end = 0
  /** Names of elements that have no end tag in the rest of the template, which is searched once. */
  readonly #withoutEnd = new Set<string>()
  /** The open blocks, innermost last: markup, or the code between the blocks of an `if`. */
  #open: ("markup" | "code" | "cases")[] = []

  constructor(source: string) {
    this.#source = source
  }

  shadow(): Shadow {
    let text = ""
    let last = 0
    const blank = (start: number, end: number): string =>
      this.#source.slice(start, end).replace(/[^\r\n]+/g, (line) => " ".repeat(line.length))
    for (const { start, end, quote } of this.#copied) {
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

  template(at: number, end: number, head: Omit<Body, keyof Part>): void {
    this.#end = end
    this.#openBlocks = []
    this.#withoutEnd.clear()
    const brace = this.#brace(at)
    if (brace === undefined) return
    this.#at = brace + 1
    this.#open = ["markup"]
    while (this.#at < end && this.#open.length > 0) {
      if (this.#open.at(-1) === "markup") this.#markup()
      else this.#between()
    }
    this.#bodies.push({ ...head, start: brace + 1, end: this.#open.length === 0 ? this.#at - 1 : end })
  }

  /** Begins a block at a brace. */
  #block(word: string): void {
    const block = { word, start: this.#at, end: this.#end, bodies: [] }
    this.#blocks.push(block)
    this.#openBlocks.push(block)
    this.#open.push("code")
  }

  /** Begins markup in the innermost block. */
  #body(): void {
    this.#open.push("markup")
    this.#openBlocks.at(-1)?.bodies.push({ start: this.#at, end: this.#end })
  }

  #copy(end: number): void {
    this.#copied.push({ start: this.#at, end })
    this.#at = end
  }

  #skip(end: number): void {
    this.#code.push({ start: this.#at, end })
    this.#at = end
  }

  #markup(): void {
    const source = this.#source
    const character = source[this.#at]
    tagStart.lastIndex = this.#at
    const [tag] = tagStart.exec(source) ?? []
    if (tag !== undefined) this.#tag(tag)
    else if (source.startsWith("<!--", this.#at)) {
      const start = this.#at
      const found = source.slice(start, this.#end).indexOf("-->")
      const end = found < 0 ? this.#end : start + found + 3
      this.#copy(end)
      this.#tags.push({ kind: "comment", start, end, name: { start, end: start }, isClosed: true })
    } else if (character === "}") {
      this.#open.pop()
      const body = this.#openBlocks.at(-1)?.bodies.at(-1)
      if (body) body.end = this.#at
      this.#skip(this.#at + 1)
    } else if (character === "{") this.#braces()
    else {
      markup.lastIndex = this.#at + 1
      this.#copy(Math.min(markup.exec(source)?.index ?? this.#end, this.#end))
    }
  }

  #tag(tag: string): void {
    const start = this.#at
    const name = { start: start + (tag[1] === "/" ? 2 : 1), end: start + tag.length }
    this.#copy(name.end)
    const isWhole = this.#attributes()
    const text = this.#source.slice(start, this.#at)
    const kind = tag[1] === "/" ? "end" : "start"
    this.#tags.push({ kind, start, end: this.#at, name, isClosed: text.endsWith("/>") })
    const [, literal] = (isWhole && literalContent.exec(tag)) || []
    if (literal !== undefined) this.#literal(literal.toLowerCase(), text)
  }

  /** Reads the rest of a tag. Returns false if another begins before its end. */
  #attributes(): boolean {
    while (this.#at < this.#end) {
      const character = this.#source[this.#at] ?? ""
      if (character === "<" || character === "}") return false
      if (character === '"' || character === "'") this.#quoted(character)
      else if (character === "{") this.#value()
      else this.#copy(this.#at + 1)
      if (character === ">") break
    }
    return true
  }

  #quoted(quote: string): void {
    const start = this.#at + 1
    const isStyle = styleAttribute.test(this.#source.slice(Math.max(0, start - 20), start - 1))
    this.#copy(this.#quoteEnd(quote))
    if (!isStyle) return
    const isClosed = this.#at > start && this.#source[this.#at - 1] === quote
    const end = isClosed ? this.#at - 1 : this.#at
    this.#styles.push({ kind: "declarations", start, end, isClosed })
  }

  /** Reads the content of a script or a style. */
  #literal(name: string, tag: string): void {
    const start = this.#at
    const found = this.#withoutEnd.has(name)
      ? -1
      : this.#source.slice(start, this.#end).search(new RegExp(`</${name}`, "i"))
    if (found < 0) this.#withoutEnd.add(name)
    if (found >= 0) this.#copy(start + found)
    else if (name === "style") {
      const next = this.#source.slice(start, this.#end).search(afterStyle)
      this.#copy(next < 0 ? this.#end : start + next)
    }
    if (name !== "style" || otherLanguage.test(tag)) return
    this.#styles.push({ kind: "sheet", start, end: this.#at, isClosed: found >= 0 })
  }

  /** Returns the offset after a quoted value; of one without an end, that of its line's end. */
  #quoteEnd(quote: string): number {
    const end = this.#source.indexOf(quote, this.#at + 1)
    if (end >= 0 && end < this.#end) return end + 1
    return this.#lineEnd()
  }

  #lineEnd(): number {
    const end = this.#source.indexOf("\n", this.#at + 1)
    return end < 0 || end > this.#end ? this.#end : end
  }

  /** Reads `{expression}` in a tag: after `=` it is a value, which gets quotes. */
  #value(): void {
    const start = this.#at
    this.#at++
    const end = this.#closing() ?? this.#lineEnd()
    this.#at = start
    const ends = this.#source[start - 1] === "=" ? new Set([start, end - 1]) : []
    this.#copied.push(...[...ends].map((at) => ({ start: at, end: at + 1, quote: '"' })))
    this.#skip(end)
  }

  #braces(): void {
    const start = this.#at
    blockWord.lastIndex = start + 1
    const [head, word] = blockWord.exec(this.#source) ?? []
    if (word !== undefined && word !== "const") {
      const brace = this.#brace(start + 1 + (head?.length ?? 0))
      this.#at = start
      this.#block(word)
      this.#skip(brace === undefined ? this.#lineEnd() : brace + 1)
      if (brace === undefined) return
      if (word === "switch") this.#open.push("cases")
      else this.#body()
      return
    }
    const children = word === "const" ? undefined : this.#brace(start + 1, true)
    this.#at = start + 1
    const end = children === undefined ? (this.#closing() ?? this.#lineEnd()) : children + 1
    this.#at = start
    if (children !== undefined) this.#block("call")
    this.#skip(end)
    if (children !== undefined) this.#body()
  }

  /** Reads code between two blocks: `else {`, `case 1: {`, or the brace that ends all of them. */
  #between(): void {
    const brace = this.#brace(this.#at)
    if (brace !== undefined) {
      this.#skip(brace + 1)
      this.#body()
    } else {
      const isBlock = this.#open.pop() === "code"
      this.#skip(this.#closing() ?? this.#lineEnd())
      const block = isBlock ? this.#openBlocks.pop() : undefined
      if (block) block.end = this.#at
    }
  }

  /** Returns the offset of the next brace outside all brackets; undefined if a closing one is first. */
  #brace(from: number, afterCall = false): number | undefined {
    return this.#scan(from, (lexer, text, before) => {
      if (lexer.open.length === 1 && text === "{") {
        if (!afterCall || before === ")") return lexer.position - 1
        return null
      }
      return lexer.open.length === 0 && text === "}" ? null : undefined
    })
  }

  /** Returns the offset after the brace that closes the one before the position. */
  #closing(): number | undefined {
    return this.#scan(this.#at, (lexer, text, _, depth) =>
      depth === 0 && text === "}" ? lexer.position : undefined,
    )
  }

  /** Reads tokens until one gives an offset, or null for none. Code that cannot be read gives none. */
  #scan(
    from: number,
    found: (
      lexer: Lexer,
      text: string,
      before: string | undefined,
      depth: number,
    ) => number | null | undefined,
  ): number | undefined {
    const lexer = new Lexer(this.#source, from)
    let count = 0
    try {
      for (; count < this.#left; count++) {
        const before = lexer.previous?.text
        const depth = lexer.open.length
        const token = lexer.next()
        if (!token || token.start >= this.#end) break
        const offset = found(lexer, token.text, before, depth)
        if (offset !== undefined) return offset ?? undefined
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      count = Math.max(count, errorCost)
    }
    this.#left -= count
    return undefined
  }
}
