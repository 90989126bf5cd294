/** Numbers that are whole by the expression that makes them: the status of an HttpError. */
import type { Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findTarget } from "../calls/functions.ts"
import { readErrorStatuses } from "./error-statuses.ts"

/** Returns true for a property of an object literal with the status of an error, or else with a whole number. */
export function isStatusProperty(node: Node, program: TypeProgram): boolean {
  const { kinds } = program
  const { initializer, name } = node as SyntaxNode
  const value =
    node.kind === kinds.ShorthandPropertyAssignment ? name : node.kind === kinds.PropertyAssignment && initializer
  const sources = value ? listSources(value, program) : []
  return sources.includes("status") && !sources.includes("other")
}

/** Returns what the value of an expression may come from. A name in its own value ends after some steps. */
function listSources(node: Node, program: TypeProgram, depth = 0): ("status" | "whole" | "other")[] {
  const { kinds, checker } = program
  const { expression, name, whenTrue, whenFalse, text } = node as SyntaxNode
  if (node.kind === kinds.NumericLiteral) return [Number.isInteger(Number(text)) ? "whole" : "other"]
  if (depth > 10) return ["other"]
  if (whenTrue && whenFalse) return [whenTrue, whenFalse].flatMap((side) => listSources(side, program, depth + 1))
  if (node.kind === kinds.PropertyAccessExpression && expression && name?.text === "status") {
    const type = checker.getTypeAtLocation(expression)
    if (type && readErrorStatuses(type, program)) return ["status"]
  }
  const target = findTarget(node, program)
  return target && target !== node ? listSources(target, program, depth + 1) : ["other"]
}
