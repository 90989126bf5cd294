/** Places of a template by their offsets: the attribute or the value in braces at one. */

import type { AttributeKind } from "../../../lib/html/attributes.ts"
import type { ElementNode, Node, Plain, Template, ValuePlace } from "../../../lib/template/ast.ts"
import { inside } from "../../../lib/template/facts.ts"

/** A part of the source. */
interface Placed {
  readonly start: number
  readonly end: number
}

/** An attribute that is not a spread. */
export interface PlacedAttribute extends Placed {
  /** The kind of an attribute with an expression, which decides how the value is escaped. */
  readonly as?: AttributeKind
}

/** A value in braces. */
interface PlacedValue extends Placed {
  readonly place: ValuePlace
}

/** The places of a source that have an escaping or a link. */
export interface Places {
  readonly attributes: readonly PlacedAttribute[]
  readonly values: readonly PlacedValue[]
}

/** Returns the places in the parts of a template file. */
export function placesOf(parts: readonly (Plain | Template)[]): Places {
  const attributes: PlacedAttribute[] = []
  const values: PlacedValue[] = []
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === "element") attributes.push(...namedOf(node))
      if (node.kind === "expression") values.push({ start: node.start, end: node.end, place: node.place })
      for (const part of inside(node)) visit(part)
      const code = node.kind === "component" ? node.call : node.kind === "expression" ? node.code : undefined
      for (const { nodes } of code?.markup ?? []) visit(nodes)
    }
  }
  for (const part of parts) if (part.kind === "template") visit(part.body)
  return { attributes, values }
}

function namedOf({ attributes }: ElementNode): PlacedAttribute[] {
  return attributes.flatMap((one) => {
    if (one.kind === "spread") return []
    const { start, end } = one
    return [{ start, end, ...(one.kind === "dynamic" && { as: one.as }) }]
  })
}

/** Returns the part that an offset is in. */
export function partAt<Part extends { readonly start: number; readonly end: number }>(
  parts: readonly Part[],
  offset: number,
): Part | undefined {
  return parts.find(({ start, end }) => start <= offset && offset <= end)
}
