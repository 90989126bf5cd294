/** The functions of the project that a call runs. */
import type { CallExpression, Node, Signature, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findImplementation, findTarget } from "./functions.ts"

/**
 * Returns the functions of the project that a call may run: usually one; several if a value selects, as in
 * `answers[kind](c)`; none if they are not in the project, or known only at run time.
 */
export function findCallees(call: CallExpression, signature: Signature, program: TypeProgram): Node[] {
  const { declaration } = signature
  if (!declaration) return []
  const declared = program.isOwn(declaration.path) ? program.resolveNode(declaration) : undefined
  const target = findImplementation(declared)
  const callee = call.expression as SyntaxNode
  if (target && readName(target) !== undefined && readName(target) === readCalledName(callee)) return [target]
  if (target) return findUnionCallees(callee, program) ?? [target]
  // Only the type of the function is declared, as with a middleware.
  const isTyped = declared !== undefined || program.findFrameworkModule(declaration.path) === "types"
  return isTyped ? findValueCallees(callee, program) : []
}

/** Returns the name of the called function or method. */
export function readCalledName(callee: Node): string | undefined {
  const { name, text } = callee as SyntaxNode & { readonly text?: string }
  return name?.text ?? text
}

function readName(node: Node): string | undefined {
  return (node as SyntaxNode).name?.text
}

/** Returns the implementations of every member of a union of functions. */
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

/** Returns the functions in a value: the function of a constant, or all functions in an object. */
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
 * Returns the handlers and the middleware that are passed to a call by their names, as in `member(save)`. Functions
 * that are written inside the call are part of the call.
 *
 * @param path of the declaration of the called function: a function of the project may take functions of any kind.
 */
export function findPassedHandlers(call: CallExpression, path: string, program: TypeProgram): Node[] {
  return listPassedNames(call, path, program)
    .flatMap((argument) => findNamedFunctions(argument, program))
    .filter((made) => !program.isOwn(path) || takesContext(made, program))
}

/** Returns the arguments of a call that may be names of handlers and of middleware. @param path as for {@link findPassedHandlers}. */
export function listPassedNames(call: CallExpression, path: string, program: TypeProgram): Node[] {
  const { kinds } = program
  if (!program.isOwn(path) && program.findFrameworkModule(path) === null) return []
  return (call.arguments ?? []).filter(
    ({ kind }) => kind === kinds.Identifier || kind === kinds.PropertyAccessExpression,
  )
}

/** Returns true if the first parameter of a function is a context. */
function takesContext(node: Node, { checker }: TypeProgram): boolean {
  const [first] = (node as Node & { readonly parameters?: readonly (Node & { name: Node })[] }).parameters ?? []
  return first !== undefined && checker.getTypeAtLocation(first.name)?.getSymbol()?.name === "Context"
}

/** Returns the function that a name stands for, or the call that makes it; none for any other value. */
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
