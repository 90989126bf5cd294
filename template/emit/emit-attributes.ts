/** Writes the attributes of an element: literal ones as text, others as calls of helpers. */

import { mayLoadAssets } from "../../lib/html/asset-tags.ts"
import type { AttributeKind } from "../../lib/html/attributes.ts"
import type { Attribute, ClassPart, DynamicAttribute, ElementNode } from "../ast.ts"
import type { Language } from "../check/elements.ts"
import type { Output } from "./output.ts"
import { quote } from "./quote.ts"

type LiteralAttribute = Extract<Attribute, { kind: "literal" }>

/** The helpers that convert values before they are printed. */
const converters: Readonly<Record<Exclude<AttributeKind, "code">, string | undefined>> = {
  plain: undefined,
  boolean: "$fwBoolean",
  url: "$fwUrl",
  link: "$fwLink",
  image: "$fwImage",
  media: "$fwMedia",
  cite: "$fwCite",
  srcset: "$fwSrcset",
  local: "$fwLocal",
  htmx: "$fwHtmx",
  prose: "$fwProse",
  flag: "$fwFlag",
  paint: "$fwPaint",
  class: "$fwClass",
  style: "$fwStyle",
  json: "$fwJsonAttribute",
  config: "$fwConfig",
}

/**
 * Returns the helper that prints an attribute in XML, and its last argument. XML has fewer kinds of attributes.
 */
function findXmlHelper(attributeKind: AttributeKind): readonly [name: string, kind: string] {
  if (attributeKind === "style") return ["$fwXmlStyle", ""]
  if (attributeKind === "url") return ["$fwXmlUrl", ""]
  return attributeKind === "plain" ? ["$fwXmlAttribute", ""] : ["$fwXmlUrl", `, ${quote(attributeKind)}`]
}

/**
 * Writes all attributes of an element in order.
 *
 * @param tag the variable that holds the name of the element, if the name is an expression.
 */
export function emitAttributes(out: Output, { name, attributes }: ElementNode, language: Language, tag?: string): void {
  const element = tag ?? quote(language === "xml" ? name : name.toLowerCase())
  const spreads = attributes.filter((attribute) => attribute.kind === "spread")
  let hasWrittenSpreads = false
  for (const attribute of language === "html" ? joinLiterals(name, attributes) : attributes) {
    if (attribute.kind === "literal") out.addLiteral(formatLiteral(attribute))
    else if (attribute.kind === "dynamic") {
      const { attributeKind, classes, name } = attribute
      if (attributeKind === "code") continue
      if (classes) emitClasses(out, name, classes)
      else if (language === "xml") emitCall(out, attribute, ...findXmlHelper(attributeKind))
      else emitCall(out, attribute, "$fwAttribute", "", converters[attributeKind])
    } else if (!hasWrittenSpreads) {
      emitSpreads(out, element, attributes, spreads, language)
      hasWrittenSpreads = true
    }
  }
}

function formatLiteral({ name, value }: LiteralAttribute): string {
  return value === undefined ? ` ${name}` : ` ${name}=${value}`
}

/**
 * Moves literal attributes to the front if they may name a file of the project. The file is then found in one text,
 * together with the name of the element.
 */
function joinLiterals(element: string, attributes: readonly Attribute[]): readonly Attribute[] {
  const literals = attributes.filter((attribute) => attribute.kind === "literal")
  if (literals.length === attributes.length || !mayLoadAssets(`<${element}${literals.map(formatLiteral).join("")}`))
    return attributes
  return [...literals, ...attributes.filter(({ kind }) => kind !== "literal")]
}

/** Writes the call that prints an attribute. @param convert the helper that converts the value first. */
function emitCall(
  out: Output,
  { name, start, code }: DynamicAttribute,
  helper: string,
  kind: string,
  convert?: string,
): void {
  out.beginAppend(start)
  out.writer.write(`${out.useHelper(helper)}(${quote(` ${name}="`)}, `, code.start)
  if (convert) out.writer.write(`${out.useHelper(convert)}(`, code.start)
  out.copyArgument(code)
  out.endStatement(convert ? `, ${quote(name)}))` : `${kind})`, code.end)
}

function emitClasses(out: Output, name: string, parts: readonly ClassPart[]): void {
  out.addLiteral(` ${name}="`)
  parts.forEach(({ names, condition }, index) => {
    const text = index === 0 ? names : ` ${names}`
    if (!condition) {
      out.addLiteral(text)
      return
    }
    out.beginAppend(condition.start)
    out.writer.write("(", condition.start)
    out.copyCode(condition)
    out.endStatement(` ? ${quote(text)} : "")`, condition.start)
  })
  out.addLiteral('"')
}

/** Writes all spreads of a tag as one call, so that no name is printed twice. */
function emitSpreads(
  out: Output,
  element: string,
  attributes: readonly Attribute[],
  spreads: readonly Attribute[],
  language: Language,
): void {
  const isXml = language === "xml"
  const names = attributes.flatMap((one) => (one.kind === "spread" ? [] : [one.name]))
  const writtenNames = isXml ? names : names.map((name) => name.toLowerCase())
  const anchor = spreads[0]?.start ?? 0
  out.beginAppend(anchor)
  out.writer.write(`${out.useHelper(isXml ? "$fwXmlSpread" : "$fwSpread")}(${element}, [`, anchor)
  spreads.forEach((spread, index) => {
    if (index > 0) out.writer.write(", ", spread.start)
    if (spread.kind === "spread") out.copyArgument(spread.code)
  })
  out.endStatement(`], ${JSON.stringify(writtenNames)})`, anchor)
}
