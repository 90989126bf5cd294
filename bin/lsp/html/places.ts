/** Places of a template by their offsets: the attribute or the value in braces at one. */

import type { Attribute, ElementNode, ExpressionNode, Node } from "../../../lib/template/ast.ts"
import { inside } from "../../../lib/template/facts.ts"
import { parseModule } from "../../../lib/template/module.ts"

/** An attribute that is not a spread. */
export type NamedAttribute = Exclude<Attribute, { kind: "spread" }>

/** The places of a source that have an escaping or a link. */
export interface Places {
  readonly attributes: readonly NamedAttribute[]
  readonly values: readonly ExpressionNode[]
}

/** Reads the places. */
export function placesOf(source: string): Places {
  const attributes: NamedAttribute[] = []
  const values: ExpressionNode[] = []
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === "element") attributes.push(...namedOf(node))
      if (node.kind === "expression") values.push(node)
      for (const part of inside(node)) visit(part)
      const code = node.kind === "component" ? node.call : node.kind === "expression" ? node.code : undefined
      for (const { nodes } of code?.markup ?? []) visit(nodes)
    }
  }
  for (const part of parseModule(source).parts) if (part.kind === "template") visit(part.body)
  return { attributes, values }
}

function namedOf({ attributes }: ElementNode): NamedAttribute[] {
  return attributes.flatMap((one) => (one.kind === "spread" ? [] : [one]))
}

/** Returns the part that an offset is in. */
export function partAt<Part extends { readonly start: number; readonly end: number }>(
  parts: readonly Part[],
  offset: number,
): Part | undefined {
  return parts.find(({ start, end }) => start <= offset && offset <= end)
}
