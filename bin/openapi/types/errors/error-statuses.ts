/**
 * Finds the statuses of errors: in the type argument of `HttpError`, otherwise in the arguments of constructors.
 */
import { isTypeName } from "../../../system/framework-files.ts"
import type { Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { listNumbers } from "../literal-types.ts"

/** Statuses; null stands for a status that is computed at run time. */
export type Statuses = readonly (number | null)[]

/** The arguments of a constructor; undefined for an argument that is known only where the class is used. */
type ConstructorArguments = readonly (Node | undefined)[]

/** Returns true for fw's own class HttpError. */
function isFrameworkError(type: Type, program: TypeProgram): boolean {
  const symbol = type.getSymbol()
  return isTypeName(symbol?.name, "HttpError") && !symbol?.declarations.some(({ path }) => program.isOwn(path))
}

/** Returns the base classes of a class. Those of a generic class contain its type parameters. */
function listBases(type: Type, { checker }: TypeProgram): readonly Type[] {
  const declared = type.isTypeReference() ? type.getTarget() : type
  return declared.isClassOrInterface() ? checker.getBaseTypes(declared) : []
}

/**
 * Returns the statuses of an HttpError or a subclass; undefined for any other type.
 *
 * @param creation the expression that creates the error. Its arguments may contain the status.
 */
export function readErrorStatuses(type: Type, program: TypeProgram, creation?: Node): Statuses | undefined {
  const { checker } = program
  const symbol = type.getSymbol()
  if (!symbol || !(symbol.flags & program.symbolFlags.Class)) return undefined
  if (isFrameworkError(type, program)) {
    const [status] = type.isTypeReference() ? checker.getTypeArguments(type) : []
    return (status && listNumbers(status, program)) ?? [null]
  }
  for (const base of listBases(type, program)) {
    const statuses = readErrorStatuses(base, program)
    if (!statuses?.includes(null)) {
      if (statuses) return statuses
      continue
    }
    const status = findStatusArgument(type, program, creation)
    const given = status && checker.getTypeAtLocation(status)
    return (given && listNumbers(given, program)) ?? statuses
  }
  return undefined
}

/**
 * Returns the expression with the status of an error, as far as the constructors tell.
 *
 * @param creation the expression that creates the error.
 */
export function findStatusArgument(type: Type, program: TypeProgram, creation?: Node): Node | undefined {
  const call = creation && findCreation(creation, program)
  return findConstructorStatus(type, call?.arguments ?? [], call !== undefined, program)
}

/** Returns the expression `new Gone()`, also if it is in a constant. */
function findCreation(node: Node, program: TypeProgram): SyntaxNode | undefined {
  const { kinds, checker } = program
  if (node.kind === kinds.NewExpression) return node as SyntaxNode
  if (node.kind !== kinds.Identifier) return undefined
  const declared = program.resolveNode(checker.getSymbolAtLocation(node)?.valueDeclaration) as SyntaxNode | undefined
  const { initializer } = declared ?? {}
  return declared?.kind === kinds.VariableDeclaration && initializer?.kind === kinds.NewExpression
    ? (initializer as SyntaxNode)
    : undefined
}

/** Returns the status that the constructor of a class passes to its base class. */
function findConstructorStatus(
  type: Type,
  given: ConstructorArguments,
  isCalled: boolean,
  program: TypeProgram,
): Node | undefined {
  const { kinds } = program
  if (isFrameworkError(type, program)) return given[0]
  const [base] = listBases(type, program)
  const [handle] = type.getSymbol()?.declarations ?? []
  const declared =
    handle && program.isOwn(handle.path) ? (program.resolveNode(handle) as SyntaxNode | undefined) : undefined
  if (!base || !declared) return undefined
  const constructorNode = declared.members?.find(
    ({ kind, body }: SyntaxNode) => kind === kinds.Constructor && body !== undefined,
  ) as SyntaxNode | undefined
  if (!constructorNode) return findConstructorStatus(base, given, isCalled, program)
  const call = findSuperCall(constructorNode.body as Node, program)
  const passedArguments = call?.arguments?.map((argument) => {
    const at = constructorNode.parameters?.findIndex(({ name }) => name?.getText() === argument.getText()) ?? -1
    if (at < 0) return argument
    const defaultNode = isCalled ? constructorNode.parameters?.[at]?.initializer : undefined
    return given[at] ?? defaultNode ?? argument
  })
  return passedArguments && findConstructorStatus(base, passedArguments, isCalled, program)
}

function findSuperCall(node: Node, program: TypeProgram): SyntaxNode | undefined {
  const { kinds } = program
  const { expression } = node as SyntaxNode
  if (node.kind === kinds.CallExpression && expression?.kind === kinds.SuperKeyword) return node as SyntaxNode
  return node.forEachChild((child) => findSuperCall(child, program))
}
