/** Finds the functions of the project that a call runs. */
import type { CallExpression, Node, Signature, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findImplementation, findTarget } from "./functions.ts"

/**
 * Returns the functions of the project that a call may run: usually one; several if a value selects one, as in
 * `answers[kind](c)`; none if the function is outside the project or known only at run time.
 */
export function findCallees(call: CallExpression, signature: Signature, program: TypeProgram): Node[] {
  const { declaration } = signature
  if (!declaration) return []
  const declared = program.isOwn(declaration.path) ? program.resolveNode(declaration) : undefined
  const target = findImplementation(declared)
  const callee = call.expression as SyntaxNode
  if (target && readName(target) !== undefined && readName(target) === readCalledName(callee)) return [target]
  if (target) return findUnionCallees(callee, program) ?? [target]
  // The declaration is only the type of the function, as for a middleware.
  const isTyped = declared !== undefined || program.findFrameworkModule(declaration.path) === "types"
  return isTyped ? findValueCallees(callee, program) : []
}

export function readCalledName(callee: Node): string | undefined {
  const { name, text } = callee as SyntaxNode & { readonly text?: string }
  return name?.text ?? text
}

function readName(node: Node): string | undefined {
  return (node as SyntaxNode).name?.text
}

/** Returns the implementations of all members of a union of functions. */
function findUnionCallees(callee: Node, program: TypeProgram): Node[] | undefined {
  const { checker } = program
  const type = checker.getTypeAtLocation(callee)
  if (!type?.isUnionType()) return undefined
  return type.getTypes().flatMap((part) => {
    const [signature] = checker.getSignaturesOfType(part, 0)
    const path = signature?.declaration?.path
    const own = path !== undefined && program.isOwn(path) ? program.resolveNode(signature?.declaration) : undefined
    return findImplementation(own) ?? []
  })
}

/** Returns the functions in a value: the function in a constant, or all functions in an object. */
function findValueCallees(callee: SyntaxNode, program: TypeProgram): Node[] {
  const { kinds } = program
  const isWrapped = callee.kind === kinds.NonNullExpression || callee.kind === kinds.ParenthesizedExpression
  if (isWrapped && callee.expression) return findValueCallees(callee.expression as SyntaxNode, program)
  if (callee.kind !== kinds.ElementAccessExpression) return findNamedFunctions(callee, program)
  const list = callee.expression && (findTarget(callee.expression, program) as SyntaxNode | undefined)
  if (list?.kind !== kinds.ObjectLiteralExpression) return []
  return (list.properties ?? []).flatMap((property) => {
    return property.kind === kinds.MethodDeclaration
      ? [property]
      : findNamedFunctions(property.initializer ?? property.name ?? property, program)
  })
}

/**
 * Returns the handlers and middleware that are passed to a call by name, as in `member(save)`. Functions that are
 * written inside the call are read with the call.
 *
 * @param path the file of the called function's declaration. A function of the project may take functions that are
 * not handlers.
 */
export function findPassedHandlers(call: CallExpression, path: string, program: TypeProgram): Node[] {
  return listPassedNames(call, path, program)
    .flatMap((argument) => findNamedFunctions(argument, program))
    .filter((made) => !program.isOwn(path) || takesContext(made, program))
}

/**
 * Returns the arguments of a call that may be names of handlers or middleware.
 *
 * @param path as for {@link findPassedHandlers}.
 */
function listPassedNames(call: CallExpression, path: string, program: TypeProgram): Node[] {
  const { kinds } = program
  if (!program.isOwn(path) && program.findFrameworkModule(path) === null) return []
  return (call.arguments ?? []).filter(
    ({ kind }) => kind === kinds.Identifier || kind === kinds.PropertyAccessExpression,
  )
}

/** Returns true if a function's first parameter is a context. */
function takesContext(node: Node, { checker }: TypeProgram): boolean {
  const [first] = (node as Node & { readonly parameters?: readonly (Node & { name: Node })[] }).parameters ?? []
  return first !== undefined && checker.getTypeAtLocation(first.name)?.getSymbol()?.name === "Context"
}

/** Returns the function that a name stands for, or the call that creates it; none for any other value. */
function findNamedFunctions(node: Node, program: TypeProgram): Node[] {
  const { kinds } = program
  const functions = [
    kinds.ArrowFunction,
    kinds.FunctionExpression,
    kinds.FunctionDeclaration,
    kinds.MethodDeclaration,
    kinds.CallExpression,
  ]
  const target = findTarget(node, program)
  const functionNode = target && (findImplementation(target) ?? target)
  return functionNode && functions.includes(functionNode.kind as never) ? [functionNode] : []
}
