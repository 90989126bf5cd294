/** Recognises blocks and marks of other template languages in braces, and says what to write instead. */

import { Problem } from "../diagnostic.ts"
import type { Cursor } from "../parse/cursor.ts"

export const ifFix = "Write {if (a) { … } else if (b) { … } else { … }} in one pair of braces."
export const loopFix = "Write {for (const item of items) { … }}."
export const partialFix =
  'Import the template and call it: import { Row } from "./row.tpl.ts" at the top of the file, then {Row(…)}.'
export const childrenFix = "A layout or component prints what it surrounds with {children}."

// Words are matched only from their beginning. Otherwise the expressions would take more than linear time.
const namePattern = "((?<![\\w$])[\\w$]+|[[{][^\\][{}\\n]*[\\]}])"
const listPattern = "((?<![\\w$.])[\\w$.]+(?:\\([^()\\n]*\\))?)"
const itemOfList = new RegExp(`(?:(?:const|let|var)\\s+)?${namePattern}\\s+(?:of|in)\\s+${listPattern}`, "y")
const listAsItem = new RegExp(`${listPattern}\\s+as\\s+${namePattern}`, "y")

/**
 * Returns the right loop for `one of list`, `one in list` or `list as one` at an offset; undefined if there is none of
 * these.
 */
function findLoopFix(source: string, offset: number, word = "for"): string | undefined {
  itemOfList.lastIndex = offset
  listAsItem.lastIndex = offset
  const [, one, items] = itemOfList.exec(source) ?? []
  const [, array, item] = (one === undefined && listAsItem.exec(source)) || []
  if (one === undefined && item === undefined) return undefined
  return `Write {${word} (const ${one ?? item} of ${items ?? array}) { … }}.`
}

const foreignMark = /\{\{?\s*([#%@^>/])-?\s*(?:(?:each|foreach|for)\s+)?/y
const eachBlock = /\{\s*(each\s+|for[eE]ach(?:\s*\(\s*|\s+))/y
const foreignBlocks = [
  [/\{\s*(include|partial|extends|render)\s+["']/y, partialFix],
  [/\{\s*(>)/y, partialFix],
  [/\{\s*(import)(?:\s*["'{*]|\s+[\w$])/y, "Write imports at the top of the file."],
  [/\{\s*(yield)\b/y, childrenFix],
  [/\{\s*(async)\s+(?!function\b)[\w$]+\s*[(.}]/y, "Write {await …}."],
] as const
const rawMarks = /\{\s*(!!([^{}]*)!!)\s*\}/y
const assignment = /\{\s*([A-Za-z_$][\w$]*)\s*=(?![=>])/y

/** Throws for blocks of other languages that would be read as an expression. The cursor is at the brace. */
export function refuseForeignBlock(cursor: Cursor): void {
  const { source, position } = cursor
  const matchHere = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    return pattern.exec(source)
  }
  const toOffset = ([all, text = ""]: RegExpExecArray): number => position + all.indexOf(text)
  const each = matchHere(eachBlock)
  const loop = each && findLoopFix(source, position + each[0].length)
  if (loop) throw new Problem(toOffset(each), `"${each[1]?.replace(/[\s(]+$/, "")}" is not a block`, loop)
  const mark = matchHere(foreignMark)
  const markedLoop = mark && source[position + 1] !== "{" && findLoopFix(source, position + mark[0].length)
  if (markedLoop) throw new Problem(toOffset(mark), `"${mark[1]}" is not allowed at the start of braces`, markedLoop)
  for (const [pattern, fix] of foreignBlocks) {
    const match = matchHere(pattern)
    if (match) throw new Problem(toOffset(match), `"${match[1]}" is not a block`, fix)
  }
  const raw = matchHere(rawMarks)
  if (raw)
    throw new Problem(toOffset(raw), '"!!" is not a mark', `Write {raw(${raw[2]?.trim()})}, with raw from fw/html.`)
  const assignmentMatch = matchHere(assignment)
  if (assignmentMatch)
    throw new Problem(toOffset(assignmentMatch), "braces cannot assign", `Write {const ${assignmentMatch[1]} = …}.`)
}

const doubleBraces = /\{\s*\{(\{?)[ \t]*([\w$.]+(?:\([^(){}\n]*\))?)(?:[ \t]*\|[ \t]*([\w$]+))?/y

/** Returns how to fix braces directly inside braces, such as `{{ name }}`. The outer pair opens at the offset. */
export function findBracesFix(source: string, offset: number): string {
  foreignMark.lastIndex = offset
  const mark = foreignMark.exec(source)
  if (mark) {
    if (mark[1] === ">") return partialFix
    return findLoopFix(source, offset + mark[0].length) ?? `${ifFix} ${loopFix}`
  }
  doubleBraces.lastIndex = offset
  const [, third, value, filter] = doubleBraces.exec(source) ?? []
  if (value === undefined) return "Write {name} to print a value; a block's braces follow if, for or a call."
  if (third) return `Write {raw(${value})}, with raw from fw/html, for trusted HTML, and {${value}} for a text.`
  return `Write {${filter === undefined ? value : `${filter}(${value})`}}.`
}

const loopHeader = /\s*(?:await\s+)?(?:(\()\s*)?/y
const declarationWord = /(?:const|let|var|using)\b|await\s+using\b/y
const counterStart = /([\w$]+)\s*=(?![=>])/y

/** Throws for a loop without parentheses or without a declaration. The cursor is after `for`. */
export function refuseLoopHeader(cursor: Cursor): void {
  const { source, position } = cursor
  loopHeader.lastIndex = position
  const [words = "", open = ""] = loopHeader.exec(source) ?? []
  const offset = position + words.length
  declarationWord.lastIndex = offset
  if (open && declarationWord.test(source)) return
  const fix = findLoopFix(source, offset, words.includes("await") ? "for await" : "for")
  if (!open) {
    if (fix) throw new Problem(offset, '"(" is missing after for', fix)
    return
  }
  itemOfList.lastIndex = offset
  const item = itemOfList.exec(source)?.[1]
  if (item !== undefined && fix) throw new Problem(offset, `"${item}" is not declared`, fix)
  counterStart.lastIndex = offset
  const count = counterStart.exec(source)?.[1]
  if (count !== undefined)
    throw new Problem(offset, `"${count}" is not declared`, `Write {for (let ${count} = 0; …) { … }}.`)
}

/** Returns the problem of a loop whose header has no list. */
export function createEmptyLoopProblem(offset: number, text: string): Problem {
  const [, one] = /^(?:const|let|var)\s+([\w$]+)$/.exec(text) ?? []
  const items = /^[\w$.]+(?:\([^()]*\))?$/.test(text) ? text : "items"
  const fix = `Write {for (const ${one ?? "item"} of ${one === undefined ? items : "items"}) { … }}.`
  return new Problem(offset, "this loop does not say what it repeats", fix)
}
