/** Detects types that grow with every level, so that converting them would never end. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"

/** A type that is being converted, with the types around it. */
export interface TypeLevel {
  readonly type: Type
  /** The id of the symbol of its generic type or alias; if it has neither, the id of its own symbol. */
  readonly of: number | undefined
  /** The number of types without a name around it, counted up to the nearest type with a name. */
  readonly nested: number
  readonly up: TypeLevel | undefined
}

/** The most instances of one generic type inside each other that may each be larger than the one around it. */
const maxGrowingInstances = 4
/** Deepest nesting of types without a name. */
const maxNesting = 60
/** Deepest nesting of instances of one type without a name and type arguments. */
const maxAlikeNesting = 24
/** `NodeBuilderFlags.NoTruncation` */
const noTruncation = 1

/**
 * Returns the level of a type.
 *
 * @param isComponent true if it begins its own component.
 */
export function createLevel(type: Type, up: TypeLevel | undefined, isComponent: boolean): TypeLevel {
  const of = (type.getAliasSymbol() ?? type.getSymbol())?.id
  return { type, of, nested: isComponent ? 0 : (up?.nested ?? 0) + 1, up }
}

/**
 * Returns true if a type and the types around it grow without end: they are instances of one symbol, with ever longer
 * arguments.
 */
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

/** Returns the amount of nesting in the arguments of a type. */
function measureNesting(type: Type, { checker }: TypeProgram): number {
  return checker.typeToString(type, undefined, noTruncation).match(/[<[{(]/g)?.length ?? 0
}
