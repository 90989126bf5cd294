/**
 * Compares a value with a schema of the document: JSON Schema 2020-12 (OpenAPI 3.1), or the form of it in OpenAPI 3.0.
 */
import type { Api, Schema } from "./document.ts"

/** A part of a value that does not match the schema. */
export interface Mismatch {
  /** The path to the part: names of properties, and indexes. */
  readonly path: readonly (string | number)[]
  /** What is wrong, such as `expected integer, got string`. */
  readonly message: string
}

/**
 * Maximum number of mismatches that are reported. An answer with more has hardly anything in common with its schema.
 */
const maxMismatches = 50
/**
 * Maximum number of references that are followed without going deeper into the value. It ends references that lead in a
 * circle.
 */
const maxReferenceDepth = 100

/** Returns the mismatches between a value and a schema. If there are many, only the first ones. */
export function findMismatches(api: Api, schema: Schema | undefined, value: unknown): Mismatch[] {
  const found: Mismatch[] = []
  check(
    {
      api,
      path: [],
      depth: 0,
      report: (path, message) => found.length < maxMismatches && found.push({ path, message }),
    },
    schema,
    value,
  )
  return found
}

/** Returns a path as it is written in JavaScript: `.items[0].name`. The path of the whole value is empty. */
export function formatPath(path: Mismatch["path"]): string {
  return path
    .map((part) =>
      typeof part === "number" ? `[${part}]` : /^[\w$]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
    )
    .join("")
}

interface CheckPosition {
  readonly api: Api
  readonly path: Mismatch["path"]
  /** The number of schemas that were followed since the last step into the value. */
  readonly depth: number
  readonly report: (path: Mismatch["path"], message: string) => void
}

function check(at: CheckPosition, schema: Schema | boolean | undefined, value: unknown): void {
  if (schema === undefined || schema === true || at.depth > maxReferenceDepth) return
  if (schema === false) at.report(at.path, "must be absent")
  else checkResolved({ ...at, depth: at.depth + 1 }, at.api.resolve<Schema>(schema), value)
}

function checkResolved(at: CheckPosition, schema: Schema, value: unknown): void {
  if (schema.nullable === true && value === null) return
  if (!checkType(at, schema, value) || !reportChoice(at, schema, value)) return
  for (const part of schema.allOf ?? []) check(at, part, value)
  checkAlternatives(at, schema, value)
  if (schema.not !== undefined && matchesSchema(at.api, schema.not as Schema, value))
    at.report(at.path, "must be absent")
  if (typeof value === "string") checkText(at, schema, value)
  else if (typeof value === "number") checkNumber(at, schema, value)
  else if (Array.isArray(value)) checkList(at, schema, value)
  else if (typeof value === "object" && value !== null) checkObject(at, schema, value as Record<string, unknown>)
}

/** Checks `enum` and `const`. */
function reportChoice({ path, report }: CheckPosition, schema: Schema, value: unknown): boolean {
  const choices = schema.const !== undefined ? [schema.const] : schema.enum
  if (!choices || choices.some((one) => isSameJSON(one, value))) return true
  const expected = choices.map((one) => JSON.stringify(one)).join(", ")
  report(path, `expected ${choices.length > 1 ? "one of " : ""}${expected}, got ${formatValue(value)}`)
  return false
}

function checkType({ path, report }: CheckPosition, { type }: Schema, value: unknown): boolean {
  const types = typeof type === "string" ? [type] : (type ?? [])
  const kind = toJSONType(value)
  if (types.length === 0 || types.includes(kind) || (kind === "integer" && types.includes("number"))) return true
  report(path, `expected ${types.join(" or ")}, got ${kind}`)
  return false
}

function toJSONType(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value
}

/**
 * Checks that an alternative matches. If a constant in the value shows which one is meant, only the mismatches with
 * that one are reported.
 */
function checkAlternatives(at: CheckPosition, { oneOf, anyOf }: Schema, value: unknown): void {
  const alternatives = oneOf ?? anyOf
  if (!alternatives) return
  const results = alternatives.map((one) => {
    const found: Mismatch[] = []
    check({ ...at, report: (path, message) => void found.push({ path, message }) }, one, value)
    return found
  })
  if (results.some((found) => found.length === 0)) return
  const intendedResults = results.filter((_, i) => isIntendedAlternative(at.api, alternatives[i] as Schema, value))
  const best = intendedResults.length === 1 ? intendedResults[0] : undefined
  if (best) for (const { path, message } of best) at.report(path, message)
  else at.report(at.path, `matches none of the ${alternatives.length} alternatives`)
}

/** Returns true if the constants of an alternative, or at least its type, match the value. */
function isIntendedAlternative(api: Api, schema: Schema, value: unknown): boolean {
  const { properties = {}, type } = api.resolve<Schema>(schema)
  const constants = Object.entries(properties).flatMap(([name, one]) => {
    const constant = api.resolve<Schema>(one)
    const only = constant.const ?? (constant.enum?.length === 1 ? constant.enum[0] : undefined)
    return only === undefined ? [] : [[name, only] as const]
  })
  if (constants.length === 0) return type === toJSONType(value)
  return constants.every(([name, only]) => isSameJSON(only, (value as Record<string, unknown> | null)?.[name]))
}

const formatPatterns: Readonly<Record<string, RegExp>> = {
  time: /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  duration: /^P(?!$)(?:\d+W|(?:\d+[YMD])*(?:T(?:\d+[HMS])+)?)$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  hostname: /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*\.?$/i,
  ipv4: /^\d{1,3}(?:\.\d{1,3}){3}$/,
  ipv6: /^(?=.*:.*:)[\da-f:.]+$/i,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
  byte: /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
}

function checkText({ path, report }: CheckPosition, schema: Schema, value: string): void {
  const { minLength, maxLength, pattern, format } = schema
  const length = [...value].length
  if (typeof minLength === "number" && length < minLength)
    report(path, `expected at least ${minLength} characters, got ${length}`)
  if (typeof maxLength === "number" && length > maxLength)
    report(path, `expected at most ${maxLength} characters, got ${length}`)
  if (typeof pattern === "string" && !matchesPattern(pattern, value)) report(path, `does not match ${pattern}`)
  if (format && formatPatterns[format]?.test(value) === false) report(path, `is not a ${format}`)
}

/** Returns true if a text matches a pattern. Also returns true if this browser cannot parse the pattern. */
function matchesPattern(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value)
  } catch {
    return true
  }
}

function checkNumber({ path, report }: CheckPosition, schema: Schema, value: number): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  const times = typeof multipleOf === "number" ? value / multipleOf : 1
  if (Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times)))
    report(path, `expected a multiple of ${multipleOf}, got ${value}`)
  if (/^int(?:32|64)$/.test(format ?? "") && !Number.isInteger(value)) report(path, `is not an ${format}`)
  if (typeof minimum === "number" && value < minimum) report(path, `expected at least ${minimum}, got ${value}`)
  if (typeof maximum === "number" && value > maximum) report(path, `expected at most ${maximum}, got ${value}`)
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    report(path, `expected more than ${exclusiveMinimum}, got ${value}`)
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    report(path, `expected less than ${exclusiveMaximum}, got ${value}`)
}

function checkList(at: CheckPosition, schema: Schema, value: readonly unknown[]): void {
  const { minItems, maxItems, items, prefixItems = [] } = schema
  if (typeof minItems === "number" && value.length < minItems)
    at.report(at.path, `expected at least ${minItems} items, got ${value.length}`)
  if (typeof maxItems === "number" && value.length > maxItems)
    at.report(at.path, `expected at most ${maxItems} items, got ${value.length}`)
  for (const [i, item] of value.entries()) check(enterPart(at, i), prefixItems[i] ?? items, item)
  const { contains, minContains = 1, maxContains = value.length } = schema
  if (contains === undefined) return
  const count = value.filter((item) => matchesSchema(at.api, contains as Schema, item)).length
  if (count < Number(minContains) || count > Number(maxContains))
    at.report(at.path, `has ${count} of the items that it must contain`)
}

/** Returns true if a value matches a schema. */
export function matchesSchema(api: Api, schema: Schema, value: unknown): boolean {
  return findMismatches(api, schema, value).length === 0
}

function checkObject(at: CheckPosition, schema: Schema, value: Record<string, unknown>): void {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  for (const name of required) if (!Object.hasOwn(value, name)) at.report(at.path, `${JSON.stringify(name)} is missing`)
  const patterns = Object.entries((patternProperties ?? {}) as Record<string, Schema>)
  for (const [name, one] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? [properties[name]] : []
    const fitting = patterns.filter(([pattern]) => matchesPattern(pattern, name)).map(([, each]) => each)
    const schemas = [...known, ...fitting]
    for (const each of schemas.length > 0 ? schemas : [additionalProperties]) check(enterPart(at, name), each, one)
  }
}

function enterPart(at: CheckPosition, part: string | number): CheckPosition {
  return { ...at, path: [...at.path, part], depth: 0 }
}

function isSameJSON(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
