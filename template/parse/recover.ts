/**
 * Reads what can be used of a file with errors: the signature of each broken template, and the TypeScript around it. It
 * is only for editors and type checks, because a file with an error is never served.
 */

import type { Node, Template, TypeScriptPart } from "../ast.ts"
import { isAsync, printsChildren } from "../check/node-facts.ts"
import { Problem } from "../diagnostic.ts"
import { findMissingClosers } from "./brackets.ts"
import type { Header } from "./header.ts"
import { Lexer, type Token } from "./lexer.ts"
import { findUnfinishedCode } from "./partial-nodes.ts"

/** Where a template usually ends: after a closing brace, or before a declaration, both at the start of a line. */
const templateEnd = /^(?:\}|(?=(?:import|export|const|let|function|async|class|type|interface|enum)[ \t]))/gm
/** The beginning of markup or of a block, which is not TypeScript. */
const markupStart = /\s*(?:<[A-Za-z/!]|\{\s*(?:if|for|switch)\b|\})/y
const childrenBraces = /\{\s*children\s*\}/
const awaitBraces = /(?:[{(,=?:]|\bfor)\s*await\b/

/** What is known about a template before its parameters are read. */
export interface TemplateName {
  readonly at: number
  readonly name: string
  readonly nameStart: number
}

/**
 * Returns a partial template in place of one with an error. Its body has the nodes that were read. If its head was not read
 * to the end, the nodes are the parameters.
 */
export function toBrokenTemplate(
  source: string,
  { at, name, nameStart }: TemplateName,
  header: Header | undefined,
  body: readonly Node[],
): Template {
  const nameEnd = nameStart + name.length
  const emptyCode = {
    start: nameEnd,
    end: nameEnd,
    hasCommas: false,
    hasLineComment: false,
    awaits: false,
    markup: [],
  }
  const list = header?.parameterList ?? findUnfinishedCode(body) ?? emptyCode
  const parenthesis = source.lastIndexOf("(", list.start - 1)
  return {
    kind: "template",
    name,
    start: at,
    nameStart,
    generics: header?.generics ?? { start: nameEnd, end: Math.max(nameEnd, parenthesis) },
    parameterList: list,
    parameters: header?.parameters ?? [],
    separator: header?.separator ?? (list.end > list.start && source[list.end - 1] !== "," ? ", " : ""),
    body: header ? body : [],
    bodySpan: { start: nameEnd, end: nameEnd },
    isAsync: isAsync(header ? body : []),
    printsChildren: printsChildren(header ? body : []),
    end: nameEnd,
  }
}

/**
 * Returns a broken template, and the TypeScript after it up to the next template.
 *
 * @param next the offset of the next template, or of the end of the file.
 */
export function recoverTemplate(
  source: string,
  template: Template,
  offset: number,
  next: number,
): (TypeScriptPart | Template)[] {
  const end = findTemplateEnd(source, template.end, offset, next)
  const unread = source.slice(template.end, end)
  const recoveredTemplate: Template = {
    ...template,
    end,
    isAsync: template.isAsync || awaitBraces.test(unread),
    printsChildren: template.printsChildren || (template.name !== "Layout" && childrenBraces.test(unread)),
  }
  return [recoveredTemplate, ...recoverTypeScript(source, end, next)]
}

/** Returns the offset after the brace that probably ends a broken template. */
function findTemplateEnd(source: string, from: number, offset: number, next: number): number {
  // The error may be reported far behind the end. So the search stops where the next template begins.
  const text = source.slice(0, next)
  for (const at of [Math.max(from, offset), from]) {
    templateEnd.lastIndex = at
    const match = templateEnd.exec(text)
    if (match) return match.index + match[0].length
  }
  return next
}

/** Returns TypeScript without closing brackets that close nothing, and with the closing brackets that are missing. */
export function recoverTypeScript(source: string, from: number, to: number): TypeScriptPart[] {
  markupStart.lastIndex = from
  return markupStart.test(source) ? [] : new TypeScriptReader(source.slice(0, to), from).read()
}

class TypeScriptReader {
  readonly #source: string
  readonly #parts: TypeScriptPart[] = []
  #lexer: Lexer
  #tokens: Token[] = []
  #start: number

  constructor(source: string, from: number) {
    this.#source = source
    this.#start = from
    this.#lexer = new Lexer(source, from)
  }

  read(): TypeScriptPart[] {
    for (;;) {
      try {
        this.#readToEnd()
        this.#addPart(this.#source.length)
        return this.#parts
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (!this.#skipUnreadable()) return this.#parts
      }
    }
  }

  /** Reads all tokens. Throws at the first text that is not a token. */
  #readToEnd(): void {
    for (;;) {
      const isOutside = this.#lexer.openBrackets.length === 0
      const token = this.#lexer.next()
      if (!token) return
      if (isOutside && token.kind === "mark" && /^[)\]}]$/.test(token.text)) this.#leaveOut(token.start, token.end)
      else if (token.kind !== "comment") this.#tokens.push(token)
    }
  }

  /** Skips text that is not a token. Returns false if nothing after it can be read either. */
  #skipUnreadable(): boolean {
    const at = this.#lexer.position
    const character = this.#source[at]
    if (character === '"' || character === "'" || (character === "/" && this.#source[at + 1] !== "*")) {
      // A string or regular expression without an end ends with its line in TypeScript.
      const end = /[\n\r]|$/g
      end.lastIndex = at
      this.#lexer.position = end.exec(this.#source)?.index ?? this.#source.length
      return true
    }
    const openBracket = character !== undefined && ")]}".includes(character) && this.#lexer.openBrackets.at(-1)
    if (openBracket && openBracket.literal === undefined) {
      this.#leaveOut(at, at + 1)
      return true
    }
    this.#addPart(at)
    return false
  }

  /** Leaves a range out. Brackets that are open before it are closed. */
  #leaveOut(at: number, end: number): void {
    this.#addPart(at)
    this.#start = end
    this.#lexer = new Lexer(this.#source, end)
  }

  #addPart(end: number): void {
    const missingClosers = findMissingClosers(this.#tokens)
    if (end > this.#start) this.#parts.push({ kind: "plain", start: this.#start, end, missingClosers })
    this.#tokens = []
  }
}
