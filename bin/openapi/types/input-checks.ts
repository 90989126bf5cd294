/** Checks the types of requests. This is possible only when all named types have been read. */
import { readAnnotations } from "../document/constraints.ts"
import type { Notice, PropertyData, SourceLocation, TypeData, TypeProblem } from "../document/model.ts"
import { resolveType, visitParts } from "../document/type-parts.ts"
import { findTagProblems } from "./tag-checks.ts"

/** The part of a request that a type describes. */
export type InputFrom = "json" | "form" | "query"

type AllData = Extract<TypeData, { kind: "all" }>
type TypesByID = ReadonlyMap<string, TypeData>

/**
 * Returns the reasons why requests cannot be checked against a type; none if they can.
 *
 * @param at the position to report for problems without one.
 */
export function findProblems(root: TypeData, from: InputFrom, types: TypesByID, at: SourceLocation): TypeProblem[] {
  const found: TypeProblem[] = []
  const plain = resolveType(root, types)
  if (plain.kind === "never" || plain.kind === "nothing")
    found.push({ message: "no request has this type", fix: "Use the type of the data.", at })
  const typeProblems = new Set<TypeProblem>()
  visitParts(root, types, (type) => {
    // A type that is used in several places is reported only once.
    if (type.kind === "any" && type.problem) typeProblems.add(type.problem)
    if (type.kind === "binary" && from !== "form") {
      const where = from === "json" ? "JSON" : "a query string"
      const fix = "Read the file from a form: c.bindForm<T>()."
      found.push({ message: `the type has a file, which ${where} cannot contain`, fix, at })
    }
    if (type.kind === "all") found.push(...findWrongTags(type, types, at, true))
    if (type.kind === "object") for (const one of type.properties) found.push(...findWrongDefault(one, types, at))
  })
  return [...found, ...typeProblems]
}

/**
 * Returns the positions where a type accepts anything, and the tags that may be misspelt.
 *
 * @param at the position to report for notes without one.
 */
export function findNotices(root: TypeData, types: TypesByID, at: SourceLocation): Notice[] {
  const found: Notice[] = []
  visitParts(root, types, (type) => {
    if (type.kind === "all") found.push(...findWrongTags(type, types, at, false))
    if (type.kind !== "any" || type.problem || !type.anyAt) return
    const message = "a type of a request is any or unknown, so every value is accepted here"
    found.push({ message, fix: "Write the type of the data, if it is known.", at: type.anyAt, isOpen: true })
  })
  return found
}

function findWrongTags(type: AllData, types: TypesByID, at: SourceLocation, areMistakes: boolean): TypeProblem[] {
  return findTagProblems(type, types)
    .filter(({ isMistake }) => isMistake === areMistakes)
    .map(({ message, fix, isMistake }) => ({ message, fix, at, ...(isMistake && { isMistake }) }))
}

/** Adds the value of `@default` to a property. The property is optional in a request then. */
export function addDefault(property: PropertyData): PropertyData {
  const { comment, type } = property
  const { default: given } = readAnnotations(comment)
  if (given === undefined) return property
  const value = isText(type) && typeof given !== "string" && given !== null ? String(given) : given
  return { ...property, optional: true, default: { value } }
}

/**
 * Returns true if all values of a type, except null, are texts. Then a default such as `true` means the text
 * "true".
 */
function isText(type: TypeData): boolean {
  if (type.kind === "all") return type.members.every(isText)
  if (type.kind === "union") return type.members.every((one) => one.kind === "null" || isText(one))
  if (type.kind === "literal") return typeof type.value === "string"
  return type.kind === "string" || type.kind === "integer-text"
}

function findWrongDefault(
  { name, default: given, type }: PropertyData,
  types: TypesByID,
  at: SourceLocation,
): TypeProblem[] {
  if (!given || fitsType(given.value, type, types)) return []
  const message = `the @default of "${name}" does not have its type`
  return [{ message, fix: "Write it as JSON.", at, isMistake: true }]
}

/** Returns true if a JSON value matches a type. */
function fitsType(value: unknown, type: TypeData, types: TypesByID): boolean {
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
      return type.members.some((member) => fitsType(value, member, types))
    case "all":
      return type.members.every((member) => fitsType(value, member, types))
    case "named":
      return fitsType(value, resolveType(type, types), types)
    default:
      return fitsInside(value, type, types)
  }
}

function fitsInside(value: unknown, type: TypeData, types: TypesByID): boolean {
  if (type.kind === "array") return Array.isArray(value) && value.every((item) => fitsType(item, type.items, types))
  if (type.kind === "tuple") {
    return Array.isArray(value) && type.items.every((item, i) => item.optional || fitsType(value[i], item.type, types))
  }
  if (type.kind !== "object" || typeof value !== "object" || value === null || Array.isArray(value)) return false
  return type.properties.every(({ name, optional, type: own }) =>
    Object.hasOwn(value, name) ? fitsType((value as Record<string, unknown>)[name], own, types) : optional,
  )
}
