/** What the syntax of a type tells without a question to the checker. Called by `shapes.ts` and `members.ts`. */
import type { Node, Type, TypeProgram, TypeReference, TypeSymbol } from "../../tools/typescript/program.ts"

type Parts = Node & {
  readonly members?: readonly Parts[]
  readonly properties?: readonly Parts[]
  readonly heritageClauses?: readonly Node[]
  readonly name?: Node
}

/** What a type may have beside its properties. */
export interface Extras {
  readonly signatures: boolean
  readonly index: boolean
}

const both: Extras = { signatures: true, index: true }
const none: Extras = { signatures: false, index: false }

/**
 * Whether a type may be called, and whether it may have an index signature: false where its only declaration, in the
 * project's own source, shows that it has none.
 */
export function extrasOf(type: Type, program: TypeProgram): Extras {
  const { kinds } = program
  if (!type.isObjectType() || type.isIntersectionType()) return both
  const [handle, ...more] = type.getSymbol()?.declarations ?? []
  if (!handle || more.length > 0 || !program.isOwn(handle.path)) return both
  const node = program.resolve(handle) as Parts | undefined
  if (node?.kind === kinds.ObjectLiteralExpression) {
    // A spread may bring an index signature, a computed name may be one.
    const isPlain = node.properties?.every(
      ({ kind, name }) => kind !== kinds.SpreadAssignment && name?.kind !== kinds.ComputedPropertyName,
    )
    return isPlain ? none : { signatures: false, index: true }
  }
  const isShown = node?.kind === kinds.InterfaceDeclaration || node?.kind === kinds.TypeLiteral
  if (!isShown || (node.heritageClauses?.length ?? 0) > 0) return both
  const has = (...wanted: readonly Node["kind"][]) =>
    node.members?.some(({ kind }) => wanted.includes(kind)) ?? true
  return {
    signatures: has(kinds.CallSignature),
    index: has(kinds.IndexSignature),
  }
}

/** Whether a type is a tuple. */
export function isTuple(type: Type): type is TypeReference {
  return type.isTypeReference() && type.getTarget().isTupleType()
}

/** Whether a type is an array, of the language's own. */
export function isArray(type: Type): type is TypeReference {
  const symbol = type.isTypeReference() ? type.getSymbol() : undefined
  return (symbol?.name === "Array" || symbol?.name === "ReadonlyArray") && isOfRuntime(symbol)
}

/** Whether a symbol is declared by the language or a runtime alone. */
export function isOfRuntime({ declarations }: TypeSymbol): boolean {
  return declarations.length > 0 && declarations.every(({ path }) => isRuntime(path))
}

/** Whether a file declares the language or a runtime. */
export function isRuntime(path: string): boolean {
  return /(?:^|\/)lib\.[\w.]*d\.ts$|\/@types\/(?:node|bun|deno)\//.test(path)
}
