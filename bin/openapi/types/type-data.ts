/** Creates unions of converted types, and patterns for texts. */
import type { TypeData } from "../document/model.ts"

/** Any JSON value. */
export const anyType: TypeData = { kind: "any" }
/** An object with any properties. */
export const anyObjectType: TypeData = { kind: "object", properties: [], values: anyType }
/** A value that JSON.stringify omits. */
export const nothingType: TypeData = { kind: "nothing" }

/** Returns a union. Nested unions are flattened and duplicates are removed. */
export function toUnion(types: readonly TypeData[]): TypeData {
  const [first] = types
  if (first && types.length === 1 && first.kind !== "union") return first
  const members = new Map<string, TypeData>()
  for (const type of types) {
    for (const part of type.kind === "union" ? type.members : [type]) {
      if (part.kind === "any") return part
      if (part.kind !== "never") members.set(JSON.stringify(part), part)
    }
  }
  const list = mergeBooleans([...members.values()])
  return list.length === 1
    ? (list[0] as TypeData)
    : list.length === 0
      ? { kind: "never" }
      : { kind: "union", members: list }
}

/** Replaces the literals true and false by boolean, if both occur. */
function mergeBooleans(members: TypeData[]): TypeData[] {
  const booleans = members.filter((part) => part.kind === "literal" && typeof part.value === "boolean")
  if (booleans.length < 2) return members
  const at = members.indexOf(booleans[0] as TypeData)
  return members
    .map((part, i): TypeData => (i === at ? { kind: "boolean" } : part))
    .filter((part) => !booleans.includes(part))
}

/** Returns true if JSON.stringify may omit a value of a type. */
export function mayBeNothing(type: TypeData): boolean {
  return type.kind === "union" && type.members.some(({ kind }) => kind === "nothing")
}

/** Removes undefined from a type, for an optional property. */
export function removeNothing(type: TypeData): TypeData {
  return type.kind === "union" && mayBeNothing(type)
    ? toUnion(type.members.filter(({ kind }) => kind !== "nothing"))
    : type
}

/** Returns a regular expression that matches exactly a text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
