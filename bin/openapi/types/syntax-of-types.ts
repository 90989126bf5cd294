/** Tells whether a type is callable, an array, a tuple or part of a runtime, mostly from its declarations. */
import type { Node, Type, TypeProgram, TypeReference, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"

/** Whether a type may be callable and may have index signatures. */
export interface PossibleSignatures {
  readonly mayBeCallable: boolean
  readonly mayHaveIndex: boolean
}

const allSignatures: PossibleSignatures = { mayBeCallable: true, mayHaveIndex: true }
const noSignatures: PossibleSignatures = { mayBeCallable: false, mayHaveIndex: false }

/**
 * Returns whether a type may be callable, and whether it may have an index signature. The answer is no if the kind
 * of the type rules it out, or its only declaration in the project does not have one.
 */
export function findPossibleSignatures(type: Type, program: TypeProgram): PossibleSignatures {
  const { kinds, objectFlags } = program
  if (!type.isObjectType() || type.isIntersectionType()) return allSignatures
  // Mapped types, such as `Partial<User>` and `Pick<User, "id">`, are not callable in TypeScript.
  if (type.objectFlags & objectFlags.Mapped) return { mayBeCallable: false, mayHaveIndex: true }
  const [handle, ...more] = type.getSymbol()?.declarations ?? []
  if (!handle || more.length > 0 || !program.isOwn(handle.path)) return allSignatures
  const node = program.resolveNode(handle) as SyntaxNode | undefined
  if (node?.kind === kinds.ObjectLiteralExpression) {
    // A spread may add an index signature, and a computed name may be one.
    const isPlain = node.properties?.every(
      ({ kind, name }) => kind !== kinds.SpreadAssignment && name?.kind !== kinds.ComputedPropertyName,
    )
    return isPlain ? noSignatures : { mayBeCallable: false, mayHaveIndex: true }
  }
  const isWrittenOut = node?.kind === kinds.InterfaceDeclaration || node?.kind === kinds.TypeLiteral
  if (!isWrittenOut || (node.heritageClauses?.length ?? 0) > 0) return allSignatures
  const has = (...searchedKinds: readonly Node["kind"][]) =>
    node.members?.some(({ kind }) => searchedKinds.includes(kind)) ?? true
  return {
    mayBeCallable: has(kinds.CallSignature),
    mayHaveIndex: has(kinds.IndexSignature),
  }
}

export function isTuple(type: Type): type is TypeReference {
  return type.isTypeReference() && type.getTarget().isTupleType()
}

/** Returns true for the built-in array type. */
export function isArray(type: Type): type is TypeReference {
  const symbol = type.isTypeReference() ? type.getSymbol() : undefined
  return (symbol?.name === "Array" || symbol?.name === "ReadonlyArray") && isRuntimeSymbol(symbol)
}

/**
 * Returns true if the language or a runtime declares a symbol. Projects and packages may add members to it with
 * `declare global`. A type of their own with the same name has another symbol.
 */
export function isRuntimeSymbol({ declarations }: TypeSymbol): boolean {
  return declarations.some(({ path }) => isRuntimeFile(path))
}

/** Returns true for a file with declarations of the language or of a runtime. */
export function isRuntimeFile(path: string): boolean {
  return /(?:^|\/)lib\.[\w.]*d\.ts$|\/(?:@types\/(?:node|bun|deno|web)|undici-types|bun-types|@cloudflare\/workers-types|@typescript\/lib-[\w-]+)\//.test(
    path,
  )
}

/** Returns the type of the items of an interface or class that extends an array; undefined for other types. */
export function findItemType(type: Type, { checker }: TypeProgram): Type | undefined {
  const isList = checker.getPropertiesOfType(type).some(isArrayMethod)
  return isList ? checker.getIndexInfosOfType(type)[0]?.valueType : undefined
}

/** Returns true for a method that only arrays have. Other types with items do not have `concat`. */
function isArrayMethod(symbol: TypeSymbol): boolean {
  return symbol.name === "concat" && isRuntimeSymbol(symbol)
}
