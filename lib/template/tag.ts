/** Parses a start tag with its attributes. */

import { attributeName } from "../html/attributes.ts"
import type { Attribute, Code, ElementNode, Inside, Node, Span } from "./ast.ts"
import { classParts } from "./classes.ts"
import { firstToken } from "./code.ts"
import { componentFix } from "./component.ts"
import { checkKey, checkSpreads, decide, type Siblings, siblingsOf, type Written } from "./context.ts"
import type { Cursor } from "./cursor.ts"
import { Problem } from "./diagnostic.ts"
import { type Language, preformatted, type Space } from "./elements.ts"
import { keeping, unfinished } from "./keeping.ts"
import { beginsTemplate, NextPart } from "./next-template.ts"
import { type Key, literalKeys } from "./outcomes.ts"
import { refuseSpelling } from "./spellings.ts"
import { lineOf } from "./unclosed.ts"
import { checkXmlAttribute, checkXmlElement } from "./xml-text.ts"

/** A start tag. */
export interface Tag extends Span {
  /** As written, with its braces if it is an expression. */
  readonly name: string
  /** The expression that computes the name. */
  readonly named: Code | undefined
  readonly attributes: readonly Attribute[]
  /** True if it ends with `/>`. */
  readonly closed: boolean
}

interface Raw extends Written {
  readonly code: Code | undefined
  readonly isSpread: boolean
  readonly end: number
  /** The value as written, with quotes. */
  readonly value: string | undefined
}

const tagName = /[A-Za-z][^\s/>{}<"'=`]*/y
const validTagName = /^[A-Za-z][\w:.\u00b7-\uffff-]*$/
const spaces = /\s*/y
const nameAt = /[^\s"'<>/={}`]+/y
const equals = /\s*=\s*/y
const unquoted = /[^\s>]+/y
const bare = { literal: "", code: undefined, tokens: [], value: undefined }
const namedFix =
  'Write the whole name as one expression, <{tag}>…</{tag}>, of a type such as "h1" | "h2" | "h3". A choice of markup is {if (…) { … }}.'

/** Parses the tag at the cursor, which is at its `<`. */
export function parseTag(cursor: Cursor): Tag {
  const start = cursor.position
  cursor.position++
  const isXml = cursor.space === "xml"
  const { name, named } =
    cursor.at("{") && !isXml
      ? nameInBraces(cursor)
      : { name: isXml ? xmlElementName(cursor) : literalName(cursor), named: undefined }
  const raws: Raw[] = []
  const kept = (nodes: readonly Node[]): Node[] => [
    ...unfinished(named),
    ...raws.flatMap(({ code }) => unfinished(code)),
    ...nodes,
  ]
  return keeping(() => {
    const closed = parseAttributes(cursor, { name, named, start }, raws)
    const attributes = decideAll(isXml ? name : name.toLowerCase(), raws, isXml ? "xml" : "html")
    return { name, named, start, end: cursor.position, attributes, closed }
  }, kept)
}

/** Parses the attributes and the end of a tag. Returns true if it ends with `/>`. */
function parseAttributes(
  cursor: Cursor,
  { name, named, start }: Pick<Tag, "name" | "named" | "start">,
  raws: Raw[],
): boolean {
  for (;;) {
    const gap = cursor.match(spaces)?.[0] ?? ""
    if (cursor.at(">") || cursor.at("/>")) break
    if (cursor.character === "")
      throw new Problem(start, `the tag <${name} is never closed`, 'Close it with ">".')
    if (gap.includes("\n") && /[<}]/.test(cursor.character)) throw unclosedTag(cursor, name, start)
    if (gap === "") checkGap(cursor, raws.at(-1), named !== undefined)
    const raw = parseAttribute(cursor, name.toLowerCase())
    if (raw) raws.push(raw)
  }
  const closed = cursor.at("/>")
  cursor.position += closed ? 2 : 1
  return closed
}

/** Returns the problem of a tag that is open where other markup or the end of its block begins. */
function unclosedTag(cursor: Cursor, name: string, start: number): Problem {
  const { source, position } = cursor
  const last = () => lineOf(source, source.slice(0, position).trimEnd().length)
  return new Problem(start, `the tag <${name} is never closed`, () => `Close it with ">" on line ${last()}.`)
}

function xmlElementName(cursor: Cursor): string {
  const start = cursor.position - 1
  if (cursor.at("{"))
    throw new Problem(start, "the name of an element in XML must be literal", "Write it out.")
  const name = cursor.match(nameAt)?.[0] ?? ""
  checkXmlElement(name, start)
  return name
}

function literalName(cursor: Cursor): string {
  const start = cursor.position - 1
  const name = cursor.match(tagName)?.[0] ?? ""
  if (!validTagName.test(name))
    throw new Problem(start, `"${name}" is not a valid name for an element`, "Rename it.")
  if (/^[A-Z]/.test(name) && /[a-z]/.test(name)) {
    throw new Problem(start, `<${name}> is not an element`, () => componentFix(cursor.source, name))
  }
  const next = cursor.at("{") && firstToken(cursor.source, cursor.position + 1)
  if (!next || next.token?.text === "..." || next.commented) return name
  throw new Problem(cursor.position, "a part of an element's name cannot be an expression", namedFix)
}

/** Parses the name of `<{tag}>` or `</{tag}>`, from its brace to after its closing one. */
export function nameInBraces(cursor: Cursor): { name: string; named: Code } {
  const brace = cursor.position
  const first = firstToken(cursor.source, brace + 1).token
  if (first && /^(?:if|for|switch|const|else|\{)$/.test(first.text)) {
    throw new Problem(first.start, `"${first.text}" cannot begin an element's name`, namedFix)
  }
  cursor.position++
  const { code } = cursor.expression(brace)
  return { name: `{${cursor.source.slice(code.start, code.end)}}`, named: code }
}

/** Throws if an attribute follows without a space, maybe because the value before it ends at the quote of another one. */
function checkGap(cursor: Cursor, before: Raw | undefined, isNamed: boolean): void {
  if (!before) {
    if (!isNamed || cursor.at("{") || cursor.at("/")) return
  } else if (!cursor.at("/") && /[<>]|\s[\w:-]+=$/.test(before.literal ?? ""))
    throw unclosedValue(cursor.source, before)
  else if (cursor.at("{") || cursor.at("/")) return
  throw new Problem(cursor.position, "attributes need a space between them", "Put a space here.")
}

function parseAttribute(cursor: Cursor, element: string): Raw | undefined {
  const start = cursor.position
  if (cursor.at("{")) return parseSpread(cursor)
  if (cursor.at("<"))
    throw new Problem(start, 'a tag cannot contain "<"', 'Close the tag before it with ">".')
  if (cursor.at("}")) throw new Problem(start, 'stray "}" in a tag', "Remove it, or close the tag first.")
  if (cursor.findsNextPart && beginsTemplate(cursor.source, start)) throw new NextPart(start)
  const name = cursor.match(nameAt)?.[0]
  if (name === undefined) throw new Problem(start, `stray ${cursor.character} in a tag`, "Remove it.")
  if (!attributeName.test(name))
    throw new Problem(start, "this is not a valid name for an attribute", "Rename it.")
  const isXml = cursor.space === "xml"
  const hasValue = cursor.match(equals) !== null
  if (!isXml) refuseSpelling(element, name, start, hasValue && cursor.at("{"))
  const at = cursor.position
  const value = hasValue ? parseValue(cursor, name) : bare
  if (isXml) checkXmlAttribute(name, start, value, at)
  return { name, start, end: cursor.position, isSpread: false, ...value }
}

/** Returns the problem of an attribute whose value lacks its closing quote. */
function unclosedValue(source: string, { name, start }: Pick<Raw, "name" | "start">): Problem {
  const [, quote = '"'] = /=\s*(["'])/.exec(source.slice(start)) ?? []
  const end = source.slice(start).search(/[>\n]|$/)
  const value = source.slice(start, start + end).trimEnd()
  const fix = `Close it, as in ${value.length > 60 ? `${name}=${quote}…${quote}` : `${value}${quote}`}`
  return new Problem(start, `the value of "${name}" is never closed`, fix)
}

/** Parses `{...attributes}`; a comment in braces prints nothing here either. */
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
  const value = expression(cursor, start)
  return { name: "", start, end: cursor.position, isSpread: true, ...value }
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
    if (end < 0) throw unclosedValue(cursor.source, { name, start: cursor.source.lastIndexOf(name, start) })
    cursor.position = end + 1
    const value = cursor.source.slice(start, end + 1)
    cursor.scope.checkValue(name, start + 1, value.slice(1, -1))
    return { ...bare, literal: value.slice(1, -1), value }
  }
  const value = cursor.match(unquoted)?.[0]
  if (value === undefined)
    throw new Problem(start, `"${name}=" has no value`, `Write ${name}="…" or only ${name}.`)
  const wrong = value.search(/[{}"'<=`]/)
  if (wrong < 0) return { ...bare, literal: value, value }
  const fix = `Quote the value, ${name}="…", or make all of it an expression, ${name}={…}.`
  throw new Problem(start + wrong, `an unquoted value cannot hold ${value[wrong]}`, fix)
}

function checkSpread(element: string, key: Key, siblings: Siblings): void {
  if (siblings.language !== "xml") refuseSpelling(element, key.name, key.start, true)
  checkKey(element, key, siblings)
}

function decideAll(element: string, raws: readonly Raw[], language: Language): Attribute[] {
  const seen = new Set<string>()
  const siblings = siblingsOf(element, raws, language)
  checkSpreads(raws, siblings)
  return raws.map((raw): Attribute => {
    const { name, start, end, code, value } = raw
    if (raw.isSpread && code) {
      for (const spread of literalKeys(raw.tokens)) checkSpread(element, spread, siblings)
      return { kind: "spread", start, end, code }
    }
    const key = language === "xml" ? name : name.toLowerCase()
    if (seen.has(key)) throw new Problem(start, `"${name}" is written twice`, "Remove one of the two.")
    seen.add(key)
    if (!code) return { kind: "literal", name, start, end, value }
    const as = decide(element, raw, siblings)
    const classes = as === "class" ? classParts(code, raw.tokens) : undefined
    return { kind: "dynamic", name, start, end, code, as, classes }
  })
}

/** Compares names: without case in HTML; exactly in XML and for expressions. */
export function sameName(open: string, end: string, space: Space): boolean {
  if (space === "xml" || open.startsWith("{")) return open === end
  return open.toLowerCase() === end.toLowerCase()
}

/** Returns true if the white space in an element is significant (HTML §13.1.2; XML 1.0 §2.10). */
function keepsItsSpace({ name, attributes }: Tag): boolean {
  if (preformatted.has(name.toLowerCase())) return true
  return attributes.some((one) => {
    return one.kind === "literal" && one.name === "xml:space" && one.value?.slice(1, -1) === "preserve"
  })
}

/** The parts of an element that its start tag does not have. */
interface Rest {
  readonly end: number
  readonly inside: Inside | undefined
  readonly isVoid: boolean
  readonly space: Space
}

/** Returns the element with this start tag. */
export function toElement(
  tag: Tag,
  children: readonly Node[],
  { end, inside, isVoid, space }: Rest,
): ElementNode {
  const { closed, start, end: tagEnd, ...element } = tag
  return {
    kind: "element",
    ...element,
    start,
    end,
    tag: { start, end: tagEnd },
    inside: inside && { start: inside.start, end: inside.end, closing: inside.closing },
    isVoid,
    selfClosing: closed && space === "xml",
    keepsSpace: keepsItsSpace(tag),
    children,
  }
}
