/** Blocks and marks of other template languages in braces, and what to write instead. */

import type { Cursor } from "./cursor.ts"
import { Problem } from "./diagnostic.ts"

export const ifFix = "Write {if (a) { … } else if (b) { … } else { … }} in one pair of braces."
export const loopFix = "Write {for (const item of items) { … }}."
export const partialFix =
  'Import the template and call it: import { Row } from "./row.tpl.ts" at the top of the file, then {Row(…)}.'
export const childrenFix = "A layout or component prints what it surrounds with {children}."

// A word is read from its beginning, so that the time is linear wherever the expressions are tried.
const name = "((?<![\\w$])[\\w$]+|[[{][^\\][{}\\n]*[\\]}])"
const list = "((?<![\\w$.])[\\w$.]+(?:\\([^()\\n]*\\))?)"
const itemOf = new RegExp(`(?:(?:const|let|var)\\s+)?${name}\\s+(?:of|in)\\s+${list}`, "y")
const listAs = new RegExp(`${list}\\s+as\\s+${name}`, "y")

/** Returns the loop that is meant by `one of list`, `one in list` or `list as one` at an offset; undefined if none is there. */
function loopAt(source: string, at: number, word = "for"): string | undefined {
  itemOf.lastIndex = at
  listAs.lastIndex = at
  const [, one, items] = itemOf.exec(source) ?? []
  const [, array, item] = (one === undefined && listAs.exec(source)) || []
  if (one === undefined && item === undefined) return undefined
  return `Write {${word} (const ${one ?? item} of ${items ?? array}) { … }}.`
}

const marked = /\{\{?\s*([#%@^>/])-?\s*(?:(?:each|foreach|for)\s+)?/y
const eachWord = /\{\s*(each\s+|for[eE]ach(?:\s*\(\s*|\s+))/y
const wrong = [
  [/\{\s*(include|partial|extends|render)\s+["']/y, partialFix],
  [/\{\s*(>)/y, partialFix],
  [/\{\s*(import)(?:\s*["'{*]|\s+[\w$])/y, "Write imports at the top of the file."],
  [/\{\s*(yield)\b/y, childrenFix],
  [/\{\s*(async)\s+(?!function\b)[\w$]+\s*[(.}]/y, "Write {await …}."],
] as const
const rawMarks = /\{\s*(!!([^{}]*)!!)\s*\}/y
const assignment = /\{\s*([A-Za-z_$][\w$]*)\s*=(?![=>])/y

/** Throws for the blocks of other languages at the brace of the cursor that would be read as an expression. */
export function refuseForeignBlock(cursor: Cursor): void {
  const { source, position } = cursor
  const found = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    return pattern.exec(source)
  }
  const placed = ([all, text = ""]: RegExpExecArray): number => position + all.indexOf(text)
  const each = found(eachWord)
  const loop = each && loopAt(source, position + each[0].length)
  if (loop) throw new Problem(placed(each), `"${each[1]?.replace(/[\s(]+$/, "")}" is not a block`, loop)
  const mark = found(marked)
  const markedLoop = mark && source[position + 1] !== "{" && loopAt(source, position + mark[0].length)
  if (markedLoop)
    throw new Problem(placed(mark), `"${mark[1]}" is not allowed at the start of braces`, markedLoop)
  for (const [pattern, fix] of wrong) {
    const match = found(pattern)
    if (match) throw new Problem(placed(match), `"${match[1]}" is not a block`, fix)
  }
  const raw = found(rawMarks)
  if (raw)
    throw new Problem(
      placed(raw),
      '"!!" is not a mark',
      `Write {raw(${raw[2]?.trim()})}, with raw from fw/html.`,
    )
  const assigned = found(assignment)
  if (assigned)
    throw new Problem(placed(assigned), "braces cannot assign", `Write {const ${assigned[1]} = …}.`)
}

const twice = /\{\s*\{(\{?)[ \t]*([\w$.]+(?:\([^(){}\n]*\))?)(?:[ \t]*\|[ \t]*([\w$]+))?/y

/** Returns the fix for two pairs of braces, of which the first opens at an offset. */
export function bracesFix(source: string, at: number): string {
  marked.lastIndex = at
  const mark = marked.exec(source)
  if (mark) {
    if (mark[1] === ">") return partialFix
    return loopAt(source, at + mark[0].length) ?? `${ifFix} ${loopFix}`
  }
  twice.lastIndex = at
  const [, third, value, filter] = twice.exec(source) ?? []
  if (value === undefined) return "Write {name} to print a value; a block's braces follow if, for or a call."
  if (third)
    return `Write {raw(${value})}, with raw from fw/html, for trusted HTML, and {${value}} for a text.`
  return `Write {${filter === undefined ? value : `${filter}(${value})`}}.`
}

const header = /\s*(?:await\s+)?(?:(\()\s*)?/y
const declared = /(?:const|let|var|using)\b|await\s+using\b/y
const counter = /([\w$]+)\s*=(?![=>])/y

/** Throws for a loop without parentheses or without a declaration, at the cursor after `for`. */
export function refuseHeader(cursor: Cursor): void {
  const { source, position } = cursor
  header.lastIndex = position
  const [before = "", open = ""] = header.exec(source) ?? []
  const at = position + before.length
  declared.lastIndex = at
  if (open && declared.test(source)) return
  const fix = loopAt(source, at, before.includes("await") ? "for await" : "for")
  if (!open) {
    if (fix) throw new Problem(at, '"(" is missing after for', fix)
    return
  }
  itemOf.lastIndex = at
  const item = itemOf.exec(source)?.[1]
  if (item !== undefined && fix) throw new Problem(at, `"${item}" is not declared`, fix)
  counter.lastIndex = at
  const count = counter.exec(source)?.[1]
  if (count !== undefined)
    throw new Problem(at, `"${count}" is not declared`, `Write {for (let ${count} = 0; …) { … }}.`)
}

/** Returns the problem of a header `text` without a list to repeat. */
export function emptyHeader(at: number, text: string): Problem {
  const [, one] = /^(?:const|let|var)\s+([\w$]+)$/.exec(text) ?? []
  const items = /^[\w$.]+(?:\([^()]*\))?$/.test(text) ? text : "items"
  const fix = `Write {for (const ${one ?? "item"} of ${one === undefined ? items : "items"}) { … }}.`
  return new Problem(at, "this loop does not say what it repeats", fix)
}
