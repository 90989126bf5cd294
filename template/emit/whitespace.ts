/**
 * Reduces white space to what browsers would show. A run of white space becomes one space, and the indentation of
 * blocks is removed.
 */

import type { ElementNode, Node, TextNode } from "../ast.ts"

/**
 * What is around nodes. At the edges of a template white space is removed. At the edges of a block it is removed if it
 * contains a newline.
 */
type Edge = "template" | "block" | "element"

const leadingSpace = /^[ \t\n\r\f]+/
const spaceRuns = /[ \t\n\r\f]+/g

/**
 * Returns the white space at the start of a text (`step` 1) or at its end (`step` -1). The end is searched with a loop,
 * because a regular expression would try every run of white space in the text.
 */
function findRun(text: string, step: 1 | -1): string {
  if (step === 1) return leadingSpace.exec(text)?.[0] ?? ""
  let end = text.length
  while (end > 0 && " \t\n\r\f".includes(text[end - 1] ?? "x")) end--
  return text.slice(end)
}

function removeRun(text: string, step: 1 | -1): string {
  const { length } = findRun(text, step)
  return step === 1 ? text.slice(length) : text.slice(0, text.length - length)
}

/** Returns the body of a template with reduced white space. */
export function tidyTemplate(body: readonly Node[]): Node[] {
  return reduceSpace(body, "template")
}

/** Returns the markup of a block with reduced white space. */
export function tidyBlock(nodes: readonly Node[]): Node[] {
  return reduceSpace(nodes, "block")
}

function reduceSpace(nodes: readonly Node[], edge: Edge): Node[] {
  const copy = [...nodes]
  if (edge !== "element") {
    trimEdge(copy, 0, 1, edge)
    trimEdge(copy, copy.length - 1, -1, edge)
  }
  return collapseSpace(copy).map(reduceChildBlocks)
}

/** Removes white space at one edge. It goes on past nodes that print nothing. */
function trimEdge(nodes: Node[], from: number, step: 1 | -1, edge: Edge): void {
  const edgeTexts: number[] = []
  let hasNewline = false
  for (let at = from; at >= 0 && at < nodes.length; at += step) {
    const node = nodes[at]
    if (node?.kind === "const") continue
    if (node?.kind !== "text") break
    const run = findRun(node.text, step)
    hasNewline ||= /[\n\r]/.test(run)
    edgeTexts.push(at)
    if (run.length < node.text.length) break
  }
  if (edge === "block" && !hasNewline) return
  for (const at of edgeTexts) {
    const node = nodes[at]
    if (node?.kind === "text") nodes[at] = { kind: "text", text: removeRun(node.text, step) }
  }
}

function collapseSpace(nodes: readonly Node[]): Node[] {
  const result: Node[] = []
  let endsWithSpace = false
  for (const node of nodes) {
    if (node.kind !== "text") {
      if (node.kind !== "const") endsWithSpace = false
      result.push(node)
      continue
    }
    let text = node.text.replace(spaceRuns, " ")
    if (endsWithSpace && text.startsWith(" ")) text = text.slice(1)
    if (text === "") continue
    endsWithSpace = text.endsWith(" ")
    result.push({ kind: "text", text } satisfies TextNode)
  }
  return result
}

/** Reduces the white space in the blocks inside a node. */
function reduceChildBlocks(node: Node): Node {
  switch (node.kind) {
    case "element":
      return reduceElement(node)
    case "component":
      return { ...node, children: tidyBlock(node.children) }
    case "for":
      return {
        ...node,
        body: tidyBlock(node.body),
        otherwise: node.otherwise && tidyBlock(node.otherwise),
      }
    case "if":
      return { ...node, branches: node.branches.map((one) => ({ ...one, body: tidyBlock(one.body) })) }
    case "switch":
      return { ...node, cases: node.cases.map((one) => ({ ...one, body: tidyBlock(one.body) })) }
    case "defer": {
      const { failed } = node
      return {
        ...node,
        body: tidyBlock(node.body),
        pending: tidyBlock(node.pending),
        failed: failed && { ...failed, body: tidyBlock(failed.body) },
      }
    }
    default:
      return node
  }
}

/** Reduces the white space in an element, unless the element keeps it. */
function reduceElement(node: ElementNode): ElementNode {
  if (node.keepsSpace) return node
  return { ...node, children: reduceSpace(node.children, "element") }
}
