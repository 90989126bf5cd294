/** Unions of types as data, and patterns of texts. Used by `shapes.ts`, `members.ts` and whatever joins types. */
import type { TypeData } from "../../../lib/openapi/model.ts"

/** Anything that JSON holds. */
export const any: TypeData = { kind: "any" }
/** What JSON.stringify leaves out. */
export const nothing: TypeData = { kind: "nothing" }

/** One type of several, flat and without repetition. */
export function unionOf(types: readonly TypeData[]): TypeData {
  const members = new Map<string, TypeData>()
  for (const type of types) {
    for (const part of type.kind === "union" ? type.members : [type]) {
      if (part.kind === "any") return any
      if (part.kind !== "never") members.set(JSON.stringify(part), part)
    }
  }
  const list = booleans([...members.values()])
  return list.length === 1
    ? (list[0] as TypeData)
    : list.length === 0
      ? { kind: "never" }
      : { kind: "union", members: list }
}

/** True or false is a boolean, whatever stands between them. */
function booleans(members: TypeData[]): TypeData[] {
  const truth = members.filter((part) => part.kind === "literal" && typeof part.value === "boolean")
  if (truth.length < 2) return members
  const at = members.indexOf(truth[0] as TypeData)
  return members
    .map((part, i): TypeData => (i === at ? { kind: "boolean" } : part))
    .filter((part) => !truth.includes(part))
}

/** Whether a value may be one that JSON.stringify leaves out. */
export function hasNothing(type: TypeData): boolean {
  return type.kind === "union" && type.members.some(({ kind }) => kind === "nothing")
}

/** The type without undefined: a property that may be it is optional. */
export function without(type: TypeData): TypeData {
  return type.kind === "union" ? unionOf(type.members.filter(({ kind }) => kind !== "nothing")) : type
}

/** A text as a regular expression that matches it alone. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
