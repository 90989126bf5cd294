/** Converts types of answers to the types of their JSON. For example, undefined in a list becomes null. */
import type { NamedType, TypeData } from "../../openapi/document/model.ts"
import { mapParts, resolveType } from "../../openapi/document/type-parts.ts"

/** A type that is not a name, union or intersection. */
export type PlainType = Exclude<TypeData, { kind: "named" | "union" | "all" }>

/** Returns the type of the JSON of a value. */
export function toWireType(type: TypeData): TypeData {
  switch (type.kind) {
    case "nothing":
      return { kind: "null" }
    // The JSON is not known: JSON.stringify throws for a bigint unless the program defines toJSON(), and a file
    // does not become a file.
    case "bigint":
    case "binary":
      return { kind: "any" }
    default:
      return mapParts(type, toWireType)
  }
}

/** Returns the named types, each converted to the type of its JSON. */
export function toWireNamed(named: readonly NamedType[]): readonly NamedType[] {
  return named.map((one) => ({ ...one, type: toWireType(one.type) }))
}

/** Resolves names, and returns the members of unions without duplicates. */
export function listPlainTypes(types: readonly TypeData[], named: ReadonlyMap<string, TypeData>): PlainType[] {
  const found = new Set<PlainType>()
  const all = new Set(types)
  // The loop over the set also visits members that are added during the loop.
  for (const type of all) {
    const plain = resolveType(type, named)
    if (plain.kind === "union") for (const member of plain.members) all.add(member)
    else if (plain.kind !== "named" && plain.kind !== "all") found.add(plain)
  }
  return [...found]
}
