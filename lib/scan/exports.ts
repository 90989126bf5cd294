/** Reads the exports of a module without running it: their names, positions and comments. */

import { readCommentLines } from "./comments.ts"
import { findLineStarts, locate } from "./position.ts"
import { type Comment, type ModuleToken, type TokenOptions, type Tokens, tokenize } from "./tokens.ts"

/** The kind of an export, as far as the text shows it. */
export type ExportKind =
  /** A function, or a variable that may hold a function. */
  | "value"
  /** Something that cannot be called: a class, an enum, a namespace, or a variable with a literal. */
  | "data"
  /** `export default`. */
  | "default"
  /** `export * from`. Its names are in another file. */
  | "star"
  /** `export const { a } = …`. Its names are in a pattern. */
  | "pattern"

/** A name that a module exports. Exports of types are left out. */
export interface ModuleExport {
  readonly name: string
  readonly kind: ExportKind
  readonly line: number
  readonly column: number
  /** The text of the comment directly above it. */
  readonly comment?: string
  /** The index of the first token of the value, after `=`. */
  readonly value?: number
  /** True for `function*`, which returns an iterator and not a response. */
  readonly isGenerator?: true
}

/** Returns the location of an export, as an option for an error. */
export function toLocation({ file }: Pick<ModuleText, "file">, { line, column }: ModuleExport) {
  return { at: { file, line, column } }
}

/** The exports of a module. */
export interface ModuleText {
  readonly source: string
  readonly file: string
  readonly tokens: readonly ModuleToken[]
  readonly exports: readonly ModuleExport[]
}

/**
 * Reads the exports of a module.
 *
 * @throws FwError `syntax` for text that is not valid code.
 */
export function readModule(source: string, options: TokenOptions): ModuleText {
  // Few callers need the tokens, so they are made again for them. Kept in memory, the tokens of hundreds of files would
  // slow down every garbage collection.
  let tokens: readonly ModuleToken[] | undefined
  return {
    source,
    file: options.file,
    exports: new ExportReader(source, tokenize(source, options)).read(),
    get tokens() {
      tokens ??= tokenize(source, options).tokens
      return tokens
    },
  }
}

const declarationKeywords = new Set([
  "function",
  "class",
  "enum",
  "namespace",
  "module",
  "const",
  "let",
  "var",
  "async",
])
/** Words that continue the expression of the previous line. */
const continuingWords = new Set(["in", "instanceof", "as", "satisfies"])
/** Words that cannot end an expression. */
const unfinishedWords = new Set(["await", "delete", "new", "typeof", "void", "yield", "extends", "async", "keyof"])
/** Words that are a value which cannot be called. */
const constantWords = new Set(["true", "false", "null", "undefined"])

class ExportReader {
  readonly tokens: readonly ModuleToken[]
  readonly #source: string
  readonly #comments: Tokens["comments"]
  readonly #exports = new Map<string, ModuleExport>()
  readonly #lines: readonly number[]
  /** The names of top-level functions and variables, with the index of their first declaration. */
  #declarations: ReadonlyMap<string, number> | undefined

  constructor(source: string, { tokens, comments }: Tokens) {
    this.#source = source
    this.#lines = findLineStarts(source)
    this.tokens = tokens
    this.#comments = comments
  }

  read(): ModuleExport[] {
    for (let index = 0; index < this.tokens.length; index += 1) {
      const { text, depth } = this.tokens[index] as ModuleToken
      if (depth > 0 || text !== "export" || /^\??\.$/.test(this.#getText(index - 1))) continue
      this.#readStatement(index)
    }
    return [...this.#exports.values()]
  }

  #getText(index: number): string {
    return this.tokens[index]?.text ?? ""
  }

  /** Adds an export. Of several overloads only the first one is added, because it has the comment. */
  #addExport(
    name: string,
    kind: ExportKind,
    at: number,
    details: { comment?: number; value?: number; generator?: boolean } = {},
  ): void {
    if (this.#exports.has(name)) return
    const { line, column } = locate(this.#lines, (this.tokens[at] as ModuleToken).start)
    const comment = this.#findCommentAbove(details.comment ?? at)
    this.#exports.set(name, {
      name,
      kind,
      line: line + 1,
      column: column + 1,
      ...(comment === "" ? {} : { comment }),
      ...(details.value === undefined ? {} : { value: details.value }),
      ...(details.generator && { isGenerator: true as const }),
    })
  }

  /** Reads the statement after the `export` at an index. */
  #readStatement(at: number): void {
    const word = this.#getText(at + 1)
    if (word === "default" || word === "=") this.#addExport("default", "default", at)
    else if (word === "*") this.#readStar(at)
    else if (word === "{") this.#readClause(at)
    else if (declarationKeywords.has(word)) this.#readDeclaration(at, at + 1)
    else if (word === "abstract") this.#addExport(this.#getText(at + 3), "data", at)
    else if (word === "import" && this.#getText(at + 2) !== "type") this.#addExport(this.#getText(at + 2), "data", at)
    // The other words (`type`, `interface`, `declare`, `as namespace`) begin exports of types.
  }

  #readStar(at: number): void {
    if (this.#getText(at + 2) === "as") this.#addExport(unquoteName(this.#getText(at + 3)), "data", at)
    else this.#addExport("*", "star", at)
  }

  /** Reads `{ Get, handler as Post, type Row }`, with or without `from`. */
  #readClause(at: number): void {
    let end = at + 2
    while (end < this.tokens.length && this.#getText(end) !== "}") end += 1
    const isLocal = this.#getText(end + 1) !== "from"
    for (let i = at + 2; i < end; i += 1) {
      const start = i
      while (i < end && this.#getText(i) !== ",") i += 1
      const words = this.tokens.slice(start, i).map((token) => token.text)
      // `type Get` and `type A as Get` export types, but `type as Get` exports a value with the name `type`.
      const isTypeOnly = words[0] === "type" && (words.length === 2 || words.length === 4)
      if (words.length > 0 && !isTypeOnly) this.#readSpecifier(words, at, start, isLocal)
    }
  }

  #readSpecifier(words: readonly string[], at: number, start: number, isLocal: boolean): void {
    const name = unquoteName(words.at(-1) as string)
    if (name === "default") this.#addExport(name, "default", start)
    else {
      const declarationIndex = isLocal ? this.#findDeclaration(words[0] as string) : null
      const hasOwnComment = declarationIndex !== null && this.#findCommentAbove(declarationIndex) !== ""
      const generator = this.#startsGenerator(declarationIndex)
      this.#addExport(name, "value", start, { comment: hasOwnComment ? declarationIndex : at, generator })
    }
  }

  /** Returns the names of top-level functions and variables, with the index of their first declaration. */
  #findDeclaredNames(): Map<string, number> {
    const names = new Map<string, number>()
    for (const [i, { depth, text }] of this.tokens.entries())
      if (depth === 0 && !names.has(text) && /^(?:function|const|let|var|\*)$/.test(this.#getText(i - 1)))
        names.set(text, i)
    return names
  }

  /** Returns the index at which the top-level declaration of a name begins. */
  #findDeclaration(name: string): number | null {
    this.#declarations ??= this.#findDeclaredNames()
    const nameIndex = this.#declarations.get(name)
    if (nameIndex === undefined) return null
    let start = nameIndex - 1
    while (/^(?:function|async|\*)$/.test(this.#getText(start - 1))) start -= 1
    return start
  }

  /** Reads a declaration. @param at the index of `export`. @param word the index of the keyword. */
  #readDeclaration(at: number, word: number): void {
    const keyword = this.#getText(word)
    if (keyword === "async") this.#readDeclaration(at, word + 1)
    else if (keyword === "function") {
      const generator = this.#startsGenerator(word)
      this.#addExport(this.#getText(generator ? word + 2 : word + 1), "value", at, { generator })
    } else if (keyword === "const" && this.#getText(word + 1) === "enum")
      this.#addExport(this.#getText(word + 2), "data", at)
    else if (keyword === "const" || keyword === "let" || keyword === "var") this.#readVariables(at, word + 1)
    else this.#addExport(this.#getText(word + 1), "data", at)
  }

  /** Reads every `name: Type = value` after `const`, `let` or `var`. */
  #readVariables(keywordIndex: number, firstName: number): void {
    for (let name = firstName; name < this.tokens.length; ) {
      const isPattern = this.#getText(name) === "{" || this.#getText(name) === "["
      const { value, nextIndex } = this.#readInitializer(isPattern ? this.#findClosing(name) + 1 : name + 1)
      const generator = this.#startsGenerator(value)
      const details = value === null ? { comment: keywordIndex } : { comment: keywordIndex, value, generator }
      if (isPattern) this.#addExport("{}", "pattern", keywordIndex)
      else
        this.#addExport(
          this.#getText(name),
          this.#isData(value) ? "data" : "value",
          name === firstName ? keywordIndex : name,
          details,
        )
      if (nextIndex === null) return
      name = nextIndex
    }
  }

  /**
   * Reads what follows a variable's name. Returns the index of its value, and that of the next name after a comma.
   */
  #readInitializer(from: number): { value: number | null; nextIndex: number | null } {
    let value: number | null = null
    for (let i = from; i < this.tokens.length && !this.#isStatementEnd(i); i += 1) {
      const { text, depth } = this.tokens[i] as ModuleToken
      if (depth > 0) continue
      if (text === "<") i = this.#skipAngles(i)
      else if (text === "=") value ??= i + 1
      else if (text === ",") return { value, nextIndex: i + 1 }
    }
    return { value, nextIndex: null }
  }

  /** Returns true if the tokens at an index are `function*` or `async function*`. */
  #startsGenerator(index: number | null): boolean {
    if (index === null) return false
    const word = this.#getText(index) === "async" ? index + 1 : index
    return this.#getText(word) === "function" && this.#getText(word + 1) === "*"
  }

  /** Returns true if the first token of a value shows that the value cannot be called. */
  #isData(value: number | null): boolean {
    const token = value === null ? undefined : this.tokens[value]
    const isObject = token?.text === "{" || token?.text === "["
    const isLiteral = isObject || constantWords.has(token?.text ?? "")
    if (!token || (!isLiteral && !["string", "number", "template"].includes(token.kind))) return false
    const nextToken = this.tokens[(isObject ? this.#findClosing(value as number) : (value as number)) + 1]
    return !nextToken || nextToken.isOnNewLine || /^(?:;|,|as|satisfies)$/.test(nextToken.text)
  }

  /** Returns the index of the bracket that closes the bracket at an index. */
  #findClosing(open: number): number {
    const depth = (this.tokens[open] as ModuleToken).depth
    let i = open + 1
    while (i < this.tokens.length && (this.tokens[i] as ModuleToken).depth > depth) i += 1
    return i
  }

  /** Returns the index of the `>` that ends type arguments. Returns the same index if `<` is a comparison. */
  #skipAngles(at: number): number {
    const { depth } = this.tokens[at] as ModuleToken
    for (let i = at, open = 0; i < this.tokens.length; i += 1) {
      const token = this.tokens[i] as ModuleToken
      if (token.depth < depth || token.text === ";" || token.text === "export") return at
      if (token.depth > depth) continue
      if (token.text === "<") open += 1
      else if (token.text === ">") open -= 1
      if (open === 0) return i
    }
    return at
  }

  /**
   * Returns true if a statement has ended before the token at an index: by a semicolon, a keyword or a new line.
   */
  #isStatementEnd(index: number): boolean {
    const { text, depth, kind, isOnNewLine } = this.tokens[index] as ModuleToken
    if (depth > 0) return false
    if (text === ";" || text === "export" || text === "import") return true
    const previousToken = this.tokens[index - 1] as ModuleToken
    if (!isOnNewLine || unfinishedWords.has(previousToken.text)) return false
    const isStatementStart = kind === "word" || kind === "string" || kind === "number" || text === "{" || text === "@"
    const isValueEnd = previousToken.kind !== "mark" || /^[)\]}]$/.test(previousToken.text)
    return isStatementStart && isValueEnd && !continuingWords.has(text)
  }

  /** Returns the index of the last comment that begins before an offset; -1 if there is none. */
  #findLastCommentBefore(offset: number): number {
    let [low, high] = [0, this.#comments.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#comments[middle] as Comment).start < offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Returns the text of the comment that ends on the line above a token. It may consist of several line comments. */
  #findCommentAbove(index: number): string {
    const lines: string[] = []
    let below = (this.tokens[index] as ModuleToken).start
    const previousToken = this.tokens[index - 1]
    const floor = previousToken ? previousToken.start + previousToken.text.length : 0
    for (let at = this.#findLastCommentBefore(below); at >= 0; at--) {
      const { text, start } = this.#comments[at] as Comment
      const end = start + text.length
      const gap = this.#source.slice(end, below)
      const isTrailing = previousToken !== undefined && !this.#source.slice(floor, start).includes("\n")
      if (start < floor || isTrailing || !/^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)) break
      if (text.startsWith("/*") && lines.length > 0) break
      lines.unshift(...readCommentLines(text))
      below = start
      if (text.startsWith("/*")) break
    }
    return lines.join("\n").trim()
  }
}

/** Returns the name of an export, without quotes if it is written as a string. */
function unquoteName(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1) : text
}
