/**
 * Reduces white space to what a browser would show: runs become one space, and the indentation of blocks
 * disappears.
 */

import type { ElementNode, Node, TextNode } from "./ast.ts"

/**
 * The surroundings of nodes: at the edges of a template white space is removed, in a block if it contains a
 * newline.
 */
type Edge = "template" | "block" | "element"

const leading = /^[ \t\n\r\f]+/
const runs = /[ \t\n\r\f]+/g

/**
 * Returns the white space at the start or end of a text. A pattern for the end would try every run in the
 * text.
 */
function runAt(text: string, step: 1 | -1): string {
  if (step === 1) return leading.exec(text)?.[0] ?? ""
  let end = text.length
  while (end > 0 && " \t\n\r\f".includes(text[end - 1] ?? "x")) end--
  return text.slice(end)
}

function withoutRun(text: string, step: 1 | -1): string {
  const { length } = runAt(text, step)
  return step === 1 ? text.slice(length) : text.slice(0, text.length - length)
}

/** Returns the body of a template with its white space reduced. */
export function tidy(body: readonly Node[]): Node[] {
  return reduce(body, "template")
}

/** Returns the markup of a block with its white space reduced. */
export function tidyBlock(nodes: readonly Node[]): Node[] {
  return reduce(nodes, "block")
}

function reduce(nodes: readonly Node[], edge: Edge): Node[] {
  const copy = [...nodes]
  if (edge !== "element") {
    trimEdge(copy, 0, 1, edge)
    trimEdge(copy, copy.length - 1, -1, edge)
  }
  return collapse(copy).map((node) => inside(node, reduce))
}

/** Removes the run at one edge. Nodes that print nothing do not end the run. */
function trimEdge(nodes: Node[], from: number, step: 1 | -1, edge: Edge): void {
  const touched: number[] = []
  let newline = false
  for (let at = from; at >= 0 && at < nodes.length; at += step) {
    const node = nodes[at]
    if (node?.kind === "const") continue
    if (node?.kind !== "text") break
    const run = runAt(node.text, step)
    newline ||= /[\n\r]/.test(run)
    touched.push(at)
    if (run.length < node.text.length) break
  }
  if (edge === "block" && !newline) return
  for (const at of touched) {
    const node = nodes[at]
    if (node?.kind === "text") nodes[at] = { kind: "text", text: withoutRun(node.text, step) }
  }
}

function collapse(nodes: readonly Node[]): Node[] {
  const result: Node[] = []
  let spaced = false
  for (const node of nodes) {
    if (node.kind !== "text") {
      if (node.kind !== "const") spaced = false
      result.push(node)
      continue
    }
    let text = node.text.replace(runs, " ")
    if (spaced && text.startsWith(" ")) text = text.slice(1)
    if (text === "") continue
    spaced = text.endsWith(" ")
    result.push({ kind: "text", text } satisfies TextNode)
  }
  return result
}

function inside(node: Node, next: (nodes: readonly Node[], edge: Edge) => readonly Node[]): Node {
  switch (node.kind) {
    case "element":
      return element(node)
    case "component":
      return { ...node, children: next(node.children, "block") }
    case "for":
      return {
        ...node,
        body: next(node.body, "block"),
        otherwise: node.otherwise && next(node.otherwise, "block"),
      }
    case "if":
      return { ...node, branches: node.branches.map((one) => ({ ...one, body: next(one.body, "block") })) }
    case "switch":
      return { ...node, cases: node.cases.map((one) => ({ ...one, body: next(one.body, "block") })) }
    case "defer": {
      const { failed } = node
      return {
        ...node,
        body: next(node.body, "block"),
        pending: next(node.pending, "block"),
        failed: failed && { ...failed, body: next(failed.body, "block") },
      }
    }
    default:
      return node
  }
}

/** Reduces the white space of an element. Elements that keep their white space keep it in all their content. */
function element(node: ElementNode): ElementNode {
  if (node.keepsSpace) return node
  return { ...node, children: reduce(node.children, "element") }
}
