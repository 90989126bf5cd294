/** Questions about the nodes of a template. */

import type { Attribute, Code, ElementNode, Markup, Node, Parameter, Template } from "../ast.ts"

/** Returns the blocks inside a node that are printed as part of it. */
export function getChildBlocks(node: Node): readonly (readonly Node[])[] {
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
    case "defer":
      return [node.body, node.pending, node.failed?.body ?? []]
    default:
      return []
  }
}

/** Returns the code that belongs to a node itself, and not to nodes inside it. */
function getCodes(node: Node): readonly (Code | undefined)[] {
  switch (node.kind) {
    case "expression":
    case "const":
    case "unfinished":
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
      return [node.nameCode, ...node.attributes.map((one) => (one.kind === "literal" ? undefined : one.code))]
    default:
      return []
  }
}

/** Returns the markup in the code of a node. */
export function getMarkup(node: Node): readonly Markup[] {
  return getCodes(node).flatMap((code) => code?.markup ?? [])
}

/** Returns some nodes with all nodes in their blocks and in the markup of their code, in the order of the source. */
export function listNodes(nodes: readonly Node[], found: Node[] = []): readonly Node[] {
  for (const node of nodes) {
    found.push(node)
    for (const block of getChildBlocks(node)) listNodes(block, found)
    for (const markup of getMarkup(node)) listNodes(markup.nodes, found)
  }
  return found
}

/** Returns true if nodes, or the markup in their expressions, contain `{children}`. */
export function printsChildren(nodes: readonly Node[]): boolean {
  return listNodes(nodes).some((node) => node.kind === "expression" && node.isChildren)
}

/** Returns true if nodes contain an `await`, so that their template is async. */
export function isAsync(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === "for" && node.awaits) return true
    // The body and the block `failed` become functions that run later, so an `await` in them does not count.
    if (node.kind === "defer") return isAsync(node.pending)
    return getCodes(node).some((code) => code?.awaits) || getChildBlocks(node).some(isAsync)
  })
}

/** Returns true if nodes always print the same text. */
export function isLiteral(nodes: readonly Node[]): boolean {
  return nodes.every((node) => {
    if (node.kind === "text" || node.kind === "verbatim") return true
    if (node.kind !== "element" || node.nameCode) return false
    return node.attributes.every(({ kind }) => kind === "literal") && isLiteral(node.children)
  })
}

/** A name in braces, or a member of one. TypeScript allows the same after `typeof` in a type. */
const entityName = /^\{(?!(?:null|true|false|super|import)\})[\p{ID_Start}$_][\p{ID_Continue}$.]*\}$/u

/** Returns true if an element's name in braces can be written after `typeof` in a type. */
export function isEntityName(name: string): boolean {
  return entityName.test(name)
}

/** Returns true if the first thing that an element prints may be a newline, which HTML parsers would drop. */
export function mayLoseNewline({ keepsSpace, children }: ElementNode): boolean {
  if (!keepsSpace) return false
  const first = children.find((child) => child.kind !== "const")
  return first !== undefined && first.kind !== "text" && first.kind !== "element" && first.kind !== "verbatim"
}

/** Returns the parameter with a name; undefined if there is none. */
export function findParameter(template: Template, name: string): Parameter | undefined {
  return template.parameters.find((parameter) => parameter.name === name)
}

/** Returns the attribute with a name in lower case; undefined if the element does not have it. */
export function findAttribute({ attributes }: ElementNode, name: string): NamedAttribute | undefined {
  return attributes.find((one): one is NamedAttribute => one.kind !== "spread" && one.name.toLowerCase() === name)
}

/** An attribute that has a name. */
export type NamedAttribute = Exclude<Attribute, { kind: "spread" }>

/** Returns the value of a literal attribute, without its quotes; undefined for any other attribute. */
export function readLiteral(attribute: Attribute | undefined): string | undefined {
  return attribute?.kind === "literal" ? attribute.value?.replace(/^(["'])(.*)\1$/s, "$2") : undefined
}

/** Returns the literal id of the `body` element among nodes; undefined if there is none. */
export function findBodyID(nodes: readonly Node[]): string | undefined {
  const body = listNodes(nodes).find((node) => node.kind === "element" && node.name.toLowerCase() === "body")
  return body?.kind === "element" ? readLiteral(findAttribute(body, "id")) : undefined
}
