/** Visits and converts the types inside a type. */
import type { NamedType, TypeData } from "./model.ts"

/** Returns the types directly inside a type. A named type has none. */
export function listParts(type: TypeData): readonly TypeData[] {
  if (type.kind === "array") return [type.items]
  if (type.kind === "union" || type.kind === "all") return type.members
  if (type.kind === "tuple")
    return [...type.items.map(({ type }) => type), ...(type.rest ? [type.rest] : []), ...(type.tail ?? [])]
  if (type.kind !== "object") return []
  const { properties, values, patterns = [] } = type
  return [...properties, ...patterns].map(({ type }) => type).concat(values ?? [])
}

/** Returns a copy of a type in which every type directly inside it is converted. */
export function mapParts(type: TypeData, convert: (part: TypeData) => TypeData): TypeData {
  const part = <Part extends { readonly type: TypeData }>(one: Part): Part => ({
    ...one,
    type: convert(one.type),
  })
  switch (type.kind) {
    case "array":
      return { ...type, items: convert(type.items) }
    case "union":
    case "all":
      return { ...type, members: type.members.map((member) => convert(member)) }
    case "tuple": {
      const { items, rest, tail } = type
      return {
        ...type,
        items: items.map(part),
        ...(rest && { rest: convert(rest) }),
        ...(tail && { tail: tail.map((item) => convert(item)) }),
      }
    }
    case "object": {
      const { properties, values, patterns } = type
      return {
        ...type,
        properties: properties.map(part),
        ...(values && { values: convert(values) }),
        ...(patterns && { patterns: patterns.map(part) }),
      }
    }
    default:
      return type
  }
}

/**
 * Calls a function for a type and all types inside it. Each named type is visited once.
 *
 * @param visitedIDs the ids of the named types that were visited.
 */
export function visitParts(
  root: TypeData,
  types: ReadonlyMap<string, TypeData>,
  visit: (type: TypeData) => void,
  visitedIDs = new Set<string>(),
): void {
  const queue = [root]
  for (let next = queue.pop(); next; next = queue.pop()) {
    visit(next)
    if (next.kind !== "named") queue.push(...listParts(next))
    else if (!visitedIDs.has(next.id)) {
      visitedIDs.add(next.id)
      const namedType = types.get(next.id)
      if (namedType) queue.push(namedType)
    }
  }
}

/**
 * Follows names, and takes the first member of an intersection, until the type is neither. Limits in comments are lost.
 */
export function resolveType(type: TypeData, types: ReadonlyMap<string, TypeData>): TypeData {
  let target = type
  for (let steps = 0; (target.kind === "named" || target.kind === "all") && steps < 100; steps++)
    target = (target.kind === "all" ? target.members[0] : types.get(target.id)) ?? { kind: "any" }
  return target
}

/** Returns types by their id. */
export function indexByID(named: readonly NamedType[]): ReadonlyMap<string, TypeData> {
  return new Map(named.map(({ id, type }) => [id, type]))
}
