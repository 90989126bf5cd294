/** Finds the beginning of the next part of a file inside of a template that was not closed. */

import { Problem } from "../diagnostic.ts"
import type { Cursor, Opener } from "./cursor.ts"
import type { Lexer, Token } from "./lexer.ts"
import { findCloser, refuseCaseText, toLineNumber } from "./unclosed.ts"

/** The head of a template. Before one of these operators, `template` is an ordinary name. */
const templateHead =
  /template[ \t]+(?!(?:in|of|instanceof|as|satisfies|is|extends)\b)[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*[ \t]*[(<]/uy
/** The end of a template, followed by the head of the next one. */
const completeHead = /\n\}\s*\n(?=template[ \t]+[\w$]+[ \t]*[(<][^\n]*\{[ \t]*\r?\n)/
/** A declaration at the start of a line, after an empty line. */
const declarationStart =
  /\n[ \t]*\r?\n(?=(?:export[ \t]+(?:const|let|function|async|class|type|interface|enum)\b|(?:async[ \t]+)?function[ \t]+[\w$]+[ \t]*[(<]|(?:type|interface)[ \t]+[A-Z]|const[ \t]+[\w$][^\n=]*=))/
const braceBeforeIndented = /\{[ \t]{0,9}(?:\r?\n){1,9}[ \t]/y

/**
 * The problem of a template that is still open where the next part of the file begins. Its offset is that beginning.
 */
export class NextPart extends Problem {
  constructor(offset: number) {
    super(offset, "the next template begins inside this one")
  }
}

/**
 * Calls `parse`. If there is an error, calls it again, and this time it also looks for the next part of the file. If it
 * finds one, the error is about what is still open at that point. The first call does not look for it, because correct
 * text may look like a next part.
 */
export function parseOrFindNextPart<T>(parse: (findsNextPart: boolean) => T): T {
  try {
    return parse(false)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    parse(true)
    throw error
  }
}

/** Returns true if a template begins at an offset. That must be the start of a line. */
export function beginsTemplate(source: string, offset: number): boolean {
  if (offset > 0 && !/[\n\r]/.test(source[offset - 1] ?? "")) return false
  templateHead.lastIndex = offset
  return templateHead.test(source)
}

/** Throws if a template begins at a token. */
export function refuseTemplateToken(source: string, { kind, text, start }: Token): void {
  if (kind === "word" && text === "template" && beginsTemplate(source, start)) throw new NextPart(start)
}

/** Throws if a template begins at a token that is inside brackets of TypeScript. */
export function refuseTemplateInBrackets(source: string, { openBrackets }: Lexer, { kind, text, start }: Token): void {
  const inner = openBrackets.at(-1)
  if (!inner || kind !== "word" || text !== "template" || !beginsTemplate(source, start)) return
  const fix = () =>
    `Close it with "${findCloser(inner.bracket)}" before the template of line ${toLineNumber(source, start)}.`
  throw new Problem(inner.start, `this ${inner.bracket} is never closed`, fix)
}

/** Throws if text contains the beginning of a template, of a declaration or of a case. The text ends at the cursor. */
export function refuseNextPart(cursor: Cursor, text: string, brace: number, opener?: Opener): void {
  const { source, position } = cursor
  const start = position - text.length
  for (let at = text.indexOf("template"); at >= 0; at = text.indexOf("template", at + 1)) {
    if (beginsTemplate(source, start + at) && beginsBody(source, start + at)) throw new NextPart(start + at)
  }
  if (opener?.name === "{switch}") refuseCaseText(cursor, text, brace)
  // An element such as <pre> may show code of a template as its text.
  if (cursor.openElements.length > 0) return
  const match = declarationStart.exec(text)
  braceBeforeIndented.lastIndex = brace
  if (match && braceBeforeIndented.test(source)) throw new NextPart(start + match.index + match[0].length)
}

/**
 * Returns true if the line with a template's head has a brace that begins the body. In `{"{"}` the brace is a literal.
 */
function beginsBody(source: string, start: number): boolean {
  const end = /[\n\r]|$/g
  end.lastIndex = start
  const line = source.slice(start, end.exec(source)?.index)
  return !/\{["'`]/.test(line) && /[{(,][ \t]*$|\{[ \t]*[<}{]/.test(line)
}

/**
 * Throws if a comment, or the content of an element such as a script, contains the end of this template and the start
 * of the next one.
 */
export function refuseTemplatesIn(source: string, start: number, end: number): void {
  const match = completeHead.exec(source.slice(start, end))
  if (match) throw new NextPart(start + match.index + match[0].length)
}
