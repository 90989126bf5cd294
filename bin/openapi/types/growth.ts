/** Detects types that contain ever larger types, so that converting them would never end. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"

/** A type that is being converted, with the types around it. */
export interface TypeLevel {
  readonly type: Type
  /** The id of the symbol of its alias, otherwise of its own symbol. */
  readonly symbolID: number | undefined
  /** The number of unnamed types around it, up to the nearest named type. */
  readonly depth: number
  readonly parent: TypeLevel | undefined
}

/** How many instances of a generic type may be nested if each one is larger than the one around it. */
const maxGrowingInstances = 4
/** How deeply unnamed types may be nested. */
const maxNesting = 60
/** How deeply instances of one unnamed type without type arguments may be nested. */
const maxAlikeNesting = 24
/** TypeScript's flag `NodeBuilderFlags.NoTruncation`, with which it prints long types completely. */
const noTruncation = 1

/**
 * Returns the level of a type.
 *
 * @param isComponent true if the type becomes a component of its own, so that nesting starts again.
 */
export function createLevel(type: Type, parent: TypeLevel | undefined, isComponent: boolean): TypeLevel {
  const symbolID = (type.getAliasSymbol() ?? type.getSymbol())?.id
  return { type, symbolID, depth: isComponent ? 0 : (parent?.depth ?? 0) + 1, parent }
}

/**
 * Returns true if converting a type would probably never end: it is nested too deeply, or the arguments of nested
 * instances of one symbol get ever longer.
 */
export function growsEndlessly(level: TypeLevel, program: TypeProgram): boolean {
  if (level.depth > maxNesting) return true
  if (level.symbolID === undefined) return false
  const sameSymbolTypes: Type[] = []
  for (let at: TypeLevel | undefined = level; at; at = at.parent)
    if (at.symbolID === level.symbolID) sameSymbolTypes.push(at.type)
  if (sameSymbolTypes.length <= maxGrowingInstances) return false
  if (!hasArguments(level.type, program)) return sameSymbolTypes.length > maxAlikeNesting
  const bracketCounts = sameSymbolTypes.slice(0, maxGrowingInstances + 1).map((type) => countBrackets(type, program))
  return bracketCounts.every((own, i) => i === 0 || own < (bracketCounts[i - 1] as number))
}

function hasArguments(type: Type, { checker }: TypeProgram): boolean {
  if ((type.getAliasTypeArguments() ?? []).length > 0) return true
  return type.isTypeReference() && checker.getTypeArguments(type).length > 0
}

/** Returns the number of opening brackets in a type, which tells how much is nested in its arguments. */
function countBrackets(type: Type, { checker }: TypeProgram): number {
  return checker.typeToString(type, undefined, noTruncation).match(/[<[{(]/g)?.length ?? 0
}
