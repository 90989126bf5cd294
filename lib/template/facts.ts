// What follows from a template's nodes as a whole; the module parser and the emitter ask.

import type { Code, Node, Parameter, Template } from "./ast.ts"

/** The nodes inside a node, as far as it prints them by itself. */
export function inside(node: Node): readonly (readonly Node[])[] {
  switch (node.kind) {
    case "if":
      return node.branches.map(({ body }) => body)
    case "switch":
      return node.cases.map(({ body }) => body)
    case "for":
      return [node.body, node.otherwise ?? []]
    case "element":
    case "component":
      return [node.children]
    default:
      return []
  }
}

/** The code that stands directly in a node. */
function codesOf(node: Node): readonly (Code | undefined)[] {
  switch (node.kind) {
    case "expression":
    case "const":
      return [node.code]
    case "component":
      return [node.call]
    case "for":
      return [node.header]
    case "if":
      return node.branches.map(({ condition }) => condition)
    case "switch":
      return [node.subject, ...node.cases.map(({ test }) => test)]
    case "element":
      return [node.named, ...node.attributes.map((one) => (one.kind === "literal" ? undefined : one.code))]
    default:
      return []
  }
}

/** Whether `{children}` stands anywhere in the nodes, or in markup that they hand on. */
export function printsChildren(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === "expression" && node.isChildren) return true
    if (inside(node).some(printsChildren)) return true
    return codesOf(node).some((code) => code?.markup.some((markup) => printsChildren(markup.nodes)))
  })
}

/** Whether a template with these nodes is async. */
export function isAsync(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === "for" && node.awaits) return true
    return codesOf(node).some((code) => code?.awaits) || inside(node).some(isAsync)
  })
}

/** Whether nothing in the nodes is known only when they are printed. */
export function isLiteral(nodes: readonly Node[]): boolean {
  return nodes.every((node) => {
    if (node.kind === "text" || node.kind === "verbatim") return true
    if (node.kind !== "element" || node.named) return false
    return node.attributes.every(({ kind }) => kind === "literal") && isLiteral(node.children)
  })
}

/** The parameter of this name. */
export function parameterNamed(template: Template, name: string): Parameter | undefined {
  return template.parameters.find((parameter) => parameter.name === name)
}
