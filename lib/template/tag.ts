// Reads one start tag with its attributes; the markup parser calls it.

import type { Attribute, Code } from "./ast.ts"
import { attributeName } from "./attributes.ts"
import { classParts } from "./classes.ts"
import { firstToken } from "./code.ts"
import { decide, type Written } from "./context.ts"
import type { Cursor } from "./cursor.ts"
import { Problem } from "./diagnostic.ts"
import type { Token } from "./lexer.ts"

/** A start tag. */
export interface Tag {
  readonly name: string
  readonly start: number
  readonly attributes: readonly Attribute[]
  /** Whether it ends with `/>`. */
  readonly closed: boolean
}

interface Raw extends Written {
  readonly code: Code | undefined
  readonly tokens: readonly Token[]
  readonly isSpread: boolean
  /** The value as it is written, quotes included. */
  readonly value: string | undefined
}

const tagName = /[A-Za-z][^\s/>{}<"'=`]*/y
const validTagName = /^[A-Za-z][\w:.\u00b7-\uffff-]*$/
const spaces = /\s*/y
const nameAt = /[^\s"'<>/={}`]+/y
const equals = /\s*=\s*/y
const unquoted = /[^\s>]+/y
const bare = { literal: "", code: undefined, tokens: [], value: undefined }
const components = "Call a component in braces: {Name(…)} or {Name(…) { markup }}."

/** Reads the tag at the cursor, which stands at its `<`. */
export function parseTag(cursor: Cursor): Tag {
  const start = cursor.position
  cursor.position++
  const name = cursor.match(tagName)?.[0] ?? ""
  if (!validTagName.test(name)) throw new Problem(start, `"${name}" is no name for an element`, "Rename it.")
  if (/^[A-Z]/.test(name) && /[a-z]/.test(name)) {
    throw new Problem(start, `<${name}> is no element`, components)
  }
  const raws: Raw[] = []
  for (;;) {
    const gap = cursor.match(spaces)?.[0] ?? ""
    if (cursor.at(">") || cursor.at("/>")) break
    if (cursor.character === "")
      throw new Problem(start, `the tag <${name} is never closed`, 'Close it with ">".')
    if (gap === "" && raws.length > 0 && !cursor.at("{") && !cursor.at("/")) {
      throw new Problem(cursor.position, "attributes need a blank between them", "Put a blank here.")
    }
    const raw = parseAttribute(cursor)
    if (raw) raws.push(raw)
  }
  const closed = cursor.at("/>")
  cursor.position += closed ? 2 : 1
  return { name, start, attributes: decideAll(name.toLowerCase(), raws), closed }
}

function parseAttribute(cursor: Cursor): Raw | undefined {
  const start = cursor.position
  if (cursor.at("{")) return parseSpread(cursor)
  if (cursor.at("<"))
    throw new Problem(start, 'a "<" cannot stand in a tag', 'Close the tag before it with ">".')
  if (cursor.at("}")) throw new Problem(start, 'stray "}" in a tag', "Remove it, or close the tag first.")
  const name = cursor.match(nameAt)?.[0]
  if (name === undefined) throw new Problem(start, `stray ${cursor.character} in a tag`, "Remove it.")
  if (!attributeName.test(name)) throw new Problem(start, "this is no name for an attribute", "Rename it.")
  if (!cursor.match(equals)) return { name, start, isSpread: false, ...bare }
  return { name, start, isSpread: false, ...parseValue(cursor, name) }
}

/** `{...attributes}`; a comment in braces prints nothing here too. */
function parseSpread(cursor: Cursor): Raw | undefined {
  const start = cursor.position
  const { token, commented } = firstToken(cursor.source, start + 1)
  if (token?.text === "}" && commented) {
    cursor.position = token.end
    return undefined
  }
  if (token?.text !== "...") {
    const fix = "Write name={expression}, or {...attributes} to spread an object."
    throw new Problem(start, "an expression in a tag needs the name of an attribute", fix)
  }
  cursor.position = token.end
  return { name: "", start, isSpread: true, ...expression(cursor, start) }
}

type Value = Pick<Raw, "literal" | "code" | "tokens" | "value">

function expression(cursor: Cursor, brace: number): Value {
  const { code, tokens } = cursor.expression(brace)
  return { literal: undefined, code, tokens, value: undefined }
}

function parseValue(cursor: Cursor, name: string): Value {
  const start = cursor.position
  const quote = cursor.character
  if (quote === "{") {
    cursor.position++
    return expression(cursor, start)
  }
  if (quote === '"' || quote === "'") {
    const end = cursor.source.indexOf(quote, start + 1)
    if (end < 0) throw new Problem(start, `the value of "${name}" is never closed`, `Close it with ${quote}.`)
    cursor.position = end + 1
    const value = cursor.source.slice(start, end + 1)
    return { ...bare, literal: value.slice(1, -1), value }
  }
  const value = cursor.match(unquoted)?.[0]
  if (value === undefined)
    throw new Problem(start, `"${name}=" has no value`, `Write ${name}="…" or ${name} alone.`)
  const wrong = value.search(/[{}"'<=`]/)
  if (wrong < 0) return { ...bare, literal: value, value }
  const fix = `Quote the value, ${name}="…", or make all of it an expression, ${name}={…}.`
  throw new Problem(start + wrong, `an unquoted value cannot hold ${value[wrong]}`, fix)
}

function decideAll(element: string, raws: readonly Raw[]): Attribute[] {
  const seen = new Set<string>()
  return raws.map((raw): Attribute => {
    const { name, start, code, value } = raw
    if (raw.isSpread && code) return { kind: "spread", start, code }
    const key = name.toLowerCase()
    if (seen.has(key)) throw new Problem(start, `"${name}" is written twice`, "Remove one of the two.")
    seen.add(key)
    if (!code) return { kind: "literal", name, start, value }
    const as = decide(element, raw, raws)
    const classes = as === "class" ? classParts(code, raw.tokens) : undefined
    return { kind: "dynamic", name, start, code, as, classes }
  })
}
