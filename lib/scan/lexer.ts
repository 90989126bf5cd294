/**
 * Splits TypeScript and JavaScript into tokens, for modules and for the code in templates. It recognizes strings,
 * nested template literals, comments and regular expressions, and pairs brackets.
 */

/** A token of code. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "regex" | "comment" | "mark" | "markup" | "jsx"
  readonly start: number
  readonly end: number
  readonly text: string
  /** True if the token ends a value. A `/` after it is a division. */
  readonly isOperand: boolean
  /** True for markup that contains `await`. */
  readonly hasAwait?: boolean
}

/** The reason why a text cannot be split into tokens. */
export interface LexerFault {
  readonly kind: "string" | "comment" | "template" | "open" | "close"
  readonly at: number
  /** The quote or the bracket; `""` for the other kinds. */
  readonly text: string
  /** With the kind `close`: the bracket that should be closed. */
  readonly openBracket?: string
}

interface OpenBracket {
  readonly bracket: string
  readonly start: number
  /**
   * True if a statement may follow the closing bracket, as after `if (…)` and after a block. A `/` then begins a
   * regular expression.
   */
  readonly isBeforeStatement?: boolean
  /** For a `${`: the offset at which its template literal begins. */
  readonly literal?: number
}

/** Words before a value. A `/` after them begins a regular expression. */
export const wordsBeforeValue = new Set(
  "await case const default delete do else export extends import in instanceof let new of return throw typeof var void yield".split(
    " ",
  ),
)
/** Words after whose parentheses a statement follows. */
const headWords = new Set(["if", "while", "for", "with"])
/** Marks and words after which a brace begins a block, and not an object. */
const tokensBeforeBlock = new Set("; { } ) => else do try finally".split(" "))
/** The closing bracket of each opening bracket. */
export const closingBrackets: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" }
const blankPattern = /\s*/y
const wordPattern = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
/** Marks after which a keyword is the name of a property. */
const markBeforeName = /^(?:\.|\?\.|#)$/
const numberPattern = /(?:0[xob][\da-f_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?[\d_]+)?)n?/iy
const markPattern = /=>|\?\?=?|\?\.(?!\d)|&&=?|\|\|=?|\+\+|--|\.\.\.|[=!]==?|[\s\S]/y
const lineEnd = /[\n\r\u2028\u2029]|$/g

function matchEnd(pattern: RegExp, source: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(source) ? pattern.lastIndex : position
}

/** Returns the offset after the string literal that starts at `start`; undefined if it has no end. */
function findStringEnd(source: string, start: number): number | undefined {
  const quote = source[start]
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at]
    if (character === quote) return at + 1
    if (character === "\\") at += source.startsWith("\r\n", at + 1) ? 2 : 1
    else if (character === "\n" || character === "\r") break
  }
  return undefined
}

/** Returns the offset after the regular expression that starts at `start`; undefined if it has no end. */
function findRegexEnd(source: string, start: number): number | undefined {
  let isInClass = false
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at]
    if (character === "\n" || character === "\r") break
    if (character === "\\") at++
    else if (character === "[") isInClass = true
    else if (character === "]") isInClass = false
    else if (character === "/" && !isInClass) return matchEnd(wordPattern, source, at + 1)
  }
  return undefined
}

/** Splits code into tokens. Keeps a stack of open brackets and template literals. */
export abstract class Lexer {
  readonly source: string
  position: number
  /** The last token that is not a comment. */
  previous: Token | undefined = undefined
  #beforePrevious: Token | undefined = undefined
  /** The open brackets, innermost last. `${` stands for an expression in a template literal. */
  readonly openBrackets: OpenBracket[] = []

  constructor(source: string, position: number) {
    this.source = source
    this.position = position
  }

  /** Returns the error for text that cannot be split into tokens. */
  protected abstract createError(fault: LexerFault): Error

  /** Called for a regular expression without an end. If this does not throw, its `/` is taken for an operator. */
  protected refuseRegex(_start: number): void {}

  /** Returns the offset after a JSX element at an offset; undefined if the `<` is an operator. */
  protected findElementEnd(_start: number): number | undefined {
    return undefined
  }

  /**
   * Returns the next token, which may be a comment; undefined at the end. A closing bracket without an opening one is
   * returned like any other token, because the opening one may be in the caller's part of the text.
   */
  next(): Token | undefined {
    const { source } = this
    const start = matchEnd(blankPattern, source, this.position)
    const character = source[start]
    this.position = start
    if (character === undefined) return this.#checkEnd()
    if (character === '"' || character === "'") {
      const end = findStringEnd(source, start)
      if (end === undefined) throw this.createError({ kind: "string", at: start, text: character })
      return this.#createToken("string", end, true)
    }
    if (character === "`") return this.#readTemplateChunk(start, start)
    if (character === "/") return this.#readSlash(start)
    if (character === "<" && !this.previous?.isOperand) {
      const end = this.findElementEnd(start)
      if (end !== undefined) return this.#createToken("jsx", end, true)
    }
    const wordEnd = matchEnd(wordPattern, source, start)
    if (wordEnd > start) return this.#readWord(wordEnd)
    const numberEnd = matchEnd(numberPattern, source, start)
    if (numberEnd > start) return this.#createToken("number", numberEnd, true)
    return this.#readMark(start)
  }

  /** Skips markup whose `{` was the last token. Returns a token that stands for the markup. */
  skipMarkup(brace: Token, end: number, hasAwait: boolean): Token {
    this.openBrackets.pop()
    const { start } = brace
    const text = this.source.slice(start, end)
    this.previous = { kind: "markup", start, end, text, isOperand: true, hasAwait }
    this.position = end
    return this.previous
  }

  #createToken(kind: Token["kind"], end: number, isOperand: boolean): Token {
    const start = this.position
    const token: Token = { kind, start, end, text: this.source.slice(start, end), isOperand }
    this.position = end
    if (kind !== "comment") {
      this.#beforePrevious = this.previous
      this.previous = token
    }
    return token
  }

  #checkEnd(): undefined {
    const bracket = this.openBrackets.at(-1)
    if (bracket) throw this.createError({ kind: "open", at: bracket.start, text: bracket.bracket })
    return undefined
  }

  #readWord(end: number): Token {
    const text = this.source.slice(this.position, end)
    const isName = !wordsBeforeValue.has(text) || markBeforeName.test(this.previous?.text ?? "")
    return this.#createToken("word", end, isName)
  }

  #readSlash(start: number): Token {
    const { source } = this
    if (source[start + 1] === "/") {
      lineEnd.lastIndex = start
      return this.#createToken("comment", lineEnd.exec(source)?.index ?? source.length, false)
    }
    if (source[start + 1] === "*") {
      const end = source.indexOf("*/", start + 2)
      if (end < 0) throw this.createError({ kind: "comment", at: start, text: "" })
      return this.#createToken("comment", end + 2, false)
    }
    if (this.previous?.isOperand) return this.#createToken("mark", start + 1, false)
    const end = findRegexEnd(source, start)
    if (end !== undefined) return this.#createToken("regex", end, true)
    this.refuseRegex(start)
    return this.#createToken("mark", start + 1, false)
  }

  /**
   * Reads a piece of a template literal, which begins with its backtick or with `}`. It ends before the next
   * expression, or with the closing backtick.
   */
  #readTemplateChunk(start: number, literal: number): Token {
    const { source } = this
    for (let at = start + 1; at < source.length; at++) {
      const character = source[at]
      if (character === "\\") at++
      else if (character === "`") return this.#createToken("template", at + 1, true)
      else if (character === "$" && source[at + 1] === "{") {
        this.openBrackets.push({ bracket: "${", start: at, literal })
        return this.#createToken("template", at + 2, false)
      }
    }
    throw this.createError({ kind: "template", at: literal, text: "`" })
  }

  #readMark(start: number): Token {
    const end = matchEnd(markPattern, this.source, start)
    const text = this.source.slice(start, end)
    if (text === "(") this.openBrackets.push({ bracket: text, start, isBeforeStatement: this.#isHead() })
    else if (text === "{") this.openBrackets.push({ bracket: text, start, isBeforeStatement: this.#beginsBlock() })
    else if (text === "[") this.openBrackets.push({ bracket: text, start })
    if (text === ")" || text === "]" || text === "}") {
      const openBracket = this.openBrackets.at(-1)
      if (openBracket && closingBrackets[openBracket.bracket] !== text)
        throw this.createError({ kind: "close", at: start, text, openBracket: openBracket.bracket })
      this.openBrackets.pop()
      if (openBracket?.literal !== undefined) return this.#readTemplateChunk(start, openBracket.literal)
      return this.#createToken("mark", end, !openBracket?.isBeforeStatement)
    }
    return this.#createToken("mark", end, this.#endsValue(start, text))
  }

  /**
   * Returns true if the last word begins a statement with parentheses: `if (` and `for await (` do, `a.if (` does not.
   */
  #isHead(): boolean {
    const { previous } = this
    const before = this.#beforePrevious
    if (previous?.kind !== "word") return false
    if (previous.text === "await") return before?.kind === "word" && before.text === "for"
    return headWords.has(previous.text) && !markBeforeName.test(before?.text ?? "")
  }

  /** Returns true if a brace begins a block and not an object: after a statement, or after a head such as `class A`. */
  #beginsBlock(): boolean {
    const { previous } = this
    return !previous || previous.isOperand || tokensBeforeBlock.has(previous.text)
  }

  /**
   * Returns true if a mark ends a value, so that a `/` after it is a division: in `a++ / b`, and in `a! / b` of
   * TypeScript. After other marks a value begins.
   */
  #endsValue(start: number, text: string): boolean {
    if (text === "++" || text === "--") return true
    const { previous } = this
    if (text !== "!" || !previous?.isOperand) return false
    return !/[\n\r]/.test(this.source.slice(previous.end, start))
  }
}
