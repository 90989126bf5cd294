/** The position in the source that the parsers share and advance. */

import type { Code, Markup, Node } from "../ast.ts"
import type { Namespace } from "../check/elements.ts"
import { isAsync } from "../check/node-facts.ts"
import { Scope } from "../check/scope.ts"
import { type LazyText, Problem } from "../diagnostic.ts"
import { tidyBlock } from "../emit/whitespace.ts"
import { type CodeLimits, type CodeReading, findFirstToken, readCode } from "./code-reader.ts"
import { refuseDefer } from "./defer.ts"
import type { Token } from "./lexer.ts"
import { toUnfinishedNodes } from "./partial-nodes.ts"

/** Deepest nesting. Nobody needs more, and the stack is finite. */
const maxDepth = 200

/** Reads the markup of a block, from after its `{` to after its `}`. */
export type BlockParser = (cursor: Cursor, namespace: Namespace, brace: number, opener?: Opener) => Node[]

/** The braces around a block, such as `{if (…) { … }}`. */
export interface Opener {
  readonly start: number
  /** The name of the braces in messages. */
  readonly name: string
  /** The text that ends the braces and the block. */
  readonly end: string
}

/** A position in a source, with methods that read code from there. */
export class Cursor {
  readonly source: string
  position: number
  /** The kind of content of the current element. */
  namespace: Namespace = "html"
  /** The names in scope at the position. */
  readonly scope = new Scope()
  /** The first block that is perhaps not closed, judged by its indentation. */
  suspect: { readonly brace: number; readonly problem: () => Problem } | undefined
  /**
   * True if the template is known to have an error, and the parser looks for the next part of the file inside it. A template
   * without an error may contain what looks like one.
   */
  findsNextPart = false
  /** The names of all open elements, also of those outside the block, innermost last. */
  readonly openElements: string[] = []
  readonly #parseBlock: BlockParser | undefined
  #depth = 0

  /**
   * Creates a cursor.
   *
   * @param block reads markup inside expressions; without it there is none.
   */
  constructor(source: string, position: number, block?: BlockParser) {
    this.source = source
    this.position = position
    this.#parseBlock = block
  }

  /** True if the position is in the body of a template and in no block inside it. */
  get isOutermost(): boolean {
    return this.#depth === 1
  }

  /** The character at the position, or "" at the end. */
  get character(): string {
    return this.source[this.position] ?? ""
  }

  /** Returns true if the source continues with `text`. */
  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.position)
  }

  /** Matches a sticky pattern at the position and moves after it. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.source)
    if (found) this.position = pattern.lastIndex
    return found
  }

  /** Returns the next token of code that is not a comment, without moving. */
  peek(): Token | undefined {
    return findFirstToken(this.source, this.position).token
  }

  /** Reads the next token, which must be `text`. */
  expect(text: string, message: string, fix: LazyText): Token {
    const token = this.peek()
    if (token?.text !== text) throw new Problem(token?.start ?? this.source.length, message, fix)
    this.position = token.end
    return token
  }

  /** Reads code up to one of the marks `closers` and moves after that. */
  readCodeTo(closers: string, limits: CodeLimits = {}): CodeReading {
    const block = this.#parseBlock
    const readMarkup = block && ((brace: number) => this.#readMarkup(block, brace))
    const { findsNextPart } = this
    const reading = readCode(this.source, this.position, { ...limits, findsNextPart }, readMarkup)
    const { code, stop } = reading
    if (!closers.includes(stop.text)) {
      const problem = new Problem(stop.start, `stray "${stop.text}"`, `Expected "${closers[0]}" here.`)
      problem.partialNodes = toUnfinishedNodes(code)
      throw problem
    }
    this.position = stop.end
    return reading
  }

  #readMarkup(block: BlockParser, start: number): Markup {
    this.position = start + 1
    const nodes = tidyBlock(block(this, this.namespace, start))
    return { start, end: this.position, nodes, awaits: isAsync(nodes) }
  }

  /** Reads the expression of the braces that open at `brace`, and moves after the mark that ends it. */
  readExpression(brace: number, closers = "}", limits: CodeLimits = {}): CodeReading {
    refuseDefer(this.source, this.position)
    const reading = this.readCodeTo(closers, limits)
    const [first] = reading.tokens
    if (!first) throw new Problem(brace, "there is no expression in these braces", "Write one, or remove them.")
    if (first.text !== "...") return reading
    const fix = "Print the array itself, {items}, or spread attributes in a tag, <p {...attributes}>."
    throw new Problem(first.start, "a spread is not allowed here", fix)
  }

  /** Reads `(code)`, which must not be empty. */
  readParentheses(after: string, limits: CodeLimits = {}): Code {
    const open = this.expect("(", `"(" is missing after ${after}`, `Write ${after} (…) { … }.`)
    const { code, tokens } = this.readCodeTo(")", limits)
    if (tokens.length > 0) return code
    throw new Problem(open.start, `${after} has nothing between its parentheses`, `Write ${after} (…) { … }.`)
  }

  /** Calls `read` one level deeper, in another namespace. */
  readNested<T>(offset: number, namespace: Namespace, read: () => T): T {
    if (++this.#depth > maxDepth) throw new Problem(offset, "this is nested too deeply", "Move a part into a template.")
    const outside = this.namespace
    this.namespace = namespace
    try {
      return this.scope.runInBlock(read)
    } finally {
      this.#depth--
      this.namespace = outside
    }
  }
}
