/**
 * Writes `{if}` as a conditional expression where its blocks are only expressions. TypeScript follows the ways through all
 * statements before a name, for each name, and gives up after many. It forgets those through an expression that assigns no name.
 */

import type { IfNode, Node } from "./ast.ts"
import type { Language } from "./elements.ts"
import { losesNewline } from "./facts.ts"
import type { Output } from "./output.ts"

type Branches = IfNode["branches"]

/** Most statements to join to one expression, because tools read a joined one by recursion. */
const mostJoined = 200

/** Counts for blocks as an expression. */
interface Needs {
  /** A bound of the number of their statements. */
  statements: number
  /** Number of their variables. */
  variables: number
}

/** Returns the number of variables that branches need as an expression; undefined if they contain a statement or are long. */
export function variablesOf(branches: Branches, language: Language): number | undefined {
  const needs: Needs = { statements: 0, variables: 0 }
  return areExpressions(branches, language, needs) ? needs.variables : undefined
}

function areExpressions(branches: Branches, language: Language, needs: Needs): boolean {
  return branches.every(({ body }) => body.every((node) => isExpression(node, language, needs)))
}

/** Returns true if a node is written as expressions, and adds what it needs. */
function isExpression(node: Node, language: Language, needs: Needs): boolean {
  needs.statements += 2
  if (needs.statements > mostJoined) return false
  const areInside = (nodes: readonly Node[]) => nodes.every((one) => isExpression(one, language, needs))
  switch (node.kind) {
    case "text":
    case "verbatim":
    case "expression":
      return true
    case "if":
      return areExpressions(node.branches, language, needs)
    case "component":
      needs.variables++
      return areInside(node.children)
    case "element":
      needs.statements += node.attributes.length
      if (language === "html" && losesNewline(node)) needs.variables++
      return node.named === undefined && areInside(node.children)
    default:
      return false
  }
}

/** Writes branches as an expression. @param nodes writes the nodes of a block. */
export function emitChoice(
  out: Output,
  branches: Branches,
  nodes: (body: readonly Node[]) => void,
  start: number,
): void {
  let anchor = branches[0]?.condition?.start ?? start
  out.statement("", anchor)
  for (const { condition, body } of branches) {
    anchor = condition?.start ?? anchor
    out.writer.write("(", anchor)
    if (condition) {
      out.code(condition)
      out.writer.write(") ? (\n", condition.end)
    } else out.writer.write("\n", anchor)
    out.joined(() => nodes(body), anchor)
    out.line(condition ? ") : " : ")", anchor)
  }
  out.end(branches.at(-1)?.condition ? "0" : "", anchor)
}
