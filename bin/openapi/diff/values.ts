/** Compares enumerations, limits, single values and discriminators of two schemas. */
import type { Schema } from "../document/schemas.ts"
import { limitRules, type SchemaRule, type Severity, schemaLimits } from "./change.ts"

/** Reports a change of the compared value. */
type ReportChange = (kind: SchemaRule, text: string) => void

type Effect = "added" | "removed" | "changed"

/** Two schemas, and functions that report their changes. */
export interface ValueComparison {
  readonly old: Schema
  readonly now: Schema
  readonly report: ReportChange
  readonly reportLimit: (severity: readonly [Severity, Severity], kind: string, text: string) => void
}

/**
 * Compares constants and enumerations. If only one schema has a constant, it counts as an enumeration with one
 * value.
 */
export function compareValues({ old, now, report }: ValueComparison): void {
  if (!old.enum && !now.enum) return void compareKeyword({ old, now, report }, "const", "const")
  const [values, others] = [listValues(old), listValues(now)]
  if (!values) return void report("became-enum", `is only one of ${(others ?? []).join(", ")} now`)
  if (!others) return void report("enum-removed", `is no longer only one of ${values.join(", ")}`)
  for (const value of others.filter((one) => !values.includes(one))) report("enum-value-added", `can be ${value} now`)
  for (const value of values.filter((one) => !others.includes(one)))
    report("enum-value-removed", `can no longer be ${value}`)
}

/** Compares a keyword with a single value. The name of the change begins with `kind`. */
export function compareKeyword<Kind extends "const" | "pattern" | "default-value">(
  { old, now, report }: { old: Schema; now: Schema; report: (kind: `${Kind}-${Effect}`, text: string) => void },
  keyword: string,
  kind: Kind,
): void {
  const [value, next] = [old, now].map(({ [keyword]: one }) => JSON.stringify(one))
  if (value === next) return
  if (value === undefined) report(`${kind}-added`, `has the ${keyword} ${next} now`)
  else if (next === undefined) report(`${kind}-removed`, `no longer has the ${keyword} ${value}`)
  else report(`${kind}-changed`, `has the ${keyword} ${next} now, and had ${value}`)
}

/** Compares limits of numbers, texts and arrays. */
export function compareLimits({ old, now, reportLimit }: ValueComparison): void {
  for (const { key, name, isUpper, defaultValue } of schemaLimits) {
    const [limit, next] = [old[key] ?? defaultValue, now[key] ?? defaultValue]
    if (limit === next || typeof (limit ?? next) !== "number") continue
    const text = `has ${next === undefined ? `no ${key}` : `the ${key} ${next}`} now, and had ${limit ?? "none"}`
    if (limit === undefined) reportLimit(limitRules.set, `${name}-set`, text)
    else if (next === undefined) reportLimit(limitRules.unset, `${name}-unset`, text)
    else {
      const isMore = Number(next) > Number(limit)
      const rule = isMore === isUpper ? limitRules.loosened : limitRules.tightened
      reportLimit(rule, `${name}-${isMore ? "increased" : "decreased"}`, text)
    }
  }
}

/** Compares the discriminators of two unions. */
export function compareDiscriminators(old: Schema, now: Schema, report: ReportChange): void {
  const [name, next] = [old.propertyName, now.propertyName]
  if (name === undefined && next === undefined) return
  if (name === undefined) return void report("discriminator-added", `has the discriminator ${next} now`)
  if (next === undefined) return void report("discriminator-removed", `no longer has the discriminator ${name}`)
  if (name !== next) report("discriminator-property-name-changed", `has the discriminator ${next} now, and had ${name}`)
  const [values = [], others = []] = [old, now].map(({ mapping }) => Object.keys(Object(mapping)))
  for (const value of others.filter((one) => !values.includes(one)))
    report("discriminator-mapping-added", `has the kind ${JSON.stringify(value)} now`)
  for (const value of values.filter((one) => !others.includes(one)))
    report("discriminator-mapping-deleted", `no longer has the kind ${JSON.stringify(value)}`)
}

function listValues(schema: Schema): readonly string[] | undefined {
  const values = "const" in schema ? [schema.const] : schema.enum
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined
}
