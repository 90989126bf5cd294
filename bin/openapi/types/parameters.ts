/** Values that functions get through parameters, and the arguments of calls. */
import type { CallExpression, Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { symbolOf } from "./functions.ts"

/** A value from a parameter. */
export interface ParameterPath {
  readonly function: Node
  /** Index of the parameter. */
  readonly index: number
  /** Properties that lead from the parameter to the value. */
  readonly path: readonly string[]
}

/** The argument of a call for a parameter. */
export interface Given {
  readonly node: Node
  /** Properties that lead from the node to the value, if no literal shows it. */
  readonly path: readonly string[]
  readonly type: Type
}

/** Most steps from one function to the next. */
const mostSteps = 10

/** Returns the parameter from which an expression gets its value; undefined if it has another source. */
export function parameterOf(node: Node, program: TypeProgram, steps = 0): ParameterPath | undefined {
  const { kinds } = program
  const { expression, name } = node as SyntaxNode
  const wrappers = [
    kinds.ParenthesizedExpression,
    kinds.AsExpression,
    kinds.SatisfiesExpression,
    kinds.NonNullExpression,
  ]
  if (steps > mostSteps) return undefined
  if (expression && wrappers.includes(node.kind as never)) return parameterOf(expression, program, steps + 1)
  if (expression && node.kind === kinds.PropertyAccessExpression && name?.text !== undefined)
    return within(parameterOf(expression, program, steps + 1), [name.text])
  if (node.kind !== kinds.Identifier) return undefined
  const declared = program.resolve(symbolOf(node, program)?.valueDeclaration)
  return declared && declaredBy(declared, program, steps + 1)
}

function declaredBy(node: Node, program: TypeProgram, steps: number): ParameterPath | undefined {
  const { kinds } = program
  const { initializer, name, propertyName, dotDotDotToken, parent } = node as SyntaxNode
  if (node.kind === kinds.VariableDeclaration)
    return initializer && parameterOf(initializer, program, steps + 1)
  if (node.kind === kinds.BindingElement) {
    const key = (propertyName ?? name)?.text
    if (key === undefined || dotDotDotToken || parent.kind !== kinds.ObjectBindingPattern) return undefined
    return within(declaredBy(parent.parent, program, steps + 1), [key])
  }
  const index = (parent as SyntaxNode).parameters?.indexOf(node) ?? -1
  return node.kind === kinds.Parameter && index >= 0 && !dotDotDotToken
    ? { function: parent, index, path: [] }
    : undefined
}

function within(origin: ParameterPath | undefined, path: readonly string[]): ParameterPath | undefined {
  return origin && { ...origin, path: [...origin.path, ...path] }
}

/** Returns the argument of a call for a parameter, followed into its literals. */
export function argumentAt(
  call: CallExpression,
  { index, path }: ParameterPath,
  program: TypeProgram,
): Given | undefined {
  const { checker, kinds } = program
  let node: Node | undefined = call.arguments[index]
  let rest = path
  while (node?.kind === kinds.ObjectLiteralExpression && rest.length > 0) {
    const [key, ...others] = rest
    const property = (node as SyntaxNode).properties?.find(({ name }) => name?.text === key)
    const value = property?.initializer ?? (property?.parameters ? undefined : property?.name)
    if (!value) break
    node = value
    rest = others
  }
  let type = node && checker.getTypeAtLocation(node)
  for (const key of rest) {
    const property = type && checker.getPropertyOfType(type, key)
    type = property && checker.getTypeOfSymbol(property)
  }
  return node && type && { node, path: rest, type }
}
