/** Facts that the syntax of a type shows without asking the checker. */
import type { Node, Type, TypeProgram, TypeReference, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"

/** What a type may have besides properties. */
export interface PossibleSignatures {
  readonly signatures: boolean
  readonly index: boolean
}

const allSignatures: PossibleSignatures = { signatures: true, index: true }
const noSignatures: PossibleSignatures = { signatures: false, index: false }

/**
 * Returns whether a type may be callable, and whether it may have an index signature. The answer is false if the kind
 * of the type shows that it has none, or its only declaration does, in the project's source.
 */
export function findPossibleSignatures(type: Type, program: TypeProgram): PossibleSignatures {
  const { kinds, objectFlags } = program
  if (!type.isObjectType() || type.isIntersectionType()) return allSignatures
  // `Partial<User>`, `Pick<User, "id">` and other mapped types have no signatures (TypeScript gives them none).
  if (type.objectFlags & objectFlags.Mapped) return { signatures: false, index: true }
  const [handle, ...more] = type.getSymbol()?.declarations ?? []
  if (!handle || more.length > 0 || !program.isOwn(handle.path)) return allSignatures
  const node = program.resolveNode(handle) as SyntaxNode | undefined
  if (node?.kind === kinds.ObjectLiteralExpression) {
    // A spread may add an index signature, and a computed name may be one.
    const isPlain = node.properties?.every(
      ({ kind, name }) => kind !== kinds.SpreadAssignment && name?.kind !== kinds.ComputedPropertyName,
    )
    return isPlain ? noSignatures : { signatures: false, index: true }
  }
  const isShown = node?.kind === kinds.InterfaceDeclaration || node?.kind === kinds.TypeLiteral
  if (!isShown || (node.heritageClauses?.length ?? 0) > 0) return allSignatures
  const has = (...wanted: readonly Node["kind"][]) => node.members?.some(({ kind }) => wanted.includes(kind)) ?? true
  return {
    signatures: has(kinds.CallSignature),
    index: has(kinds.IndexSignature),
  }
}

/** Returns true for a tuple. */
export function isTuple(type: Type): type is TypeReference {
  return type.isTypeReference() && type.getTarget().isTupleType()
}

/** Returns true for an array of the language. */
export function isArray(type: Type): type is TypeReference {
  const symbol = type.isTypeReference() ? type.getSymbol() : undefined
  return (symbol?.name === "Array" || symbol?.name === "ReadonlyArray") && isRuntimeSymbol(symbol)
}

/**
 * Returns true if the language or a runtime declares a symbol. Projects and packages may add members to it, by
 * `declare global`. A type of their own with the same name is another symbol.
 */
export function isRuntimeSymbol({ declarations }: TypeSymbol): boolean {
  return declarations.some(({ path }) => isRuntimeFile(path))
}

/** Returns true if a file declares the language or a runtime. */
export function isRuntimeFile(path: string): boolean {
  return /(?:^|\/)lib\.[\w.]*d\.ts$|\/(?:@types\/(?:node|bun|deno|web)|undici-types|bun-types|@cloudflare\/workers-types|@typescript\/lib-[\w-]+)\//.test(
    path,
  )
}

/** Returns the type of the items of an interface or a class that extends an array; undefined for others. */
export function findItemType(type: Type, { checker }: TypeProgram): Type | undefined {
  const isList = checker.getPropertiesOfType(type).some(isArrayMethod)
  return isList ? checker.getIndexInfosOfType(type)[0]?.valueType : undefined
}

/** Returns true for a method that only arrays have. Other types with items cannot be joined. */
function isArrayMethod(symbol: TypeSymbol): boolean {
  return symbol.name === "concat" && isRuntimeSymbol(symbol)
}
