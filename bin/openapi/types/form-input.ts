/** Converts types of forms and queries, which consist of texts, files and lists of these. */
import type { PropertyData, SourceLocation, TypeData } from "../document/model.ts"
import { mapParts, resolveType } from "../document/type-parts.ts"
import { toUnion } from "./type-data.ts"

type TypesByID = ReadonlyMap<string, TypeData>

/** Returns the type of a form or query. Fields that may be missing in a form get a default. */
export function toFormInput(type: TypeData, types: TypesByID, at: SourceLocation): TypeData {
  const plain = resolveType(type, types)
  if (plain.kind === "any") return plain
  if (plain.kind === "union")
    return { ...plain, members: plain.members.map((member) => toFormInput(member, types, at)) }
  if (plain.kind !== "object") return refuse("a form or a query is an object with fields", at)
  const { properties, values, patterns } = plain
  const convert = (name: string, inner: TypeData) => toFieldType(name, inner, types, at)
  return {
    kind: "object",
    properties: properties.map((one) => addMissingValue({ ...one, type: convert(one.name, one.type) }, types)),
    ...(values && { values: convert("", values) }),
    ...(patterns && { patterns: patterns.map((one) => ({ ...one, type: convert("", one.type) })) }),
  }
}

/** Adds the default of a field: a form sends nothing for an unchecked checkbox or an empty list. */
function addMissingValue(property: PropertyData, types: TypesByID): PropertyData {
  if (property.optional || property.default) return property
  const type = resolveType(property.type, types)
  const hasKind = (kind: TypeData["kind"]) =>
    type.kind === kind || (type.kind === "union" && type.members.some((member) => member.kind === kind))
  const missingValue = hasKind("null") ? null : hasKind("boolean") ? false : hasKind("array") ? [] : undefined
  return missingValue === undefined ? property : { ...property, optional: true, default: { value: missingValue } }
}

function toFieldType(name: string, type: TypeData, types: TypesByID, at: SourceLocation): TypeData {
  if (type.kind === "all") return mapParts(type, (part) => toFieldType(name, part, types, at))
  const plain = resolveType(type, types)
  if (plain.kind === "array") {
    const items = toFieldType(name, plain.items, types, at)
    const isFlat = (item: TypeData) => resolveType(item, types).kind !== "array"
    const all = items.kind === "union" ? items.members : [items]
    return all.every(isFlat) ? { kind: "array", items } : refuseNested(name, at)
  }
  if (plain.kind === "union") return toUnion(plain.members.map((member) => toFieldType(name, member, types, at)))
  return plain.kind === "object" || plain.kind === "tuple" ? refuseNested(name, at) : plain
}

function refuseNested(name: string, at: SourceLocation): TypeData {
  const subject = name === "" ? "a field" : `the field "${name}"`
  return refuse(`${subject} of a form or a query has nested values, and only JSON can contain them`, at)
}

function refuse(message: string, at: SourceLocation): TypeData {
  const fix = "Use texts, numbers, booleans, dates, files and lists of them, or read JSON with c.bind<T>()."
  return { kind: "any", problem: { message, fix, at } }
}
