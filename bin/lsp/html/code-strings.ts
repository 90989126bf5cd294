/**
 * Finds strings in the code of attributes, such as `class={["row", …]}`, because names and URLs are completed in
 * them.
 */

import { Problem } from "../../../template/diagnostic.ts"
import { Lexer, type Token } from "../../../template/parse/lexer.ts"
import type { Shadow, Span } from "./shadow-parts.ts"

/** A string literal, or a text in a template literal between two expressions. */
export interface CodeString extends Span {
  /** The name of the attribute. */
  readonly attribute: string
  /** The quote that begins the literal. */
  readonly quote: string
  /** The literal up to this text, with `{}` for each expression. */
  readonly before: string
  /** True if an expression follows, as after `/tasks/` in `` `/tasks/${id}` ``. */
  readonly isContinued: boolean
}

const attributeName = /(?<![^\s"'<>/={}])[^\s"'<>/={}]+(?==$)/
const comparison = /^\s*[=!]==?/

/** Returns the string at an offset in an attribute's value. Its closing quote may be missing. */
export function findCodeString(source: string, { code }: Shadow, offset: number): CodeString | undefined {
  const value = code.find(({ start, end }) => start < offset && offset <= end)
  const [attribute] = (value && attributeName.exec(source.slice(Math.max(0, value.start - 100), value.start))) ?? []
  return value && attribute !== undefined ? findStringIn(source, value, offset, attribute) : undefined
}

function findStringIn(source: string, { start, end }: Span, offset: number, attribute: string): CodeString | undefined {
  const lexer = new Lexer(source.slice(0, end), start + 1)
  /** The start of each template literal's text, and that text. */
  const texts = new Map<number, string>()
  while (lexer.position < offset) {
    const literal = lexer.openBrackets.at(-1)?.literal
    const { previous } = lexer
    const token = readNext(lexer, offset)
    if (!token) return undefined
    const isText = token.kind === "template" || token.kind === "string"
    const first = token.text[0] === "}" ? (literal ?? token.start) : token.start
    const known = texts.get(first)
    const before = known === undefined ? "" : `${known}{}`
    const isContinued = token.text.endsWith("${")
    const inner = { start: token.start + 1, end: token.end - (isContinued ? 2 : 1) }
    if (isText && inner.start <= offset && offset <= inner.end) {
      if (comparison.test(previous?.text ?? "") || comparison.test(source.slice(token.end))) return undefined
      const quote = source[first] ?? ""
      return { attribute, quote, before: before + source.slice(inner.start, offset), isContinued, ...inner }
    }
    texts.set(first, before + token.text.slice(1, inner.end - token.start))
  }
  return undefined
}

/** Returns the next token. An unclosed string ends at the offset. */
function readNext(lexer: Lexer, offset: number): Token | undefined {
  const { source, position } = lexer
  try {
    return lexer.next()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const start = position + source.slice(position).search(/\S|$/)
    const kind = source[start] === "`" || source[start] === "}" ? "template" : "string"
    if (!/["'`}]/.test(source[start] ?? "") || start >= offset) return undefined
    // Another character replaces the missing quote.
    return { kind, start, end: offset + 1, text: `${source.slice(start, offset)} `, isOperand: true }
  }
}
