/** Types that become another one with every level, which would never end. Called by `shapes.ts`. */
import type { Type, TypeProgram } from "../../tools/typescript/program.ts"

/** A type that is being made, below those that it stands in. */
export interface Level {
  readonly type: Type
  /** The generic type or alias that it is an instance of, by the id of its symbol; else its own symbol. */
  readonly of: number | undefined
  /** How many types without a name stand around it, up to the nearest one with a name. */
  readonly nested: number
  readonly up: Level | undefined
}

/** So many instances of one generic type within each other may grow. */
const mostGrown = 4
/** Types without a name nest no deeper. */
const mostNested = 60
/** Instances of one type without a name and without type arguments nest no deeper. */
const mostAlike = 24
/** `NodeBuilderFlags.NoTruncation` */
const noTruncation = 1

/** The level of a type. @param named whether it begins a component of its own. */
export function levelOf(type: Type, up: Level | undefined, named: boolean): Level {
  const of = (type.getAliasSymbol() ?? type.getSymbol())?.id
  return { type, of, nested: named ? 0 : (up?.nested ?? 0) + 1, up }
}

/** Whether a type and those around it grow without end: instances of one symbol whose arguments become longer. */
export function grows(level: Level, program: TypeProgram): boolean {
  if (level.nested > mostNested) return true
  if (level.of === undefined) return false
  const alike: Type[] = []
  for (let at: Level | undefined = level; at; at = at.up) if (at.of === level.of) alike.push(at.type)
  if (alike.length <= mostGrown) return false
  if (!hasArguments(level.type, program)) return alike.length > mostAlike
  const weights = alike.slice(0, mostGrown + 1).map((type) => weight(type, program))
  return weights.every((own, i) => i === 0 || own < (weights[i - 1] as number))
}

function hasArguments(type: Type, { checker }: TypeProgram): boolean {
  if ((type.getAliasTypeArguments() ?? []).length > 0) return true
  return type.isTypeReference() && checker.getTypeArguments(type).length > 0
}

/** How much is nested in the arguments of a type. */
function weight(type: Type, { checker }: TypeProgram): number {
  return checker.typeToString(type, undefined, noTruncation).match(/[<[{(]/g)?.length ?? 0
}
