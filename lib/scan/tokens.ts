/** Splits a module into tokens and comments. */
import { FwError } from "../errors.ts"
import { scanFault } from "./fault.ts"
import { JSXElements } from "./jsx.ts"
import { Lexer, type LexerFault, type Token as LexerToken } from "./lexer.ts"

/** A token. A template literal and a JSX element are one token each. */
export interface ModuleToken extends LexerToken {
  /** Number of brackets that are open around it. A bracket does not count itself. */
  readonly depth: number
  /** True if there is a line break before it. */
  readonly isOnNewLine: boolean
}

/** A comment, including the characters that mark it. */
export interface Comment {
  readonly text: string
  readonly start: number
}

/** The tokens and comments of a source, in order. */
export interface Tokens {
  readonly tokens: readonly ModuleToken[]
  readonly comments: readonly Comment[]
}

/** Options of the tokenizer. */
export interface TokenOptions {
  /** The name of the file, for messages. */
  readonly file: string
  /** True if `<b>` before a value is a JSX element. In a `.ts` file it is a type assertion. */
  readonly allowsJSX: boolean
}

/** Returns the line and the column of an offset, counted from 1. */
export function toPosition(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/)
  return { line: before.length, column: (before.at(-1) as string).length + 1 }
}

const lineBreak = /[\n\r\u2028\u2029]/
const shebang = /^\uFEFF?(?:#!.*)?/

/**
 * Returns the tokens and comments of a module.
 *
 * @throws FwError `syntax` for a string or comment without an end, and for brackets that do not match.
 */
export function tokenize(source: string, { file, allowsJSX }: TokenOptions): Tokens {
  const [start = ""] = shebang.exec(source) ?? []
  const lexer = new ModuleLexer(source, start.length, file, allowsJSX ? new JSXElements(source) : undefined)
  const tokens: ModuleToken[] = []
  const comments: Comment[] = []
  /** The start of a template literal whose expressions are being read. The tokens of the expressions are left out. */
  let literal: { readonly start: number; readonly depth: number } | undefined
  let end = 0
  for (;;) {
    const earlierDepth = lexer.openBrackets.length
    const token = lexer.next()
    if (!token) return { tokens, comments }
    const depth = Math.min(earlierDepth, lexer.openBrackets.length)
    const isWhole = token.kind !== "template" || token.isOperand
    if (literal && !(isWhole && token.kind === "template" && depth === literal.depth)) continue
    if (token.kind === "comment") comments.push({ text: token.text, start: token.start })
    else if (!isWhole) literal = { start: token.start, depth }
    else {
      if (earlierDepth === 0 && isClosingMark(token))
        throw lexer.createError({ kind: "close", at: token.start, text: token.text })
      const from = literal?.start ?? token.start
      const text = literal ? source.slice(from, token.end) : token.text
      const isOnNewLine = from > end && lineBreak.test(source.slice(end, from))
      tokens.push({ ...token, start: from, text, depth, isOnNewLine })
      literal = undefined
      end = token.end
    }
  }
}

function isClosingMark({ kind, text }: LexerToken): boolean {
  return kind === "mark" && ")]}".includes(text)
}

/** Reads the code of a module, or of an expression in a JSX element. */
class ModuleLexer extends Lexer {
  readonly #file: string
  readonly #elements: JSXElements | undefined

  constructor(source: string, position: number, file: string, elements: JSXElements | undefined) {
    super(source, position)
    this.#file = file
    this.#elements = elements
  }

  override createError({ kind, at, text }: LexerFault): FwError {
    // For `${`, the message has the position of the brace.
    const place = text === "${" ? at + 1 : at
    const bracket = kind === "close" || kind === "open" ? text.replace("$", "") : ""
    return scanFault(`syntax.${kind}`, [bracket], {
      at: { file: this.#file, ...toPosition(this.source, place) },
    })
  }

  protected override findElementEnd(start: number): number | undefined {
    return this.#elements?.findEnd(start, (brace) => this.#findExpressionEnd(brace))
  }

  #findExpressionEnd(brace: number): number | undefined {
    const lexer = new ModuleLexer(this.source, brace + 1, this.#file, this.#elements)
    try {
      while (!this.#elements?.isExhausted) {
        const isInside = lexer.openBrackets.length > 0
        const token = lexer.next()
        if (!token || (!isInside && isClosingMark(token))) return token?.text === "}" ? token.end : undefined
      }
      return undefined
    } catch (error) {
      // There is no end tag, so the text is the type parameters of a function.
      if (error instanceof FwError) return undefined
      throw error
    }
  }
}
