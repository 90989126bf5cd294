/**
 * Checks a value against a schema of the document: JSON Schema 2020-12 (OpenAPI 3.1), and its equivalent in
 * 3.0.
 */
import type { Api, Schema } from "./document.ts"

/** A place in a value that does not match the schema. */
export interface Misfit {
  /** Path from the whole value to the place: names of properties, and indexes. */
  readonly path: readonly (string | number)[]
  /** Error message, such as `expected integer, got string`. */
  readonly message: string
}

/** Most mismatches to report. With more, the response is simply another one than the document describes. */
const most = 50
/** Most references to follow without entering a value. References in a circle end the check here. */
const deepest = 100

/** Returns the places where a value does not match a schema; only the first ones if there are many. */
export function misfitsOf(api: Api, schema: Schema | undefined, value: unknown): Misfit[] {
  const found: Misfit[] = []
  check(
    {
      api,
      path: [],
      depth: 0,
      report: (path, message) => found.length < most && found.push({ path, message }),
    },
    schema,
    value,
  )
  return found
}

/** Returns a path as JavaScript writes it: `.items[0].name`. Empty for the whole value. */
export function pathText(path: Misfit["path"]): string {
  return path
    .map((part) =>
      typeof part === "number"
        ? `[${part}]`
        : /^[\w$]+$/.test(part)
          ? `.${part}`
          : `[${JSON.stringify(part)}]`,
    )
    .join("")
}

interface At {
  readonly api: Api
  readonly path: Misfit["path"]
  /** Number of schemas passed since the value was entered. */
  readonly depth: number
  readonly report: (path: Misfit["path"], message: string) => void
}

function check(at: At, schema: Schema | boolean | undefined, value: unknown): void {
  if (schema === undefined || schema === true || at.depth > deepest) return
  if (schema === false) at.report(at.path, "must be absent")
  else checkWhole({ ...at, depth: at.depth + 1 }, at.api.resolve<Schema>(schema), value)
}

function checkWhole(at: At, schema: Schema, value: unknown): void {
  if (schema.nullable === true && value === null) return
  if (!checkType(at, schema, value) || !checkChoice(at, schema, value)) return
  for (const part of schema.allOf ?? []) check(at, part, value)
  checkEither(at, schema, value)
  if (schema.not !== undefined && fits(at.api, schema.not as Schema, value))
    at.report(at.path, "must be absent")
  if (typeof value === "string") checkText(at, schema, value)
  else if (typeof value === "number") checkNumber(at, schema, value)
  else if (Array.isArray(value)) checkList(at, schema, value)
  else if (typeof value === "object" && value !== null)
    checkObject(at, schema, value as Record<string, unknown>)
}

/** Checks `enum` and `const`. */
function checkChoice({ path, report }: At, schema: Schema, value: unknown): boolean {
  const choices = schema.const !== undefined ? [schema.const] : schema.enum
  if (!choices || choices.some((one) => same(one, value))) return true
  const expected = choices.map((one) => JSON.stringify(one)).join(", ")
  report(path, `expected ${choices.length > 1 ? "one of " : ""}${expected}, got ${shown(value)}`)
  return false
}

function checkType({ path, report }: At, { type }: Schema, value: unknown): boolean {
  const types = typeof type === "string" ? [type] : (type ?? [])
  const kind = kindOf(value)
  if (types.length === 0 || types.includes(kind) || (kind === "integer" && types.includes("number")))
    return true
  report(path, `expected ${types.join(" or ")}, got ${kind}`)
  return false
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value
}

/**
 * Checks that an alternative matches. If a constant in the value selects one of them, only that one's
 * mismatches are reported.
 */
function checkEither(at: At, { oneOf, anyOf }: Schema, value: unknown): void {
  const either = oneOf ?? anyOf
  if (!either) return
  const tried = either.map((one) => {
    const found: Misfit[] = []
    check({ ...at, report: (path, message) => void found.push({ path, message }) }, one, value)
    return found
  })
  if (tried.some((found) => found.length === 0)) return
  const meant = tried.filter((_, i) => isMeant(at.api, either[i] as Schema, value))
  const best = meant.length === 1 ? meant[0] : undefined
  if (best) for (const { path, message } of best) at.report(path, message)
  else at.report(at.path, `matches none of the ${either.length} alternatives`)
}

/** Returns true if the constants of an alternative, or at least its type, match a value. */
function isMeant(api: Api, schema: Schema, value: unknown): boolean {
  const { properties = {}, type } = api.resolve<Schema>(schema)
  const constants = Object.entries(properties).flatMap(([name, one]) => {
    const constant = api.resolve<Schema>(one)
    const only = constant.const ?? (constant.enum?.length === 1 ? constant.enum[0] : undefined)
    return only === undefined ? [] : [[name, only] as const]
  })
  if (constants.length === 0) return type === kindOf(value)
  return constants.every(([name, only]) => same(only, (value as Record<string, unknown> | null)?.[name]))
}

const formats: Readonly<Record<string, RegExp>> = {
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

function checkText({ path, report }: At, schema: Schema, value: string): void {
  const { minLength, maxLength, pattern, format } = schema
  const length = [...value].length
  if (typeof minLength === "number" && length < minLength)
    report(path, `expected at least ${minLength} characters, got ${length}`)
  if (typeof maxLength === "number" && length > maxLength)
    report(path, `expected at most ${maxLength} characters, got ${length}`)
  if (typeof pattern === "string" && !matches(pattern, value)) report(path, `does not match ${pattern}`)
  if (format && formats[format]?.test(value) === false) report(path, `is not a ${format}`)
}

/** Returns true also for a pattern that this browser cannot parse. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value)
  } catch {
    return true
  }
}

function checkNumber({ path, report }: At, schema: Schema, value: number): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  const times = typeof multipleOf === "number" ? value / multipleOf : 1
  if (Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times)))
    report(path, `expected a multiple of ${multipleOf}, got ${value}`)
  if (/^int(?:32|64)$/.test(format ?? "") && !Number.isInteger(value)) report(path, `is not an ${format}`)
  if (typeof minimum === "number" && value < minimum)
    report(path, `expected at least ${minimum}, got ${value}`)
  if (typeof maximum === "number" && value > maximum)
    report(path, `expected at most ${maximum}, got ${value}`)
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    report(path, `expected more than ${exclusiveMinimum}, got ${value}`)
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    report(path, `expected less than ${exclusiveMaximum}, got ${value}`)
}

function checkList(at: At, schema: Schema, value: readonly unknown[]): void {
  const { minItems, maxItems, items, prefixItems = [] } = schema
  if (typeof minItems === "number" && value.length < minItems)
    at.report(at.path, `expected at least ${minItems} items, got ${value.length}`)
  if (typeof maxItems === "number" && value.length > maxItems)
    at.report(at.path, `expected at most ${maxItems} items, got ${value.length}`)
  for (const [i, item] of value.entries()) check(below(at, i), prefixItems[i] ?? items, item)
  const { contains, minContains = 1, maxContains = value.length } = schema
  if (contains === undefined) return
  const count = value.filter((item) => fits(at.api, contains as Schema, item)).length
  if (count < Number(minContains) || count > Number(maxContains))
    at.report(at.path, `has ${count} of the items that it must contain`)
}

/** Returns true if a value matches a schema. */
export function fits(api: Api, schema: Schema, value: unknown): boolean {
  return misfitsOf(api, schema, value).length === 0
}

function checkObject(at: At, schema: Schema, value: Record<string, unknown>): void {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  for (const name of required)
    if (!Object.hasOwn(value, name)) at.report(at.path, `${JSON.stringify(name)} is missing`)
  const patterns = Object.entries((patternProperties ?? {}) as Record<string, Schema>)
  for (const [name, one] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? [properties[name]] : []
    const fitting = patterns.filter(([pattern]) => matches(pattern, name)).map(([, each]) => each)
    const schemas = [...known, ...fitting]
    for (const each of schemas.length > 0 ? schemas : [additionalProperties])
      check(below(at, name), each, one)
  }
}

function below(at: At, part: string | number): At {
  return { ...at, path: [...at.path, part], depth: 0 }
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
