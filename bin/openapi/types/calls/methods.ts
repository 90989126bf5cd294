/** Finds the request methods for which a condition on `c.method` is true. */
import type { Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"

/** The request methods for which a statement is reached; null for all methods. */
export type Methods = readonly string[] | null

const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

/** Returns those methods for which a condition may have the expected value. */
export function filterMethods(condition: Node, expected: boolean, methods: Methods, { kinds }: TypeProgram): Methods {
  const remaining = (methods ?? allMethods).filter(
    (method) => evaluateCondition(condition, method, kinds) !== !expected,
  )
  return remaining.length === (methods ?? allMethods).length ? methods : remaining
}

/** Returns the value of a condition for a method; undefined if it depends on something else too. */
function evaluateCondition(node: Node, method: string, kinds: TypeProgram["kinds"]): boolean | undefined {
  const { expression, operand, left, right, operatorToken } = node as SyntaxNode
  if (node.kind === kinds.ParenthesizedExpression && expression) return evaluateCondition(expression, method, kinds)
  if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("!")) {
    const inner = evaluateCondition(operand, method, kinds)
    return inner === undefined ? undefined : !inner
  }
  if (node.kind === kinds.CallExpression) return evaluateIncludes(node as SyntaxNode, method)
  if (node.kind !== kinds.BinaryExpression || !left || !right) return undefined
  const operator = operatorToken?.getText()
  if (operator === "&&" || operator === "||") {
    const sides = [evaluateCondition(left, method, kinds), evaluateCondition(right, method, kinds)]
    const decides = operator === "||"
    return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides
  }
  const same = operator === "===" || operator === "=="
  if (!same && operator !== "!==" && operator !== "!=") return undefined
  const text = isMethodField(left) ? readLiteralText(right) : isMethodField(right) ? readLiteralText(left) : undefined
  return text === undefined ? undefined : (text === method) === same
}

/** Returns the value of `["GET", "HEAD"].includes(c.method)`. */
function evaluateIncludes({ expression, arguments: given }: SyntaxNode, method: string): boolean | undefined {
  const list = expression?.expression?.elements?.map(readLiteralText)
  const [asked] = given ?? []
  if (expression?.name?.text !== "includes" || !list || !asked || !isMethodField(asked)) return undefined
  return list.includes(undefined) ? undefined : list.includes(method)
}

/** Returns true for the expression `c.method`. */
function isMethodField(node: Node): boolean {
  return (node as SyntaxNode).name?.text === "method"
}

function readLiteralText(node: Node): string | undefined {
  const { text } = node as SyntaxNode
  return /^["'`]/.test(node.getText()) ? text : undefined
}
