// What follows from a template's nodes as a whole; the module parser and the emitter ask.

import type { Node, Parameter, Template } from "./ast.ts"

/** Whether `test` holds for any of the nodes or any node inside them. */
function some(nodes: readonly Node[], test: (node: Node) => boolean): boolean {
  return nodes.some((node) => {
    if (test(node)) return true
    if (node.kind === "if") return node.branches.some((branch) => some(branch.body, test))
    if (node.kind === "switch") return node.cases.some((one) => some(one.body, test))
    if (node.kind === "for") return some(node.body, test) || some(node.otherwise ?? [], test)
    return (node.kind === "element" || node.kind === "component") && some(node.children, test)
  })
}

/** Whether `{children}` stands anywhere in the nodes. */
export function printsChildren(nodes: readonly Node[]): boolean {
  return some(nodes, (node) => node.kind === "expression" && node.isChildren)
}

/** Whether a template with these nodes is async. */
export function isAsync(nodes: readonly Node[]): boolean {
  return some(nodes, (node) => {
    switch (node.kind) {
      case "expression":
      case "const":
        return node.code.awaits
      case "component":
        return node.call.awaits
      case "for":
        return node.awaits || node.header.awaits
      case "if":
        return node.branches.some((branch) => branch.condition?.awaits)
      case "switch":
        return node.subject.awaits || node.cases.some((one) => one.test?.awaits)
      case "element":
        return node.attributes.some((one) => one.kind !== "literal" && one.code.awaits)
      default:
        return false
    }
  })
}

/** The parameter of this name. */
export function parameterNamed(template: Template, name: string): Parameter | undefined {
  return template.parameters.find((parameter) => parameter.name === name)
}
