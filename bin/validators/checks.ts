/**
 * Generates code that checks the limits in the tags of a comment, such as `@minimum`, `@maxLength` and `@format`.
 */
import { type Limits, readLimits } from "../openapi/document/constraints.ts"
import type { TypeData } from "../openapi/document/model.ts"
import { isTextFormat } from "../openapi/types/text-formats.ts"
import { describeText } from "./describe-type.ts"
import { renderFormatTest, renderPatternTest } from "./text-tests.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

/** An intersection, or a type with limits. */
export type AllData = Extract<TypeData, { kind: "all" }>

/** A limit: the code of its condition, and the expected value in words. */
export interface Check {
  readonly test: string
  readonly expected: string
}

/** The code of two expressions: the value as it was sent, and its converted result. */
interface ValueCode {
  readonly sent: string
  readonly result: string
}

type ValueKind = "string" | "number" | "bigint" | "array" | "other"

/**
 * Returns the limits of a type, for a value that has been checked against the types. As in JSON Schema, a limit
 * applies only to values of one type.
 */
export function listChecks(type: AllData, value: ValueCode, mode: InputMode, file: ValidatorFile): Check[] {
  if (!type.tags) return []
  const limits = readLimits(type.tags.comment)
  const kinds = findKinds(type, mode, file)
  // In JSON, a date is checked as text, before it is converted.
  const checkedValue = mode === "json" ? value.sent : value.result
  const guardChecks = (kind: ValueKind, x: string, checks: readonly Check[]) => {
    if (!kinds.has(kind)) return []
    const otherKindTest = kind === "array" ? `!Array.isArray(${x})` : `typeof ${x} !== "${kind}"`
    return kinds.size === 1
      ? checks
      : checks.map(({ test, expected }) => ({ expected, test: `(${otherKindTest} || ${test})` }))
  }
  return [
    ...guardChecks("number", checkedValue, listNumberChecks(limits, checkedValue, file)),
    ...guardChecks("bigint", value.result, listBigintChecks(limits, value.result)),
    ...guardChecks("string", checkedValue, listStringChecks(limits, checkedValue, file)),
    ...guardChecks("array", value.result, listArrayChecks(limits, value.result)),
  ]
}

function findKinds(type: TypeData, mode: InputMode, file: ValidatorFile): ReadonlySet<ValueKind> {
  const plain = file.resolvePlain(type)
  const isText = mode === "text"
  switch (plain.kind) {
    case "string":
      return new Set(["string"])
    case "date":
      return new Set([isText ? "other" : "string"])
    case "integer-text":
      return new Set<ValueKind>(isText ? ["bigint"] : ["bigint", "string"])
    case "number":
    case "integer":
      return new Set(["number"])
    case "literal":
      return new Set<ValueKind>([typeof plain.value as "string" | "number"])
    case "array":
    case "tuple":
      return new Set(["array"])
    case "any":
      return new Set<ValueKind>(["string", "number", "array", "other"])
    case "union":
      return new Set(plain.members.flatMap((member) => [...findKinds(member, mode, file)]))
    default:
      return new Set(["other"])
  }
}

function listNumberChecks(limits: Limits, x: string, file: ValidatorFile): Check[] {
  const { multipleOf, format } = limits
  const checks = listLimitChecks(limits, (operator, limit) => `${x} ${operator} ${limit}`)
  if (multipleOf !== undefined && multipleOf > 0) {
    const test = Number.isInteger(multipleOf)
      ? `${x} % ${multipleOf} === 0`
      : `${file.useHelper("isMultiple")}(${x}, ${multipleOf})`
    checks.push({ test, expected: `a number that is a multiple of ${multipleOf}` })
  }
  if (format === "int32")
    checks.push({
      test: `${x} >= -2147483648 && ${x} <= 2147483647 && Number.isInteger(${x})`,
      expected: "a number (int32)",
    })
  if (format === "int64") checks.push({ test: `Number.isInteger(${x})`, expected: "a number (int64)" })
  return checks
}

function listBigintChecks(limits: Limits, x: string): Check[] {
  return listLimitChecks(limits, (operator, limit) => `${x} ${operator} ${limit}`)
}

function listLimitChecks(limits: Limits, test: (operator: string, limit: number) => string): Check[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits
  const all = [
    [">=", minimum, "of at least"],
    ["<=", maximum, "of at most"],
    [">", exclusiveMinimum, "greater than"],
    ["<", exclusiveMaximum, "less than"],
  ] as const
  return all.flatMap(([operator, limit, words]) =>
    limit === undefined ? [] : [{ test: test(operator, limit), expected: `a number ${words} ${limit}` }],
  )
}

/**
 * Returns the limits of a text. The length is counted in code points, as in JSON Schema. Their number is at most that
 * of code units, and at least half of it, so counting can often be avoided.
 */
function listStringChecks(limits: Limits, x: string, file: ValidatorFile): Check[] {
  const { minLength = 0, maxLength, pattern, format } = limits
  const checks: Check[] = []
  const count = () => `${file.useHelper("countPoints")}(${x})`
  if (minLength > 0) {
    const test = minLength <= 1 ? `${x} !== ""` : `(${x}.length >= ${2 * minLength} || ${count()} >= ${minLength})`
    checks.push({ test, expected: `a string of at least ${formatCharacters(minLength)}` })
  }
  if (maxLength !== undefined) {
    const mayFit = `(${x}.length <= ${2 * maxLength} && ${count()} <= ${maxLength})`
    checks.push({
      test: `(${x}.length <= ${maxLength} || ${mayFit})`,
      expected: `a string of at most ${formatCharacters(maxLength)}`,
    })
  }
  if (pattern !== undefined)
    checks.push({ test: renderPatternTest(pattern, x, file), expected: `a string that matches ${pattern}` })
  if (format !== undefined && isTextFormat(format))
    checks.push({ test: renderFormatTest(format, x, file), expected: describeText(format) })
  return checks
}

function listArrayChecks({ minItems = 0, maxItems }: Limits, x: string): Check[] {
  const checks: Check[] = []
  if (minItems > 0)
    checks.push({ test: `${x}.length >= ${minItems}`, expected: `an array of at least ${formatItems(minItems)}` })
  if (maxItems !== undefined)
    checks.push({ test: `${x}.length <= ${maxItems}`, expected: `an array of at most ${formatItems(maxItems)}` })
  return checks
}

function formatCharacters(count: number): string {
  return `${count} ${count === 1 ? "character" : "characters"}`
}

function formatItems(count: number): string {
  return `${count} ${count === 1 ? "item" : "items"}`
}
