// The place in the source that the parsers share and move forward.

import type { Code, Markup, Node } from "./ast.ts"
import { firstToken, type Limits, type Reading, readCode } from "./code.ts"
import { Problem } from "./diagnostic.ts"
import type { Space } from "./elements.ts"
import { isAsync } from "./facts.ts"
import type { Token } from "./lexer.ts"
import { Scope } from "./scope.ts"
import { tidyBlock } from "./whitespace.ts"

/** Deeper nesting is refused: nobody writes it, and the stack is finite. */
const deepest = 200

/** Reads the markup of a block, from after its `{` to after its `}`. */
export type BlockParser = (cursor: Cursor, space: Space, brace: number) => Node[]

/** A place in a source, with the ways of reading code from there. */
export class Cursor {
  readonly source: string
  position: number
  /** How the content of the element is read that the place is in. */
  space: Space = "html"
  /** The names that the place sees. */
  readonly scope = new Scope()
  readonly #block: BlockParser | undefined
  #depth = 0

  /** @param block reads markup inside expressions; without it there is none. */
  constructor(source: string, position: number, block?: BlockParser) {
    this.source = source
    this.position = position
    this.#block = block
  }

  /** Whether the place is in the body of a template, in no block inside it. */
  get isOutermost(): boolean {
    return this.#depth === 1
  }

  /** The character at the place, or "" at the end. */
  get character(): string {
    return this.source[this.position] ?? ""
  }

  /** Whether the source goes on with `text`. */
  at(text: string): boolean {
    return this.source.startsWith(text, this.position)
  }

  /** The match of a sticky pattern at the place, which moves behind it. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.source)
    if (found) this.position = pattern.lastIndex
    return found
  }

  /** The next token of code that is no comment; the place stays. */
  peek(): Token | undefined {
    return firstToken(this.source, this.position).token
  }

  /** Moves behind the next token, which must be `text`. */
  expect(text: string, message: string, fix: string): Token {
    const token = this.peek()
    if (token?.text !== text) throw new Problem(token?.start ?? this.source.length, message, fix)
    this.position = token.end
    return token
  }

  /** Reads code up to a mark out of `closers` and moves behind that. */
  code(closers: string, limits: Limits = {}): Reading {
    const block = this.#block
    const readMarkup = block && ((brace: number) => this.#markup(block, brace))
    const reading = readCode(this.source, this.position, limits, readMarkup)
    const { stop } = reading
    if (!closers.includes(stop.text)) {
      throw new Problem(stop.start, `stray "${stop.text}"`, `Expected "${closers[0]}" here.`)
    }
    this.position = stop.end
    return reading
  }

  #markup(block: BlockParser, start: number): Markup {
    this.position = start + 1
    const nodes = tidyBlock(block(this, this.space, start))
    return { start, end: this.position, nodes, awaits: isAsync(nodes) }
  }

  /** Reads the expression of the braces that open at `brace`, and moves behind the mark that ends it. */
  expression(brace: number, closers = "}", limits: Limits = {}): Reading {
    const reading = this.code(closers, limits)
    const [first] = reading.tokens
    if (!first)
      throw new Problem(brace, "there is no expression in these braces", "Write one, or remove them.")
    if (first.text !== "...") return reading
    const fix = "Print the array itself, {items}, or spread attributes in a tag, <p {...attributes}>."
    throw new Problem(first.start, "nothing can be spread here", fix)
  }

  /** Reads `(code)`, which must not be empty. */
  parentheses(after: string, limits: Limits = {}): Code {
    const open = this.expect("(", `"(" is missing after ${after}`, `Write ${after} (…) { … }.`)
    const { code, tokens } = this.code(")", limits)
    if (tokens.length > 0) return code
    throw new Problem(open.start, `${after} has nothing between its parentheses`, `Write ${after} (…) { … }.`)
  }

  /** Runs `read` one level deeper, in a space of its own. */
  nested<T>(place: number, space: Space, read: () => T): T {
    if (++this.#depth > deepest)
      throw new Problem(place, "this is nested too deeply", "Move a part into a template.")
    const outside = this.space
    this.space = space
    try {
      return this.scope.inside(read)
    } finally {
      this.#depth--
      this.space = outside
    }
  }
}
