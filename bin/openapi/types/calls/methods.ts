/** Finds the request methods for which a condition on `c.method` is true. */
import type { Node, TypeProgram } from "../../../tools/typescript/program.ts"

/** The request methods for which a statement is reached; null for all methods. */
export type Methods = readonly string[] | null

const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

type NodeFields = Node & {
  readonly expression?: Node & { readonly name?: { readonly text: string }; readonly expression?: Node }
  readonly operand?: Node
  readonly left?: Node
  readonly right?: Node
  readonly operatorToken?: Node
  readonly name?: { readonly text: string }
  readonly text?: string
  readonly arguments?: readonly Node[]
  readonly elements?: readonly Node[]
}

/** Returns those methods for which a condition may have a value. */
export function filterMethods(condition: Node, wanted: boolean, methods: Methods, { kinds }: TypeProgram): Methods {
  const left = (methods ?? allMethods).filter((method) => holds(condition, method, kinds) !== !wanted)
  return left.length === (methods ?? allMethods).length ? methods : left
}

/** Returns the value of a condition for a method; undefined if it depends on something else too. */
function holds(node: Node, method: string, kinds: TypeProgram["kinds"]): boolean | undefined {
  const { expression, operand, left, right, operatorToken } = node as NodeFields
  if (node.kind === kinds.ParenthesizedExpression && expression) return holds(expression, method, kinds)
  if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("!")) {
    const inner = holds(operand, method, kinds)
    return inner === undefined ? undefined : !inner
  }
  if (node.kind === kinds.CallExpression) return isListed(node as NodeFields, method)
  if (node.kind !== kinds.BinaryExpression || !left || !right) return undefined
  const operator = operatorToken?.getText()
  if (operator === "&&" || operator === "||") {
    const sides = [holds(left, method, kinds), holds(right, method, kinds)]
    const decides = operator === "||"
    return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides
  }
  const same = operator === "===" || operator === "=="
  if (!same && operator !== "!==" && operator !== "!=") return undefined
  const text = isMethod(left) ? readLiteralText(right) : isMethod(right) ? readLiteralText(left) : undefined
  return text === undefined ? undefined : (text === method) === same
}

/** Returns the value of `["GET", "HEAD"].includes(c.method)`. */
function isListed({ expression, arguments: given }: NodeFields, method: string): boolean | undefined {
  const list = (expression?.expression as NodeFields | undefined)?.elements?.map(readLiteralText)
  const [asked] = given ?? []
  if (expression?.name?.text !== "includes" || !list || !asked || !isMethod(asked)) return undefined
  return list.includes(undefined) ? undefined : list.includes(method)
}

/** Returns true for the expression `c.method`. */
function isMethod(node: Node): boolean {
  return (node as NodeFields).name?.text === "method"
}

function readLiteralText(node: Node): string | undefined {
  const { text } = node as NodeFields
  return /^["'`]/.test(node.getText()) ? text : undefined
}
