/** Finds the parameters from which values come, and the arguments of calls for them. */
import type { CallExpression, Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findSymbol } from "./functions.ts"

/** A value that comes from a parameter. */
export interface ParameterPath {
  readonly function: Node
  /** Index of the parameter. */
  readonly index: number
  /** The properties that lead from the parameter to the value. */
  readonly path: readonly string[]
}

/** The argument that a call passes for a parameter. */
export interface CallArgument {
  readonly node: Node
  /** The properties that lead from the node to the value, if the value is not in a literal. */
  readonly path: readonly string[]
  readonly type: Type
}

/** How many expressions and variables are followed. */
const maxSteps = 10

/** Returns the parameter from which the value of an expression comes; undefined if it does not come from one. */
export function findParameter(node: Node, program: TypeProgram, steps = 0): ParameterPath | undefined {
  const { kinds } = program
  const { expression, name } = node as SyntaxNode
  const wrappers = [
    kinds.ParenthesizedExpression,
    kinds.AsExpression,
    kinds.SatisfiesExpression,
    kinds.NonNullExpression,
  ]
  if (steps > maxSteps) return undefined
  if (expression && wrappers.includes(node.kind as never)) return findParameter(expression, program, steps + 1)
  if (expression && node.kind === kinds.PropertyAccessExpression && name?.text !== undefined)
    return appendPath(findParameter(expression, program, steps + 1), [name.text])
  if (node.kind !== kinds.Identifier) return undefined
  const declared = program.resolveNode(findSymbol(node, program)?.valueDeclaration)
  return declared && findDeclaredParameter(declared, program, steps + 1)
}

function findDeclaredParameter(node: Node, program: TypeProgram, steps: number): ParameterPath | undefined {
  const { kinds } = program
  const { initializer, name, propertyName, dotDotDotToken, parent } = node as SyntaxNode
  if (node.kind === kinds.VariableDeclaration) return initializer && findParameter(initializer, program, steps + 1)
  if (node.kind === kinds.BindingElement) {
    const key = (propertyName ?? name)?.text
    if (key === undefined || dotDotDotToken || parent.kind !== kinds.ObjectBindingPattern) return undefined
    return appendPath(findDeclaredParameter(parent.parent, program, steps + 1), [key])
  }
  const index = (parent as SyntaxNode).parameters?.indexOf(node) ?? -1
  return node.kind === kinds.Parameter && index >= 0 && !dotDotDotToken
    ? { function: parent, index, path: [] }
    : undefined
}

function appendPath(origin: ParameterPath | undefined, path: readonly string[]): ParameterPath | undefined {
  return origin && { ...origin, path: [...origin.path, ...path] }
}

/** Returns the argument of a call for a parameter. If it is an object literal, returns the value inside it. */
export function findArgument(
  call: CallExpression,
  { index, path }: ParameterPath,
  program: TypeProgram,
): CallArgument | undefined {
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
