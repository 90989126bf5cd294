/**
 * Problems of elements, braces and blocks that are not closed. Each problem names and marks first what the author must
 * close.
 */

import { Problem } from "../diagnostic.ts"
import type { Cursor, Opener } from "./cursor.ts"
import type { Token } from "./lexer.ts"

const endTagHere = /<\/([A-Za-z][\w:.-]*)\s*>/y
const startTag = /<[A-Za-z{][\w:.-]*(?=[\s/>]|$)/
/** A tag at the start of a line, while the line before it ends like a value. */
const tagOnNextLine = /[\w$)\]"'`][^\S\n]*\n\s*<[A-Za-z]/
const templateStart = /^template[ \t]/gm
const anyBrace = /(["'`])[{}]\1|[{}]/g
const markupStart = /\s*(?:<[A-Za-z/!]|\{\s*(?:if|for|switch)\s*\()/y

/** Returns the line of an offset, counted from 1. */
export function toLineNumber(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length
}

/** Returns the closing bracket for a bracket; "" for any other text. */
export function findCloser(bracket: string): string {
  return { "{": "}", "${": "}", "(": ")", "[": "]" }[bracket] ?? ""
}

/** Returns the problem of an element that is still open at the `}` of its block. */
export function createUnclosedElementProblem(
  source: string,
  { name, start }: { name: string; start: number },
  brace: number,
) {
  const end = /\n|$/.exec(source.slice(brace))?.index ?? 0
  // The end tag is later in the same line, so the brace was meant as text.
  if (source.slice(brace, brace + end).includes(`</${name}`))
    return new Problem(brace, `this "}" ends the block before </${name}>`, 'Write {"}"} for a brace in text.')
  const fix = () => `Close it with </${name}> before the "}" of line ${toLineNumber(source, brace)}.`
  return new Problem(start, `<${name}> is never closed`, fix)
}

/**
 * Returns the problem of code that is not closed and in which an end tag appears. Returns undefined if markup was meant
 * as a value.
 *
 * @param open the offset of the innermost open bracket.
 */
export function findUnclosedBraces(source: string, open: number, token: Token): Problem | undefined {
  endTagHere.lastIndex = token.start
  const tag = endTagHere.exec(source)?.[1]
  const bracket = source[open] ?? ""
  const closer = findCloser(bracket)
  if (tag === undefined || closer === "") return undefined
  const code = source.slice(open + 1, token.start)
  const next = tagOnNextLine.exec(code)
  if (!next && startTag.test(code)) return undefined
  const place = () => (next ? `at the end of line ${toLineNumber(source, open + 1 + next.index)}` : `before </${tag}>`)
  return new Problem(open, `this "${bracket}" is never closed`, () => `Close it with "${closer}" ${place()}.`)
}

/**
 * Reads the `}` that closes braces with a block, such as `{if (…) { … }}`.
 *
 * @param word the first word in the braces.
 * @param otherFix the fix if the braces contain something after the block.
 */
export function expectBlockEnd(cursor: Cursor, word: Token, otherFix: string): void {
  const { source } = cursor
  const end = cursor.position
  const token = cursor.peek()
  const brace = source.lastIndexOf("{", word.start)
  const problem = () => {
    if (isOutdented(source, brace, end - 1)) return createMissingCloserProblem(source, brace, `{${word.text}}`, end - 1)
    const fix = () =>
      `The "}" of line ${toLineNumber(source, end - 1)} ends only its block. Write another "}" after it.`
    return new Problem(brace, `this {${word.text}} is never closed`, fix)
  }
  if (token?.text !== "}") {
    if (!token || source.slice(end, token.start).includes("\n")) throw problem()
    const message = `this {${word.text}} continues after its block`
    if (/^els?e?if$/.test(token.text)) throw new Problem(token.start, message, "Write else if (…) { … }.")
    throw new Problem(token.start, message, `Close it with "}". ${otherFix}`)
  }
  if (!cursor.suspect && isOutdented(source, brace, token.start)) cursor.suspect = { brace, problem }
  cursor.position = token.end
}

/**
 * Records braces as probably unclosed if the indentation shows that the `}` which closes them was meant for braces
 * further out. Only the first such braces are recorded.
 */
export function recordUnclosedBraces(
  cursor: Cursor,
  close: number,
  { start, name }: Pick<Opener, "start" | "name">,
): void {
  const { source } = cursor
  if (cursor.suspect || !isOutdented(source, start, close)) return
  cursor.suspect = { brace: start, problem: () => createMissingCloserProblem(source, start, name, close) }
}

/** Returns the problem of braces that are still open at a `}` which was meant for braces further out. */
function createMissingCloserProblem(source: string, brace: number, name: string, close: number): Problem {
  return new Problem(
    brace,
    `this ${name} is never closed`,
    () => `Close it before the "}" of line ${toLineNumber(source, close)}.`,
  )
}

/**
 * Returns the problem of a block whose `}` is missing. If braces inside of it have probably taken the `}`, it is their
 * problem.
 */
export function createUnclosedBlockProblem(cursor: Cursor, brace: number, opener: Opener | undefined): Problem {
  const { suspect, source } = cursor
  if (suspect && suspect.brace > brace) return suspect.problem()
  if (opener?.start !== brace) return new Problem(brace, 'this "{" is never closed', 'Close it with "}".')
  const message = () => `${opener.name}, which begins on line ${toLineNumber(source, brace)}, is never closed`
  const last = () => toLineNumber(source, source.trimEnd().length)
  return new Problem(brace, message, () => `Close it with "}" after line ${last()}.`)
}

/** Returns the problem of an element that is still open where the file or the template ends. */
export function createUnclosedAtEndProblem({ name, start }: { name: string; start: number }): Problem {
  return new Problem(start, `<${name}> is never closed`, `Close it with </${name}>.`)
}

const caseHead = /^(?:case\b|default\s*:$)/

/**
 * Throws if the text before a brace is the head of the next case in a switch. Then the `}` of the case that opens at
 * `brace` is missing.
 */
export function refuseCaseText(cursor: Cursor, text: string, brace: number): void {
  const { source, position } = cursor
  const last = text.includes("\n") ? text.slice(text.lastIndexOf("\n")).trim() : ""
  if (!cursor.startsWith("{") || !last.endsWith(":") || !caseHead.test(last)) return
  const fix = () => `Close it with "}" before line ${toLineNumber(source, position)}.`
  throw new Problem(brace, "this case is never closed", fix)
}

/**
 * Returns the problem of an end tag that has no start tag in its block.
 *
 * @param opener the braces around the block, if they are inside of the element that the tag would close.
 */
export function createStrayEndTagProblem(
  cursor: Cursor,
  start: number,
  name: string,
  opener: Opener | undefined,
): Problem {
  const { source, suspect } = cursor
  // If the braces are balanced, the block ends somewhere after the tag.
  if (!opener || !lacksClosingBrace(source, start)) {
    const fix = "Open and close an element in the same block."
    return new Problem(start, `</${name}> closes nothing in this block`, fix)
  }
  if (suspect && suspect.brace > opener.start) return suspect.problem()
  const fix = () => `Close it with "${opener.end}" before the </${name}> of line ${toLineNumber(source, start)}.`
  return new Problem(opener.start, `this ${opener.name} is never closed`, fix)
}

/** Returns true if a template has more opening than closing braces. @param offset an offset in the template. */
function lacksClosingBrace(source: string, offset: number): boolean {
  const from = Math.max(0, source.lastIndexOf("\ntemplate", offset))
  templateStart.lastIndex = offset
  const template = source.slice(from, templateStart.exec(source)?.index)
  let open = 0
  for (const [brace] of template.matchAll(anyBrace)) {
    if (brace === "{") open++
    else if (brace === "}") open--
  }
  return open > 0
}

/** Throws for markup after the end of a template. A `}` too many has ended the template too early. */
export function refuseMarkupAfter(source: string, end: number, name: string): void {
  markupStart.lastIndex = end
  if (!markupStart.test(source)) return
  const fix = 'Remove one "}" at this place or above it. A brace in text is written {"}"}.'
  throw new Problem(end - 1, `this "}" ends template ${name}, and markup follows it`, fix)
}

/** Returns true if a `}` is the first in its line, and further to the left than the line with its opening brace. */
function isOutdented(source: string, open: number, close: number): boolean {
  let start = close
  while (source[start - 1] === " " || source[start - 1] === "\t") start--
  if (source[start - 1] !== "\n") return false
  const line = source.slice(source.lastIndexOf("\n", open) + 1, open)
  return close - start < (/^\s*/.exec(line)?.[0].length ?? 0)
}

const tagInBlock = /\{\s+<[A-Za-z]/y

/** Throws for a block inside of parentheses that are not closed, as in `{if (a { <p>`. */
export function refuseOpenParenthesis(source: string, open: number, brace: Token, tokens: readonly Token[]): void {
  if (brace.text !== "{" || source[open] !== "(" || !tokens.at(-1)?.isOperand) return
  tagInBlock.lastIndex = brace.start
  if (!tagInBlock.test(source) || tokens.some(({ text }) => text === "function")) return
  const fix = () => `Close it with ")" before the "{" of line ${toLineNumber(source, brace.start)}.`
  throw new Problem(open, 'this "(" is never closed', fix)
}
