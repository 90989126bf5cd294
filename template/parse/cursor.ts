/** The current position in the source, which all parsers share and move. */

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

/** Maximum depth of nesting, because each level uses the stack. */
const maxDepth = 200

/** Parses the markup of a block, from after its `{` to after its `}`. */
export type BlockParser = (cursor: Cursor, namespace: Namespace, brace: number, opener?: Opener) => Node[]

/** The braces that contain a block, such as `{if (…) { … }}`. */
export interface Opener {
  readonly start: number
  /** The name of these braces in messages. */
  readonly name: string
  /** The text that closes the block and these braces. */
  readonly end: string
}

/** A position in a source, with methods that read code from it. */
export class Cursor {
  readonly source: string
  position: number
  /** The language of the current element's content. */
  namespace: Namespace = "html"
  /** The names that are in scope at the position. */
  readonly scope = new Scope()
  /** The first block that is probably not closed, as its indentation shows. */
  suspect: { readonly brace: number; readonly problem: () => Problem } | undefined
  /**
   * True if the template is known to have an error. The parser then also looks for the next part of the file. It does
   * not in a template without an error, because text there may look like the next part.
   */
  findsNextPart = false
  /** The names of all open elements, including those outside of the current block, innermost last. */
  readonly openElements: string[] = []
  readonly #parseBlock: BlockParser | undefined
  #depth = 0

  /**
   * Creates a cursor.
   *
   * @param parseBlock parses markup inside expressions. Without it, markup is not allowed there.
   */
  constructor(source: string, position: number, parseBlock?: BlockParser) {
    this.source = source
    this.position = position
    this.#parseBlock = parseBlock
  }

  /** True if the position is in the body of a template, and not in a block inside of it. */
  get isOutermost(): boolean {
    return this.#depth === 1
  }

  /** The character at the position; "" at the end. */
  get character(): string {
    return this.source[this.position] ?? ""
  }

  /** Returns true if the source continues with `text`. */
  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.position)
  }

  /** Matches a sticky pattern at the position, and moves behind the match. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.source)
    if (match) this.position = pattern.lastIndex
    return match
  }

  /** Returns the next token that is not a comment. Does not move. */
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

  /** Reads code up to one of the marks in `closers`, and moves behind that mark. */
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

  /**
   * Reads the expression in braces, and moves behind the mark that ends it. @param brace the offset of the opening
   * brace.
   */
  readExpression(brace: number, closers = "}", limits: CodeLimits = {}): CodeReading {
    refuseDefer(this.source, this.position)
    const reading = this.readCodeTo(closers, limits)
    const [first] = reading.tokens
    if (!first) throw new Problem(brace, "there is no expression in these braces", "Write one, or remove them.")
    if (first.text !== "...") return reading
    const fix = "Print the array itself, {items}, or spread attributes in a tag, <p {...attributes}>."
    throw new Problem(first.start, "a spread is not allowed here", fix)
  }

  /** Reads code in parentheses. The code must not be empty. */
  readParentheses(after: string, limits: CodeLimits = {}): Code {
    const open = this.expect("(", `"(" is missing after ${after}`, `Write ${after} (…) { … }.`)
    const { code, tokens } = this.readCodeTo(")", limits)
    if (tokens.length > 0) return code
    throw new Problem(open.start, `${after} has nothing between its parentheses`, `Write ${after} (…) { … }.`)
  }

  /** Calls `read` one level deeper, with the given namespace. */
  readNested<T>(offset: number, namespace: Namespace, read: () => T): T {
    if (++this.#depth > maxDepth) throw new Problem(offset, "this is nested too deeply", "Move a part into a template.")
    const outerNamespace = this.namespace
    this.namespace = namespace
    try {
      return this.scope.runInBlock(read)
    } finally {
      this.#depth--
      this.namespace = outerNamespace
    }
  }
}
