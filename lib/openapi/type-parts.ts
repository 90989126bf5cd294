/** The types inside a type. */
import type { NamedType, TypeData } from "./model.ts"

/** Returns the types directly inside a type; none for a named one. */
export function partsOf(type: TypeData): readonly TypeData[] {
  if (type.kind === "array") return [type.items]
  if (type.kind === "union") return type.members
  if (type.kind === "tuple")
    return [...type.items.map(({ type }) => type), ...(type.rest ? [type.rest] : []), ...(type.tail ?? [])]
  if (type.kind !== "object") return []
  const { properties, values, patterns = [] } = type
  return [...properties, ...patterns].map(({ type }) => type).concat(values ?? [])
}

/** Calls a function for a type and every type in it, each named one once. @param seen ids of the named types so far. */
export function eachPart(
  root: TypeData,
  types: ReadonlyMap<string, TypeData>,
  visit: (type: TypeData) => void,
  seen = new Set<string>(),
): void {
  const waiting = [root]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    visit(next)
    if (next.kind !== "named") waiting.push(...partsOf(next))
    else if (!seen.has(next.id)) {
      seen.add(next.id)
      const meant = types.get(next.id)
      if (meant) waiting.push(meant)
    }
  }
}

/** Returns the type that a name stands for, also by way of other names; any other type as it is. */
export function resolved(type: TypeData, types: ReadonlyMap<string, TypeData>): TypeData {
  let meant = type
  for (let steps = 0; meant.kind === "named" && steps < 100; steps++)
    meant = types.get(meant.id) ?? { kind: "any" }
  return meant
}

/** Returns types by their id. */
export function byID(named: readonly NamedType[]): ReadonlyMap<string, TypeData> {
  return new Map(named.map(({ id, type }) => [id, type]))
}
