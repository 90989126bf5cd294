/** Compares the keywords that limit a single value: constants, limits, patterns and defaults. */
import type { Schema } from "../document/schemas.ts"
import { limitRules, type SchemaRule, type Severity, schemaLimits } from "./change.ts"

/** Reports a change of the compared value. */
type ReportChange = (kind: SchemaRule, text: string) => void

/** Two schemas, and functions that report their changes. */
export interface ValueComparison {
  readonly old: Schema
  readonly now: Schema
  readonly say: ReportChange
  readonly limit: (severity: readonly [Severity, Severity], kind: string, text: string) => void
}

/**
 * Compares constants and enumerations. If only one schema has a constant, it counts as an enumeration with one
 * value.
 */
export function compareValues({ old, now, say }: ValueComparison): void {
  if (!old.enum && !now.enum) return void compareConstants(old, now, say)
  const [values, others] = [listValues(old), listValues(now)]
  if (!values) return void say("became-enum", `is only one of ${(others ?? []).join(", ")} now`)
  if (!others) return void say("enum-removed", `is no longer only one of ${values.join(", ")}`)
  for (const value of others.filter((one) => !values.includes(one))) say("enum-value-added", `can be ${value} now`)
  for (const value of values.filter((one) => !others.includes(one)))
    say("enum-value-removed", `can no longer be ${value}`)
}

function compareConstants(old: Schema, now: Schema, say: ReportChange): void {
  const [value, next] = [JSON.stringify(old.const), JSON.stringify(now.const)]
  if (value === next) return
  if (value === undefined) say("const-added", `is always ${next} now`)
  else if (next === undefined) say("const-removed", `is no longer always ${value}`)
  else say("const-changed", `is ${next} now, and was ${value}`)
}

/** Compares limits of numbers, texts and arrays. */
export function compareLimits({ old, now, limit: report }: ValueComparison): void {
  for (const { key, name, isUpper, usual } of schemaLimits) {
    const [limit, next] = [old[key] ?? usual, now[key] ?? usual]
    if (limit === next || typeof (limit ?? next) !== "number") continue
    const text = `has ${next === undefined ? `no ${key}` : `the ${key} ${next}`} now, and had ${limit ?? "none"}`
    if (limit === undefined) report(limitRules.set, `${name}-set`, text)
    else if (next === undefined) report(limitRules.unset, `${name}-unset`, text)
    else {
      const isMore = Number(next) > Number(limit)
      const rule = isMore === isUpper ? limitRules.loosened : limitRules.tightened
      report(rule, `${name}-${isMore ? "increased" : "decreased"}`, text)
    }
  }
}

/** Compares patterns of texts. */
export function comparePatterns({ old: { pattern }, now: { pattern: next }, say }: ValueComparison): void {
  if (pattern === next) return
  if (pattern === undefined) say("pattern-added", `has the pattern ${next} now`)
  else if (next === undefined) say("pattern-removed", `no longer has the pattern ${pattern}`)
  else say("pattern-changed", `has the pattern ${next} now, and had ${pattern}`)
}

/** Compares defaults. */
export function compareDefaults({ old, now, say }: ValueComparison): void {
  const [value, next] = [JSON.stringify(old.default), JSON.stringify(now.default)]
  if (value === next) return
  if (value === undefined) say("default-value-added", `has the default ${next} now`)
  else if (next === undefined) say("default-value-removed", `no longer has the default ${value}`)
  else say("default-value-changed", `has the default ${next} now, and had ${value}`)
}

/** Compares the discriminators of two unions. */
export function compareDiscriminators(old: Schema, now: Schema, say: ReportChange): void {
  const [name, next] = [old.propertyName, now.propertyName]
  if (name === undefined && next === undefined) return
  if (name === undefined) return void say("discriminator-added", `has the discriminator ${next} now`)
  if (next === undefined) return void say("discriminator-removed", `no longer has the discriminator ${name}`)
  if (name !== next) say("discriminator-property-name-changed", `has the discriminator ${next} now, and had ${name}`)
  const [values = [], others = []] = [old, now].map(({ mapping }) => Object.keys(Object(mapping)))
  for (const value of others.filter((one) => !values.includes(one)))
    say("discriminator-mapping-added", `has the kind ${JSON.stringify(value)} now`)
  for (const value of values.filter((one) => !others.includes(one)))
    say("discriminator-mapping-deleted", `no longer has the kind ${JSON.stringify(value)}`)
}

function listValues(schema: Schema): readonly string[] | undefined {
  const values = "const" in schema ? [schema.const] : schema.enum
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined
}
