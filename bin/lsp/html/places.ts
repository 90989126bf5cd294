/** Finds the attribute or the value in braces at an offset of a template. */

import type { AttributeKind } from "../../../lib/html/attributes.ts"
import type { ElementNode, Template, TypeScriptPart, ValuePlace } from "../../../template/ast.ts"
import { listNodes } from "../../../template/check/node-facts.ts"
import type { Span } from "./shadow-parts.ts"

/** An attribute other than a spread. */
export interface AttributeSpan extends Span {
  /** The kind of an attribute with an expression, which decides how its value is escaped. */
  readonly attributeKind?: AttributeKind
}

/** A value in braces. */
interface ValueSpan extends Span {
  readonly place: ValuePlace
}

/** The attributes and values of a source. */
export interface Places {
  readonly attributes: readonly AttributeSpan[]
  readonly values: readonly ValueSpan[]
}

/** Returns the attributes and values in the parts of a template file. */
export function findPlaces(parts: readonly (TypeScriptPart | Template)[]): Places {
  const attributes: AttributeSpan[] = []
  const values: ValueSpan[] = []
  const templates = parts.filter((part) => part.kind === "template")
  for (const node of templates.flatMap(({ body }) => listNodes(body))) {
    if (node.kind === "element") attributes.push(...toAttributeSpans(node))
    if (node.kind === "expression") values.push({ start: node.start, end: node.end, place: node.place })
  }
  return { attributes, values }
}

function toAttributeSpans({ attributes }: ElementNode): AttributeSpan[] {
  return attributes.flatMap((one) => {
    if (one.kind === "spread") return []
    const { start, end } = one
    return [{ start, end, ...(one.kind === "dynamic" && { attributeKind: one.attributeKind }) }]
  })
}

export function findPartAt<Part extends Span>(parts: readonly Part[], offset: number): Part | undefined {
  return parts.find(({ start, end }) => start <= offset && offset <= end)
}
