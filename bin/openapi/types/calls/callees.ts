/** Finds the functions of the project that a call runs or passes on. */
import type { CallExpression, Node, Signature, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findImplementation, findTarget } from "./functions.ts"

/**
 * Returns the function of the project that a call runs; undefined if it is outside the project or known only at run
 * time.
 */
export function findCallee(call: CallExpression, { declaration }: Signature, program: TypeProgram): Node | undefined {
  if (!declaration) return undefined
  const declared = program.isOwn(declaration.path) ? program.resolveNode(declaration) : undefined
  const target = findImplementation(declared)
  if (target) return target
  // The declaration is only the type of the function, as for a middleware.
  const isTyped = declared !== undefined || program.findFrameworkModule(declaration.path) === "types"
  return isTyped ? findNamedFunction(call.expression, program) : undefined
}

export function readCalledName(callee: Node): string | undefined {
  const { name, text } = callee as SyntaxNode
  return name?.text ?? text
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
    .flatMap((argument) => findNamedFunction(argument, program) ?? [])
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
  const [first] = (node as SyntaxNode).parameters ?? []
  return first?.name !== undefined && checker.getTypeAtLocation(first.name)?.getSymbol()?.name === "Context"
}

/** Returns the function that a name stands for, or the call that creates it; undefined for any other value. */
function findNamedFunction(node: Node, program: TypeProgram): Node | undefined {
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
  return functionNode && functions.includes(functionNode.kind as never) ? functionNode : undefined
}
