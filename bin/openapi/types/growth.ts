/** Detects types that contain ever larger types, so that converting them would never end. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"

/** A type that is being converted, with the types around it. */
export interface TypeLevel {
  readonly type: Type
  /** The id of the generic type's or alias's symbol, otherwise that of the type's own symbol. */
  readonly of: number | undefined
  /** The number of unnamed types around it, up to the nearest named type. */
  readonly nested: number
  readonly up: TypeLevel | undefined
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
export function createLevel(type: Type, up: TypeLevel | undefined, isComponent: boolean): TypeLevel {
  const of = (type.getAliasSymbol() ?? type.getSymbol())?.id
  return { type, of, nested: isComponent ? 0 : (up?.nested ?? 0) + 1, up }
}

/** Returns true if nested instances of one symbol have ever longer arguments, so that they would never end. */
export function growsEndlessly(level: TypeLevel, program: TypeProgram): boolean {
  if (level.nested > maxNesting) return true
  if (level.of === undefined) return false
  const sameSymbolTypes: Type[] = []
  for (let at: TypeLevel | undefined = level; at; at = at.up) if (at.of === level.of) sameSymbolTypes.push(at.type)
  if (sameSymbolTypes.length <= maxGrowingInstances) return false
  if (!hasArguments(level.type, program)) return sameSymbolTypes.length > maxAlikeNesting
  const weights = sameSymbolTypes.slice(0, maxGrowingInstances + 1).map((type) => measureNesting(type, program))
  return weights.every((own, i) => i === 0 || own < (weights[i - 1] as number))
}

function hasArguments(type: Type, { checker }: TypeProgram): boolean {
  if ((type.getAliasTypeArguments() ?? []).length > 0) return true
  return type.isTypeReference() && checker.getTypeArguments(type).length > 0
}

/** Returns how much nesting the arguments of a type contain. */
function measureNesting(type: Type, { checker }: TypeProgram): number {
  return checker.typeToString(type, undefined, noTruncation).match(/[<[{(]/g)?.length ?? 0
}
