/** Types of answers as their JSON is: a value without JSON of its own becomes null in a list. */
import type { NamedType, TypeData } from "../../../lib/openapi/model.ts"
import { resolved } from "../../../lib/openapi/type-parts.ts"

/** A type without names and unions at its top. */
export type PlainType = Exclude<TypeData, { kind: "named" | "union" }>

/** Returns the type of the JSON of a value. */
export function wireType(type: TypeData): TypeData {
  switch (type.kind) {
    case "nothing":
      return { kind: "null" }
    // JSON.stringify throws for a bigint, unless the program gives it a toJSON(). It makes no file of a file.
    case "bigint":
    case "binary":
      return { kind: "any" }
    case "array":
      return { ...type, items: wireType(type.items) }
    case "union":
      return { ...type, members: type.members.map(wireType) }
    case "tuple": {
      const { items, rest, tail } = type
      return {
        ...type,
        items: items.map((item) => ({ ...item, type: wireType(item.type) })),
        ...(rest && { rest: wireType(rest) }),
        ...(tail && { tail: tail.map(wireType) }),
      }
    }
    case "object": {
      const { properties, values, patterns } = type
      return {
        ...type,
        properties: properties.map((property) => ({ ...property, type: wireType(property.type) })),
        ...(values && { values: wireType(values) }),
        ...(patterns && { patterns: patterns.map((one) => ({ ...one, type: wireType(one.type) })) }),
      }
    }
    default:
      return type
  }
}

/** Returns named types with the JSON of their values. */
export function wireNamed(named: readonly NamedType[]): readonly NamedType[] {
  return named.map((one) => ({ ...one, type: wireType(one.type) }))
}

/** Returns what some types stand for: the members of unions, each once. */
export function plainTypes(types: readonly TypeData[], named: ReadonlyMap<string, TypeData>): PlainType[] {
  const found = new Set<PlainType>()
  const all = new Set(types)
  // A set visits what is added meanwhile, and nothing twice.
  for (const type of all) {
    const plain = resolved(type, named)
    if (plain.kind === "union") for (const member of plain.members) all.add(member)
    else if (plain.kind !== "named") found.add(plain)
  }
  return [...found]
}
