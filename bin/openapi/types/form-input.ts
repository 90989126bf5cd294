/** Types of forms and queries: fields with texts, files, and lists of them. */
import type { Place, PropertyData, TypeData } from "../../../lib/openapi/model.ts"
import { resolved, withParts } from "../../../lib/openapi/type-parts.ts"
import { unionOf } from "./type-data.ts"

type Types = ReadonlyMap<string, TypeData>

/** Returns the type of a form or a query, with the values of fields that are not sent. */
export function formInput(type: TypeData, types: Types, at: Place): TypeData {
  const plain = resolved(type, types)
  if (plain.kind === "any") return plain
  if (plain.kind === "union")
    return { ...plain, members: plain.members.map((member) => formInput(member, types, at)) }
  if (plain.kind !== "object") return refused("a form or a query is an object with fields", at)
  const { properties, values, patterns } = plain
  const part = (name: string, inner: TypeData) => fieldType(name, inner, types, at)
  return {
    kind: "object",
    properties: properties.map((one) => withoutField({ ...one, type: part(one.name, one.type) }, types)),
    ...(values && { values: part("", values) }),
    ...(patterns && { patterns: patterns.map((one) => ({ ...one, type: part("", one.type) })) }),
  }
}

/** A checkbox that is not checked sends nothing, and neither does a list without items. */
function withoutField(property: PropertyData, types: Types): PropertyData {
  if (property.optional || property.default) return property
  const type = resolved(property.type, types)
  const has = (kind: TypeData["kind"]) =>
    type.kind === kind || (type.kind === "union" && type.members.some((member) => member.kind === kind))
  const filled = has("null") ? null : has("boolean") ? false : has("array") ? [] : undefined
  return filled === undefined ? property : { ...property, optional: true, default: { value: filled } }
}

function fieldType(name: string, type: TypeData, types: Types, at: Place): TypeData {
  if (type.kind === "all") return withParts(type, (part) => fieldType(name, part, types, at))
  const plain = resolved(type, types)
  if (plain.kind === "array") {
    const items = fieldType(name, plain.items, types, at)
    const isFlat = (item: TypeData) => resolved(item, types).kind !== "array"
    const all = items.kind === "union" ? items.members : [items]
    return all.every(isFlat) ? { kind: "array", items } : nested(name, at)
  }
  if (plain.kind === "union")
    return unionOf(plain.members.map((member) => fieldType(name, member, types, at)))
  return plain.kind === "object" || plain.kind === "tuple" ? nested(name, at) : plain
}

function nested(name: string, at: Place): TypeData {
  const subject = name === "" ? "a field" : `the field "${name}"`
  return refused(`${subject} of a form or a query has nested values, and only JSON can contain them`, at)
}

function refused(message: string, at: Place): TypeData {
  const fix = "Use texts, numbers, booleans, dates, files and lists of them, or read JSON with c.bind<T>()."
  return { kind: "any", refused: { message, fix, at } }
}
