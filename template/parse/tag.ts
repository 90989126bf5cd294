/** Parses a start tag with its attributes. */

import { attributeNamePattern } from "../../lib/html/attributes.ts"
import type { Attribute, Code, ElementContent, ElementNode, Node, Span } from "../ast.ts"
import {
  checkSpreadKey,
  checkSpreads,
  decideKind,
  readTagFacts,
  type TagFacts,
  type WrittenAttribute,
} from "../check/attribute-kind.ts"
import { type Language, type Namespace, preformattedElements } from "../check/elements.ts"
import { refuseSpelling } from "../check/spellings.ts"
import { checkXmlAttribute, checkXmlElement } from "../check/xml-text.ts"
import { Problem } from "../diagnostic.ts"
import { toClassParts } from "../emit/class-parts.ts"
import { findLiteralKeys, type LiteralKey } from "../emit/outcomes.ts"
import { findFirstToken } from "./code-reader.ts"
import { findComponentFix } from "./component.ts"
import type { Cursor } from "./cursor.ts"
import { beginsTemplate, NextPart } from "./next-part.ts"
import { keepPartialNodes, toUnfinishedNodes } from "./partial-nodes.ts"
import { toLineNumber } from "./unclosed.ts"

/** A start tag. */
export interface Tag extends Span {
  /** The name as it is written. If it is an expression, the braces are included. */
  readonly name: string
  /** The expression for the name; undefined for a literal name. */
  readonly nameCode: Code | undefined
  readonly attributes: readonly Attribute[]
  /** True if the tag ends with `/>`. */
  readonly isSelfClosed: boolean
}

interface RawAttribute extends WrittenAttribute {
  readonly code: Code | undefined
  readonly isSpread: boolean
  readonly end: number
  /** The value as it is written, with quotes. */
  readonly value: string | undefined
}

const tagName = /[A-Za-z][^\s/>{}<"'=`]*/y
const validTagName = /^[A-Za-z][\w:.\u00b7-\uffff-]*$/
const spaces = /\s*/y
const nameRun = /[^\s"'<>/={}`]+/y
const equalsSign = /\s*=\s*/y
const unquotedValue = /[^\s>]+/y
const emptyValue = { literal: "", code: undefined, tokens: [], value: undefined }
const elementNameFix =
  'Write the whole name as one expression, <{tag}>…</{tag}>, of a type such as "h1" | "h2" | "h3". A choice of markup is {if (…) { … }}.'

/** Parses the tag at the cursor. The cursor is at `<`. */
export function parseTag(cursor: Cursor): Tag {
  const start = cursor.position
  cursor.position++
  const isXml = cursor.namespace === "xml"
  const { name, nameCode } =
    cursor.startsWith("{") && !isXml
      ? parseNameInBraces(cursor)
      : { name: isXml ? parseXmlElementName(cursor) : parseLiteralName(cursor), nameCode: undefined }
  const rawAttributes: RawAttribute[] = []
  const wrap = (nodes: readonly Node[]): Node[] => [
    ...toUnfinishedNodes(nameCode),
    ...rawAttributes.flatMap(({ code }) => toUnfinishedNodes(code)),
    ...nodes,
  ]
  return keepPartialNodes(() => {
    const isSelfClosed = parseAttributes(cursor, { name, nameCode, start }, rawAttributes)
    const attributes = toAttributes(isXml ? name : name.toLowerCase(), rawAttributes, isXml ? "xml" : "html")
    return { name, nameCode, start, end: cursor.position, attributes, isSelfClosed }
  }, wrap)
}

/** Parses the attributes and the end of a tag. Returns true if the tag ends with `/>`. */
function parseAttributes(
  cursor: Cursor,
  { name, nameCode, start }: Pick<Tag, "name" | "nameCode" | "start">,
  rawAttributes: RawAttribute[],
): boolean {
  for (;;) {
    const gap = cursor.match(spaces)?.[0] ?? ""
    if (cursor.startsWith(">") || cursor.startsWith("/>")) break
    if (cursor.character === "") throw new Problem(start, `the tag <${name} is never closed`, 'Close it with ">".')
    if (gap.includes("\n") && /[<}]/.test(cursor.character)) throw createUnclosedTagProblem(cursor, name, start)
    if (gap === "") checkGap(cursor, rawAttributes.at(-1), nameCode !== undefined)
    const raw = parseAttribute(cursor, name.toLowerCase())
    if (raw) rawAttributes.push(raw)
  }
  const isSelfClosed = cursor.startsWith("/>")
  cursor.position += isSelfClosed ? 2 : 1
  return isSelfClosed
}

/** Returns the problem of a tag that is still open where other markup begins, or where its block ends. */
function createUnclosedTagProblem(cursor: Cursor, name: string, start: number): Problem {
  const { source, position } = cursor
  const last = () => toLineNumber(source, source.slice(0, position).trimEnd().length)
  return new Problem(start, `the tag <${name} is never closed`, () => `Close it with ">" on line ${last()}.`)
}

function parseXmlElementName(cursor: Cursor): string {
  const start = cursor.position - 1
  if (cursor.startsWith("{")) throw new Problem(start, "the name of an element in XML must be literal", "Write it out.")
  const name = cursor.match(nameRun)?.[0] ?? ""
  checkXmlElement(name, start)
  return name
}

function parseLiteralName(cursor: Cursor): string {
  const start = cursor.position - 1
  const name = cursor.match(tagName)?.[0] ?? ""
  if (!validTagName.test(name)) throw new Problem(start, `"${name}" is not a valid name for an element`, "Rename it.")
  if (/^[A-Z]/.test(name) && /[a-z]/.test(name)) {
    throw new Problem(start, `<${name}> is not an element`, () => findComponentFix(cursor.source, name))
  }
  const next = cursor.startsWith("{") && findFirstToken(cursor.source, cursor.position + 1)
  if (!next || next.token?.text === "..." || next.hasComment) return name
  throw new Problem(cursor.position, "a part of an element's name cannot be an expression", elementNameFix)
}

/** Parses the name in `<{tag}>` or `</{tag}>`. The cursor is at its brace, and moves behind the closing one. */
export function parseNameInBraces(cursor: Cursor): { name: string; nameCode: Code } {
  const brace = cursor.position
  const first = findFirstToken(cursor.source, brace + 1).token
  if (first && /^(?:if|for|switch|const|else|\{)$/.test(first.text)) {
    throw new Problem(first.start, `"${first.text}" cannot begin an element's name`, elementNameFix)
  }
  cursor.position++
  const { code } = cursor.readExpression(brace)
  return { name: `{${cursor.source.slice(code.start, code.end)}}`, nameCode: code }
}

/** Throws if there is no space before an attribute. The value before it may have ended at the wrong quote. */
function checkGap(cursor: Cursor, previousAttribute: RawAttribute | undefined, hasNameCode: boolean): void {
  if (!previousAttribute) {
    if (!hasNameCode || cursor.startsWith("{") || cursor.startsWith("/")) return
  } else if (!cursor.startsWith("/") && /[<>]|\s[\w:-]+=$/.test(previousAttribute.literal ?? ""))
    throw createUnclosedValueProblem(cursor.source, previousAttribute)
  else if (cursor.startsWith("{") || cursor.startsWith("/")) return
  throw new Problem(cursor.position, "attributes need a space between them", "Put a space here.")
}

function parseAttribute(cursor: Cursor, element: string): RawAttribute | undefined {
  const start = cursor.position
  if (cursor.startsWith("{")) return parseSpread(cursor)
  if (cursor.startsWith("<")) throw new Problem(start, 'a tag cannot contain "<"', 'Close the tag before it with ">".')
  if (cursor.startsWith("}")) throw new Problem(start, 'stray "}" in a tag', "Remove it, or close the tag first.")
  if (cursor.findsNextPart && beginsTemplate(cursor.source, start)) throw new NextPart(start)
  const name = cursor.match(nameRun)?.[0]
  if (name === undefined) throw new Problem(start, `stray ${cursor.character} in a tag`, "Remove it.")
  if (!attributeNamePattern.test(name))
    throw new Problem(start, "this is not a valid name for an attribute", "Rename it.")
  const isXml = cursor.namespace === "xml"
  const hasValue = cursor.match(equalsSign) !== null
  if (!isXml) refuseSpelling(element, name, start, hasValue && cursor.startsWith("{"))
  const at = cursor.position
  const value = hasValue ? parseValue(cursor, name) : emptyValue
  if (isXml) checkXmlAttribute(name, start, value, at)
  return { name, start, end: cursor.position, isSpread: false, ...value }
}

/** Returns the problem of an attribute whose closing quote is missing. */
function createUnclosedValueProblem(source: string, { name, start }: Pick<RawAttribute, "name" | "start">): Problem {
  const [, quote = '"'] = /=\s*(["'])/.exec(source.slice(start)) ?? []
  const end = source.slice(start).search(/[>\n]|$/)
  const value = source.slice(start, start + end).trimEnd()
  const fix = `Close it, as in ${value.length > 60 ? `${name}=${quote}…${quote}` : `${value}${quote}`}`
  return new Problem(start, `the value of "${name}" is never closed`, fix)
}

/** Parses `{...attributes}`. Returns undefined for a comment in braces, which prints nothing. */
function parseSpread(cursor: Cursor): RawAttribute | undefined {
  const start = cursor.position
  const { token, hasComment } = findFirstToken(cursor.source, start + 1)
  if (token?.text === "}" && hasComment) {
    cursor.position = token.end
    return undefined
  }
  if (token?.text !== "...") {
    const fix = "Write name={expression}, or {...attributes} to spread an object."
    throw new Problem(start, "an expression in a tag needs the name of an attribute", fix)
  }
  cursor.position = token.end
  const value = parseExpressionValue(cursor, start)
  return { name: "", start, end: cursor.position, isSpread: true, ...value }
}

type RawValue = Pick<RawAttribute, "literal" | "code" | "tokens" | "value">

function parseExpressionValue(cursor: Cursor, brace: number): RawValue {
  const { code, tokens } = cursor.readExpression(brace)
  return { literal: undefined, code, tokens, value: undefined }
}

function parseValue(cursor: Cursor, name: string): RawValue {
  const start = cursor.position
  const quote = cursor.character
  if (quote === "{") {
    cursor.position++
    return parseExpressionValue(cursor, start)
  }
  if (quote === '"' || quote === "'") {
    const end = cursor.source.indexOf(quote, start + 1)
    if (end < 0)
      throw createUnclosedValueProblem(cursor.source, { name, start: cursor.source.lastIndexOf(name, start) })
    cursor.position = end + 1
    const value = cursor.source.slice(start, end + 1)
    cursor.scope.checkValue(name, start + 1, value.slice(1, -1))
    return { ...emptyValue, literal: value.slice(1, -1), value }
  }
  const value = cursor.match(unquotedValue)?.[0]
  if (value === undefined) throw new Problem(start, `"${name}=" has no value`, `Write ${name}="…" or only ${name}.`)
  const wrongIndex = value.search(/[{}"'<=`]/)
  if (wrongIndex < 0) return { ...emptyValue, literal: value, value }
  const fix = `Quote the value, ${name}="…", or make all of it an expression, ${name}={…}.`
  throw new Problem(start + wrongIndex, `an unquoted value cannot hold ${value[wrongIndex]}`, fix)
}

function checkSpread(element: string, key: LiteralKey, tagFacts: TagFacts): void {
  if (tagFacts.language !== "xml") refuseSpelling(element, key.name, key.start, true)
  checkSpreadKey(element, key, tagFacts)
}

function toAttributes(element: string, rawAttributes: readonly RawAttribute[], language: Language): Attribute[] {
  const knownNames = new Set<string>()
  const tagFacts = readTagFacts(element, rawAttributes, language)
  checkSpreads(rawAttributes, tagFacts)
  return rawAttributes.map((raw): Attribute => {
    const { name, start, end, code, value } = raw
    if (raw.isSpread && code) {
      for (const spread of findLiteralKeys(raw.tokens)) checkSpread(element, spread, tagFacts)
      return { kind: "spread", start, end, code }
    }
    const key = language === "xml" ? name : name.toLowerCase()
    if (knownNames.has(key)) throw new Problem(start, `"${name}" is written twice`, "Remove one of the two.")
    knownNames.add(key)
    if (!code) return { kind: "literal", name, start, end, value }
    const attributeKind = decideKind(element, raw, tagFacts)
    const classes = attributeKind === "class" ? toClassParts(code, raw.tokens) : undefined
    return { kind: "dynamic", name, start, end, code, attributeKind, classes }
  })
}

/** Compares the names of two tags. In HTML, case does not matter. In XML and for expressions, it does. */
export function isSameName(open: string, end: string, namespace: Namespace): boolean {
  if (namespace === "xml" || open.startsWith("{")) return open === end
  return open.toLowerCase() === end.toLowerCase()
}

/** Returns true if the white space in an element is significant (HTML §13.1.2; XML 1.0 §2.10). */
function keepsWhiteSpace({ name, attributes }: Tag): boolean {
  if (preformattedElements.has(name.toLowerCase())) return true
  return attributes.some((one) => {
    return one.kind === "literal" && one.name === "xml:space" && one.value?.slice(1, -1) === "preserve"
  })
}

/** The properties of an element that its start tag does not have. */
interface ElementRest {
  readonly end: number
  readonly content: ElementContent | undefined
  readonly isVoid: boolean
  readonly namespace: Namespace
}

/** Returns the element for a start tag. */
export function toElement(
  tag: Tag,
  children: readonly Node[],
  { end, content, isVoid, namespace }: ElementRest,
): ElementNode {
  const { isSelfClosed, start, end: tagEnd, ...element } = tag
  return {
    kind: "element",
    ...element,
    start,
    end,
    tag: { start, end: tagEnd },
    content: content && { start: content.start, end: content.end, closing: content.closing },
    isVoid,
    isSelfClosing: isSelfClosed && namespace === "xml",
    keepsSpace: keepsWhiteSpace(tag),
    children,
  }
}
