/**
 * Recognises syntax of other template languages in text. Without an error it would be printed.
 */

import { Problem } from "../diagnostic.ts"
import type { Cursor } from "../parse/cursor.ts"
import { childrenFix, ifFix, loopFix, partialFix } from "./foreign-blocks.ts"

/** The start of a fragment, `<>`, before markup. In `a <> b` it is text. */
const fragmentStart = /<>\s*[<{]/y

/** Throws for `<%= name %>` and `<>…</>`. The cursor is at a `<` that begins neither an element nor a declaration. */
export function refuseForeignAngle(cursor: Cursor): void {
  const { position } = cursor
  if (cursor.startsWith("<%")) {
    const fix = "Write {expression} for a value, {if (…) { … }} and {for (…) { … }} for control."
    throw new Problem(position, '"<%" is text in a template', `${fix} The text itself is &lt;%.`)
  }
  if (cursor.match(fragmentStart)) refuseFragment(position, "<>")
}

/** Throws for an end tag without a name. */
export function refuseForeignEndTag(cursor: Cursor): void {
  if (cursor.startsWith("</>")) refuseFragment(cursor.position, "</>")
}

function refuseFragment(offset: number, mark: string): never {
  const fix = `Remove "${mark}": a template and a block can contain any number of elements.`
  throw new Problem(offset, "there are no fragments", fix)
}

/** Throws for `return <p>`, because `return` would be printed. `text` is the text before the tag. */
export function refuseReturn(cursor: Cursor, text: string): void {
  if (!/^return\s*\(?$/.test(text.trim())) return
  const offset = cursor.source.lastIndexOf("return", cursor.position)
  const fix = 'Remove it: markup is printed without it. For the word write {"return "}.'
  throw new Problem(offset, '"return" is text in a template', fix)
}

/**
 * A declaration, an import or a comment of TypeScript, at the start of a line or of a block. The expression stays
 * within one line, so that it takes linear time.
 */
const statement =
  /[\n{][ \t]*(?:(const|let|var)[ \t]+(?:[A-Za-z_$][\w$]*[ \t]*(?::[^\n=]{0,200})?|\{[^\n}]{0,200}\}[ \t]*|\[[^\n\]]{0,200}\][ \t]*)=(?![=>])|(import)[ \t][^\n"']{0,200}["'][^\n"']{1,200}["']|(\/\/|\/\*)(?=[ \t]))/

/** Maximum number of characters after a text in which a declaration such as `const { a } = b` is looked for. */
const maxStatementRest = 200

/**
 * Throws for text that is code of another template language, and for TypeScript outside of elements. The text ends at
 * the cursor.
 */
export function refuseForeignText(cursor: Cursor, text: string, isXML: boolean): void {
  const start = cursor.position - text.length
  if (!isXML) refuseDirective(start, text)
  // Elements such as <pre> may show code.
  if (cursor.openElements.length === 0) refuseStatement(cursor.source, start, text)
}

/** Throws for TypeScript such as `const a = 1`, which would be printed. */
function refuseStatement(source: string, start: number, text: string): void {
  if (!/\b(?:const|let|var|import)\b|\/[/*]/.test(text)) return
  const end = start + text.length
  const match = statement.exec(source.slice(start - 1, end + maxStatementRest))
  const [all = "", declared, imported, comment] = match ?? []
  const word = declared ?? imported ?? comment
  if (!match || word === undefined) return
  const offset = start - 1 + match.index + all.indexOf(word, 1)
  if (offset >= end) return
  const fix = imported
    ? "Write imports at the top of the file."
    : comment
      ? "Write {/* comment */}."
      : "Write {const name = value}."
  throw new Problem(offset, `"${word}" is text in a template`, `${fix} For the text itself write {"${word} "}.`)
}

const blockHeader =
  /([A-Za-z_$][\w$]*)[ \t]+([A-Za-z_$][\w$]*)[ \t]*(?:<[^>\n]*>[ \t]*)?\([^\n]*\)[ \t]*\{\s*<[A-Za-z!]/y

/** Throws for a template whose word `template` is misspelled. `offset` is the start of a line. */
export function refuseMisspeltTemplate(source: string, offset: number): void {
  blockHeader.lastIndex = offset
  const [, word, name] = blockHeader.exec(source) ?? []
  if (word === undefined || word === "template") return
  const message = `markup is allowed only in a template, and this block begins with "${word}"`
  throw new Problem(offset, message, `Write template ${name}(…) { … }.`)
}

const directive =
  /(?<![\w.@])@(if|elseif|unless|isset|switch|foreach|forelse|for|while|include|extends|section|yield)\s*\(/

const directiveFixes = [
  [/^(?:for|while)/, loopFix],
  [/^(?:include|extends)/, partialFix],
  [/^(?:section|yield)/, childrenFix],
] as const

/** Throws for a text such as `@if (x)`, with which a block begins in other languages. */
function refuseDirective(start: number, text: string): void {
  const match = directive.exec(text)
  if (!match) return
  const [, word = ""] = match
  const fix = directiveFixes.find(([words]) => words.test(word))?.[1] ?? ifFix
  const message = `"@${word}" is text in a template`
  throw new Problem(start + match.index, message, `${fix} The text itself is {"@${word}"}.`)
}
