/** A tokenizer for TypeScript and JavaScript, which does not run the code. */
import { FwError } from "../errors.ts"
import { scanFault } from "./fault.ts"

/** A token. A template literal and a JSX element are one token each. */
export interface Token {
  readonly kind: "name" | "string" | "template" | "number" | "regex" | "jsx" | "mark"
  readonly text: string
  readonly start: number
  /** Number of open brackets around it. An opening or closing bracket counts as outside. */
  readonly depth: number
  /** True if there is a line break between it and the token before. */
  readonly newline: boolean
}

/** A comment with its marks. */
export interface Comment {
  readonly text: string
  readonly start: number
}

/** The tokens and comments of a source, in order. */
export interface Tokens {
  readonly tokens: readonly Token[]
  readonly comments: readonly Comment[]
}

/** Options of the tokenizer. */
export interface TokenOptions {
  /** File name, for messages. */
  readonly file: string
  /** True if `<b>` in the place of a value is an element. In a `.ts` file it is a type assertion. */
  readonly jsx: boolean
}

/** Keywords that a value follows, so that a slash begins a regular expression. */
export const beforeValue = new Set(
  "await case delete do else in instanceof new of return throw typeof void yield default".split(" "),
)
const closers: Record<string, string> = { "(": ")", "[": "]", "{": "}" }

const blank = /\s+/y
/**
 * Accepts too much outside ASCII, because Unicode's tables would take most of the time and no exported name
 * needs them.
 */
const identifier = /[#@]?(?:[A-Za-z_$]|[^\s\0-\x7f])(?:[\w$]|[^\s\0-\x7f])*/y
const number = /\.?\d[\w.]*/y
const string = /"(?:[^"\\\r\n]|\\[\s\S])*"|'(?:[^'\\\r\n]|\\[\s\S])*'/y
const regex = /\/(?![*/])(?:[^\\/[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\])+\/[\p{ID_Continue}$]*/uy
const comment = /\/\/.*|\/\*[\s\S]*?\*\//y
const mark = /=>|\+\+|--|\.\.\.|\?\.(?!\d)|[\s\S]/uy
const tagName = /[\p{ID_Start}$_][\p{ID_Continue}$.:-]*/uy
const attributeText = /"[^"]*"|'[^']*'|[^<>{}"'/]+|\/(?!>)/y

function match(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.test(source) ? source.slice(at, pattern.lastIndex) : null
}

/** Returns line and column of an offset, from 1. */
export function positionOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/)
  return { line: before.length, column: (before.at(-1) as string).length + 1 }
}

/**
 * Returns the tokens and comments of a module.
 *
 * @throws FwError `syntax` for text that does not end and for brackets that do not match.
 */
export function tokenize(source: string, options: TokenOptions): Tokens {
  const scanner = new Scanner(source, options)
  const shebang = match(/\uFEFF?(?:#!.*)?/y, source, 0) as string
  scanner.run(shebang.length, false)
  return scanner
}

interface Open {
  readonly text: string
  readonly start: number
  /** True if a value may follow the closing bracket, as after `if (…)`. */
  readonly thenValue: boolean
}

/**
 * Scans a source, or the code of an expression in a template literal or an element, which has its own tokens.
 */
class Scanner implements Tokens {
  readonly tokens: Token[] = []
  readonly comments: Comment[] = []
  readonly #source: string
  readonly #options: TokenOptions
  readonly #open: Open[] = []
  #newline = false
  /** True if a value may start here; otherwise a slash divides. */
  #value = true

  constructor(source: string, options: TokenOptions) {
    this.#source = source
    this.#options = options
  }

  /** Scans to the end of the source or of the embedded expression; returns the offset after it. */
  run(from: number, hole: boolean): number {
    let at = from
    while (at < this.#source.length) {
      if (hole && this.#open.length === 0 && this.#source[at] === "}") return at + 1
      at += this.#step(at)
    }
    const open = this.#open.at(-1)
    if (open) this.fail(open.start, "open", open.text)
    return hole ? this.fail(from - 1, "open", "{") : at
  }

  fail(at: number, problem: "close" | "comment" | "open" | "string" | "template", bracket = ""): never {
    const place = { file: this.#options.file, ...positionOf(this.#source, at) }
    throw scanFault(`syntax.${problem}`, [bracket], { at: place })
  }

  /** Scans one token, comment or space; returns its length. */
  #step(at: number): number {
    const source = this.#source
    const space = match(blank, source, at)
    if (space !== null) {
      if (/[\n\r\u2028\u2029]/.test(space)) this.#newline = true
      return space.length
    }
    if (source.startsWith("//", at) || source.startsWith("/*", at)) return this.#comment(at)
    const char = source[at] as string
    if (char === '"' || char === "'") return this.#string(at)
    if (char === "`") return this.#push("template", source.slice(at, this.#template(at)), at)
    if (char === "/" && this.#value) {
      const text = match(regex, source, at)
      if (text !== null) return this.#push("regex", text, at)
    }
    if (char === "<" && this.#value && this.#options.jsx) {
      const end = this.#attempt(at)
      if (end !== null) return this.#push("jsx", source.slice(at, end), at)
    }
    if (!/[.\d]/.test(char)) {
      const name = match(identifier, source, at)
      if (name !== null) return this.#push("name", name, at)
    } else {
      const digits = match(number, source, at)
      if (digits !== null) return this.#push("number", digits, at)
    }
    return this.#mark(match(mark, source, at) as string, at)
  }

  #comment(at: number): number {
    const text = match(comment, this.#source, at)
    if (text === null) return this.fail(at, "comment")
    this.comments.push({ text, start: at })
    if (text.includes("\n")) this.#newline = true
    return text.length
  }

  #string(at: number): number {
    const text = match(string, this.#source, at)
    return text === null ? this.fail(at, "string") : this.#push("string", text, at)
  }

  #push(kind: Token["kind"], text: string, at: number): number {
    const before = this.tokens.at(-1)?.text
    this.tokens.push({ kind, text, start: at, depth: this.#open.length, newline: this.#newline })
    this.#newline = false
    // `a.return / 2` divides: after a dot a keyword is a property.
    this.#value = kind === "name" && beforeValue.has(text) && before !== "." && before !== "?."
    return text.length
  }

  #mark(text: string, at: number): number {
    const wasValue = this.#value
    const before = this.tokens.at(-1)?.text ?? ""
    const isCloser = text === ")" || text === "]" || text === "}"
    const open = isCloser ? this.#open.pop() : undefined
    if (isCloser && (!open || closers[open.text] !== text)) this.fail(at, "close", text)
    this.#push("mark", text, at)
    if (closers[text]) {
      this.#open.push({ text, start: at, thenValue: /^(?:if|while|for|with)$/.test(before) })
    }
    if (text === ")") this.#value = open?.thenValue ?? false
    else if (text === "]" || text === "++" || text === "--") this.#value = false
    // `a! / b` divides a value that is not null; `!/x/` negates a match.
    else if (text === "!") this.#value = wasValue
    else this.#value = true
    return text.length
  }

  /** Returns the offset after a template literal. */
  #template(start: number): number {
    const source = this.#source
    let at = start + 1
    while (at < source.length) {
      if (source[at] === "`") return at + 1
      if (source[at] === "\\") at += 2
      else if (source.startsWith("${", at)) at = this.#hole(at + 2)
      else at += 1
    }
    return this.fail(start, "template")
  }

  #hole(at: number): number {
    return new Scanner(this.#source, this.#options).run(at, true)
  }

  /** Returns the offset after an element; null for the `<` of type parameters, which have no such end. */
  #attempt(at: number): number | null {
    try {
      return this.#element(at)
    } catch (error) {
      if (error instanceof FwError) return null
      throw error
    }
  }

  /** Returns the offset after an element or a fragment; null for a `<` that begins neither. */
  #element(start: number): number | null {
    const source = this.#source
    const name = match(tagName, source, start + 1) ?? ""
    let at = this.#attributes(start + 1 + name.length)
    if (source[at] === "/") return name !== "" && source[at + 1] === ">" ? at + 2 : null
    if (source[at] !== ">") return null
    at += 1
    while (at < source.length) {
      if (source[at] === "{") at = this.#hole(at + 1)
      else if (source.startsWith("</", at)) return this.#closing(at, name)
      else if (source[at] === "<") {
        const end = this.#element(at)
        if (end === null) return null
        at = end
      } else at += 1
    }
    return null
  }

  #closing(at: number, name: string): number | null {
    const end = this.#source.indexOf(">", at)
    return this.#source.slice(at + 2, end).trim() === name ? end + 1 : null
  }

  /** Returns the offset of the `>` or `/>` of an opening tag, or of text that cannot be in one. */
  #attributes(from: number): number {
    let at = from
    for (;;) {
      const text = match(attributeText, this.#source, at)
      if (text !== null) at += text.length
      else if (this.#source[at] === "{") at = this.#hole(at + 1)
      else return at
    }
  }
}
