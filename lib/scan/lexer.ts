/**
 * The tokenizer for TypeScript and JavaScript: modules, and the code in templates. It recognizes strings, nested template
 * literals, comments and regular expressions, and counts brackets. It runs nothing.
 */

/** A token of code. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "regex" | "comment" | "mark" | "markup" | "jsx"
  readonly start: number
  readonly end: number
  readonly text: string
  /** True if a value ends here, so that a `/` after it divides. */
  readonly operand: boolean
  /** True if markup awaits. */
  readonly awaits?: boolean
}

/** Text that cannot be split into tokens. */
export interface Fault {
  readonly kind: "string" | "comment" | "template" | "open" | "close"
  readonly at: number
  /** The quote or bracket; empty for the other kinds. */
  readonly text: string
  /** The bracket that should be closed, for `close`. */
  readonly opened?: string
}

interface Opened {
  readonly bracket: string
  readonly start: number
  /**
   * True if a statement follows the closing bracket, as after `if (…)` and after a block, so that a `/` begins a regular
   * expression.
   */
  readonly thenStatement?: boolean
  /** Start of the template literal that contains a `${`. */
  readonly literal?: number
}

/** Words that a value follows, so that a `/` does not divide. */
export const beforeValue = new Set(
  "await case const default delete do else export extends import in instanceof let new of return throw typeof var void yield".split(
    " ",
  ),
)
/** Words whose parentheses are followed by a statement. */
const heads = new Set(["if", "while", "for", "with"])
/** Marks and words that a block follows, and not an object. */
const beforeBlock = new Set("; { } ) => else do try finally".split(" "))
/** The bracket that closes each bracket. */
export const closerOf: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" }
const blank = /\s*/y
const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
/** After these marks a keyword is the name of a property. */
const beforeName = /^(?:\.|\?\.|#)$/
const number = /(?:0[xob][\da-f_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?[\d_]+)?)n?/iy
const mark = /=>|\?\?=?|\?\.(?!\d)|&&=?|\|\|=?|\+\+|--|\.\.\.|[=!]==?|[\s\S]/y
const lineEnd = /[\n\r\u2028\u2029]|$/g

function endOf(pattern: RegExp, source: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(source) ? pattern.lastIndex : position
}

/** Returns the offset after the string literal that starts at `start`; undefined if it has no end. */
function stringEnd(source: string, start: number): number | undefined {
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
function regexEnd(source: string, start: number): number | undefined {
  let inClass = false
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at]
    if (character === "\n" || character === "\r") break
    if (character === "\\") at++
    else if (character === "[") inClass = true
    else if (character === "]") inClass = false
    else if (character === "/" && !inClass) return endOf(word, source, at + 1)
  }
  return undefined
}

/** Reads code token by token. Its stack contains the open brackets and template literals. */
export abstract class Lexer {
  readonly source: string
  position: number
  /** The last token that was not a comment. */
  previous: Token | undefined = undefined
  #beforePrevious: Token | undefined = undefined
  /** The open brackets, innermost last; `${` is an expression inside a template literal. */
  readonly open: Opened[] = []

  constructor(source: string, position: number) {
    this.source = source
    this.position = position
  }

  /** Returns the error for text that is not code. */
  protected abstract error(fault: Fault): Error

  /** May throw for a regular expression without an end. Otherwise its `/` is a mark. */
  protected refuseRegex(_start: number): void {}

  /** Returns the offset after an element of JSX that starts at an offset; undefined if it is an ordinary `<`. */
  protected elementEnd(_start: number): number | undefined {
    return undefined
  }

  /**
   * Returns the next token, which may be a comment, or undefined at the end of the source. A closing bracket
   * without an opening one is returned like any other token, because it may belong to the caller.
   */
  next(): Token | undefined {
    const { source } = this
    const start = endOf(blank, source, this.position)
    const character = source[start]
    this.position = start
    if (character === undefined) return this.#atEnd()
    if (character === '"' || character === "'") {
      const end = stringEnd(source, start)
      if (end === undefined) throw this.error({ kind: "string", at: start, text: character })
      return this.#take("string", end, true)
    }
    if (character === "`") return this.#templateChunk(start, start)
    if (character === "/") return this.#slash(start)
    if (character === "<" && !this.previous?.operand) {
      const end = this.elementEnd(start)
      if (end !== undefined) return this.#take("jsx", end, true)
    }
    const wordEnd = endOf(word, source, start)
    if (wordEnd > start) return this.#word(wordEnd)
    const numberEnd = endOf(number, source, start)
    if (numberEnd > start) return this.#take("number", numberEnd, true)
    return this.#mark(start)
  }

  /** Continues after markup, whose `{` was the last token, and returns the token that stands for it. */
  skipMarkup(brace: Token, end: number, awaits: boolean): Token {
    this.open.pop()
    const { start } = brace
    const text = this.source.slice(start, end)
    this.previous = { kind: "markup", start, end, text, operand: true, awaits }
    this.position = end
    return this.previous
  }

  #take(kind: Token["kind"], end: number, operand: boolean): Token {
    const start = this.position
    const token: Token = { kind, start, end, text: this.source.slice(start, end), operand }
    this.position = end
    if (kind !== "comment") {
      this.#beforePrevious = this.previous
      this.previous = token
    }
    return token
  }

  #atEnd(): undefined {
    const unclosed = this.open.at(-1)
    if (unclosed) throw this.error({ kind: "open", at: unclosed.start, text: unclosed.bracket })
    return undefined
  }

  #word(end: number): Token {
    const text = this.source.slice(this.position, end)
    const isName = !beforeValue.has(text) || beforeName.test(this.previous?.text ?? "")
    return this.#take("word", end, isName)
  }

  #slash(start: number): Token {
    const { source } = this
    if (source[start + 1] === "/") {
      lineEnd.lastIndex = start
      return this.#take("comment", lineEnd.exec(source)?.index ?? source.length, false)
    }
    if (source[start + 1] === "*") {
      const end = source.indexOf("*/", start + 2)
      if (end < 0) throw this.error({ kind: "comment", at: start, text: "" })
      return this.#take("comment", end + 2, false)
    }
    if (this.previous?.operand) return this.#take("mark", start + 1, false)
    const end = regexEnd(source, start)
    if (end !== undefined) return this.#take("regex", end, true)
    this.refuseRegex(start)
    return this.#take("mark", start + 1, false)
  }

  /** Reads a part of a template literal, from its backtick or `}` to the next `${` or its closing backtick. */
  #templateChunk(start: number, literal: number): Token {
    const { source } = this
    for (let at = start + 1; at < source.length; at++) {
      const character = source[at]
      if (character === "\\") at++
      else if (character === "`") return this.#take("template", at + 1, true)
      else if (character === "$" && source[at + 1] === "{") {
        this.open.push({ bracket: "${", start: at, literal })
        return this.#take("template", at + 2, false)
      }
    }
    throw this.error({ kind: "template", at: literal, text: "`" })
  }

  #mark(start: number): Token {
    const end = endOf(mark, this.source, start)
    const text = this.source.slice(start, end)
    if (text === "(") this.open.push({ bracket: text, start, thenStatement: this.#isHead() })
    else if (text === "{") this.open.push({ bracket: text, start, thenStatement: this.#beginsBlock() })
    else if (text === "[") this.open.push({ bracket: text, start })
    if (text === ")" || text === "]" || text === "}") {
      const opened = this.open.at(-1)
      if (opened && closerOf[opened.bracket] !== text)
        throw this.error({ kind: "close", at: start, text, opened: opened.bracket })
      this.open.pop()
      if (opened?.literal !== undefined) return this.#templateChunk(start, opened.literal)
      return this.#take("mark", end, !opened?.thenStatement)
    }
    return this.#take("mark", end, this.#endsValue(start, text))
  }

  /** Returns true if the last word begins a statement: `if (`, `for await (`, but not `a.if (`. */
  #isHead(): boolean {
    const { previous } = this
    const before = this.#beforePrevious
    if (previous?.kind !== "word") return false
    if (previous.text === "await") return before?.kind === "word" && before.text === "for"
    return heads.has(previous.text) && !beforeName.test(before?.text ?? "")
  }

  /** Returns true if a brace begins a block and not an object: after a statement, or after the head of one, such as `class A`. */
  #beginsBlock(): boolean {
    const { previous } = this
    return !previous || previous.operand || beforeBlock.has(previous.text)
  }

  /**
   * Returns true if a value ends here: `a++ / b` and TypeScript's `a! / b` divide; other marks are followed
   * by a value.
   */
  #endsValue(start: number, text: string): boolean {
    if (text === "++" || text === "--") return true
    const { previous } = this
    if (text !== "!" || !previous?.operand) return false
    return !/[\n\r]/.test(this.source.slice(previous.end, start))
  }
}
