/** Tells whether a type is an array, a tuple or part of a runtime. */
import type { Type, TypeProgram, TypeReference, TypeSymbol } from "../../tools/typescript/program.ts"

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
