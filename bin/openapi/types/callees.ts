/** The functions of the project that a call runs. */
import type { CallExpression, Node, Signature, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { implementationOf, targetOf } from "./functions.ts"

/**
 * Returns the functions of the project that a call may run: usually one; several if a value selects, as in
 * `answers[kind](c)`; none if they are not in the project, or known only at run time.
 */
export function calleesOf(call: CallExpression, signature: Signature, program: TypeProgram): Node[] {
  const { declaration } = signature
  if (!declaration) return []
  const declared = program.isOwn(declaration.path) ? program.resolve(declaration) : undefined
  const target = implementationOf(declared)
  const callee = call.expression as SyntaxNode
  if (target && nameOf(target) !== undefined && nameOf(target) === calledName(callee)) return [target]
  if (target) return ofUnion(callee, program) ?? [target]
  // Only its type is declared, like that of a middleware.
  const isTyped = declared !== undefined || program.frameworkModule(declaration.path) === "types"
  return isTyped ? ofValue(callee, program) : []
}

/** Returns the name of the called function or method. */
export function calledName(callee: Node): string | undefined {
  const { name, text } = callee as SyntaxNode & { readonly text?: string }
  return name?.text ?? text
}

function nameOf(node: Node): string | undefined {
  return (node as SyntaxNode).name?.text
}

/** Returns the implementations of every member of a union of functions. */
function ofUnion(callee: Node, program: TypeProgram): Node[] | undefined {
  const { checker } = program
  const type = checker.getTypeAtLocation(callee)
  if (!type?.isUnionType()) return undefined
  return type.getTypes().flatMap((part) => {
    const [signature] = checker.getSignaturesOfType(part, 0)
    const path = signature?.declaration?.path
    const own =
      path !== undefined && program.isOwn(path) ? program.resolve(signature?.declaration) : undefined
    return implementationOf(own) ?? []
  })
}

/** Returns the functions of a value: of a constant, or all functions in an object. */
function ofValue(callee: SyntaxNode, program: TypeProgram): Node[] {
  const { kinds } = program
  const isWrapped = callee.kind === kinds.NonNullExpression || callee.kind === kinds.ParenthesizedExpression
  if (isWrapped && callee.expression) return ofValue(callee.expression as SyntaxNode, program)
  if (callee.kind !== kinds.ElementAccessExpression) return functionAt(callee, program)
  const list = callee.expression && (targetOf(callee.expression, program) as SyntaxNode | undefined)
  if (list?.kind !== kinds.ObjectLiteralExpression) return []
  return (list.properties ?? []).flatMap((property) => {
    return property.kind === kinds.MethodDeclaration
      ? [property]
      : functionAt(property.initializer ?? property.name ?? property, program)
  })
}

/**
 * Returns the handlers and the middleware that are handed to a call by their names, as in `member(save)`. Those that
 * are written in the call are part of it.
 *
 * @param path of the declaration of the called function: a function of the project may take functions of any kind.
 */
export function handedTo(call: CallExpression, path: string, program: TypeProgram): Node[] {
  return namesHandedTo(call, path, program)
    .flatMap((argument) => functionAt(argument, program))
    .filter((made) => !program.isOwn(path) || takesContext(made, program))
}

/** Returns the arguments of a call that may be names of handlers and of middleware. @param path as for {@link handedTo}. */
export function namesHandedTo(call: CallExpression, path: string, program: TypeProgram): Node[] {
  const { kinds } = program
  if (!program.isOwn(path) && program.frameworkModule(path) === null) return []
  return (call.arguments ?? []).filter(
    ({ kind }) => kind === kinds.Identifier || kind === kinds.PropertyAccessExpression,
  )
}

/** Returns true if the first parameter of a function is a context. */
function takesContext(node: Node, { checker }: TypeProgram): boolean {
  const [first] =
    (node as Node & { readonly parameters?: readonly (Node & { name: Node })[] }).parameters ?? []
  return first !== undefined && checker.getTypeAtLocation(first.name)?.getSymbol()?.name === "Context"
}

/** Returns the function that a name stands for, or the call that makes it; none for any other value. */
function functionAt(node: Node, program: TypeProgram): Node[] {
  const { kinds } = program
  const functions = [
    kinds.ArrowFunction,
    kinds.FunctionExpression,
    kinds.FunctionDeclaration,
    kinds.MethodDeclaration,
    kinds.CallExpression,
  ]
  const target = targetOf(node, program)
  const made = target && (implementationOf(target) ?? target)
  return made && functions.includes(made.kind as never) ? [made] : []
}
