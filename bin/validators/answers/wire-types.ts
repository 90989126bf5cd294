/** Types of answers as their JSON is: a value without JSON of its own becomes null in a list. */
import type { NamedType, TypeData } from "../../openapi/document/model.ts"
import { mapParts, resolveType } from "../../openapi/document/type-parts.ts"

/** A type without names and unions at its top. */
export type PlainType = Exclude<TypeData, { kind: "named" | "union" | "all" }>

/** Returns the type of the JSON of a value. */
export function toWireType(type: TypeData): TypeData {
  switch (type.kind) {
    case "nothing":
      return { kind: "null" }
    // JSON.stringify throws for a bigint, unless the program gives it a toJSON(). It makes no file of a file.
    case "bigint":
    case "binary":
      return { kind: "any" }
    default:
      return mapParts(type, toWireType)
  }
}

/** Returns the named types, each with the type of the JSON that its values become. */
export function toWireNamed(named: readonly NamedType[]): readonly NamedType[] {
  return named.map((one) => ({ ...one, type: toWireType(one.type) }))
}

/** Returns what some types stand for: the members of unions, each once. */
export function listPlainTypes(types: readonly TypeData[], named: ReadonlyMap<string, TypeData>): PlainType[] {
  const found = new Set<PlainType>()
  const all = new Set(types)
  // A set visits what is added meanwhile, and nothing twice.
  for (const type of all) {
    const plain = resolveType(type, named)
    if (plain.kind === "union") for (const member of plain.members) all.add(member)
    else if (plain.kind !== "named" && plain.kind !== "all") found.add(plain)
  }
  return [...found]
}
