/** Checks of types of requests that are only possible when every named type was read. */
import { annotationsIn } from "../../../lib/openapi/constraints.ts"
import type { Notice, Place, PropertyData, TypeData, TypeProblem } from "../../../lib/openapi/model.ts"
import { eachPart, resolved } from "../../../lib/openapi/type-parts.ts"
import { tagProblems } from "./tag-checks.ts"

/** A part of a request that a type describes. */
export type InputFrom = "json" | "form" | "query"

type AllData = Extract<TypeData, { kind: "all" }>
type Types = ReadonlyMap<string, TypeData>

/** Returns why a type cannot be checked: none if it can. @param at the place for what has no place of its own. */
export function problemsIn(root: TypeData, from: InputFrom, types: Types, at: Place): TypeProblem[] {
  const found: TypeProblem[] = []
  const plain = resolved(root, types)
  if (plain.kind === "never" || plain.kind === "nothing")
    found.push({ message: "no request has this type", fix: "Use the type of the data.", at })
  const refused = new Set<TypeProblem>()
  eachPart(root, types, (type) => {
    // A type that is used in many places is refused once.
    if (type.kind === "any" && type.refused) refused.add(type.refused)
    if (type.kind === "binary" && from !== "form") {
      const where = from === "json" ? "JSON" : "a query string"
      const fix = "Read the file from a form: c.bindForm<T>()."
      found.push({ message: `the type has a file, which ${where} cannot contain`, fix, at })
    }
    if (type.kind === "all") found.push(...wrongTags(type, types, at, true))
    if (type.kind === "object") for (const one of type.properties) found.push(...wrongDefault(one, types, at))
  })
  return [...found, ...refused]
}

/** Returns the places where a type accepts any value, and the tags that may be misspelt. @param at as above. */
export function noticesIn(root: TypeData, types: Types, at: Place): Notice[] {
  const found: Notice[] = []
  eachPart(root, types, (type) => {
    if (type.kind === "all") found.push(...wrongTags(type, types, at, false))
    if (type.kind !== "any" || type.refused || !type.open) return
    const message = "a type of a request is any or unknown, so every value is accepted here"
    found.push({ message, fix: "Write the type of the data, if it is known.", at: type.open, isOpen: true })
  })
  return found
}

function wrongTags(type: AllData, types: Types, at: Place, areMistakes: boolean): TypeProblem[] {
  return tagProblems(type, types)
    .filter(({ isMistake }) => isMistake === areMistakes)
    .map(({ message, fix, isMistake }) => ({ message, fix, at, ...(isMistake && { isMistake }) }))
}

/** Adds the value of `@default` to a property. It replaces a missing one, so the property is optional in a request. */
export function withDefault(property: PropertyData): PropertyData {
  const { comment, type } = property
  const { default: given } = annotationsIn(comment)
  if (given === undefined) return property
  const value = isText(type) && typeof given !== "string" && given !== null ? String(given) : given
  return { ...property, optional: true, default: { value } }
}

/** Returns true if every value of a type, except null, is a text. A default such as `true` is that text then. */
function isText(type: TypeData): boolean {
  if (type.kind === "all") return type.members.every(isText)
  if (type.kind === "union") return type.members.every((one) => one.kind === "null" || isText(one))
  if (type.kind === "literal") return typeof type.value === "string"
  return type.kind === "string" || type.kind === "integer-text"
}

function wrongDefault({ name, default: given, type }: PropertyData, types: Types, at: Place): TypeProblem[] {
  if (!given || fits(given.value, type, types)) return []
  const message = `the @default of "${name}" does not have its type`
  return [{ message, fix: "Write it as JSON.", at, isMistake: true }]
}

/** Returns true if a JSON value has a type. */
function fits(value: unknown, type: TypeData, types: Types): boolean {
  switch (type.kind) {
    case "any":
      return true
    case "null":
      return value === null
    case "literal":
      return value === type.value
    case "string":
      return typeof value === "string" && (!type.pattern || new RegExp(type.pattern).test(value))
    case "date":
      return typeof value === "string" && !Number.isNaN(Date.parse(value))
    case "integer-text":
      return typeof value === "string" && /^-?\d+$/.test(value)
    case "number":
    case "boolean":
      return typeof value === type.kind
    case "union":
      return type.members.some((member) => fits(value, member, types))
    case "all":
      return type.members.every((member) => fits(value, member, types))
    case "named":
      return fits(value, resolved(type, types), types)
    default:
      return fitsInside(value, type, types)
  }
}

function fitsInside(value: unknown, type: TypeData, types: Types): boolean {
  if (type.kind === "array")
    return Array.isArray(value) && value.every((item) => fits(item, type.items, types))
  if (type.kind === "tuple") {
    return (
      Array.isArray(value) && type.items.every((item, i) => item.optional || fits(value[i], item.type, types))
    )
  }
  if (type.kind !== "object" || typeof value !== "object" || value === null || Array.isArray(value))
    return false
  return type.properties.every(({ name, optional, type: own }) =>
    Object.hasOwn(value, name) ? fits((value as Record<string, unknown>)[name], own, types) : optional,
  )
}
