/** Changes between two schemas. */
import type { Schema } from "../../../lib/openapi/schema.ts"
import { type Rule, rules, type SchemaRule, type Severity, schemaRules } from "./change.ts"
import { covers, type Normal, normal, own, resolve, typesOf, type Whole } from "./normal.ts"
import { constantOf, matchMembers } from "./unions.ts"
import {
  compareDefaults,
  compareDiscriminators,
  compareLimits,
  comparePatterns,
  compareValues,
  type Saying,
} from "./values.ts"

/** The direction of the values that are compared, and the receiver of the changes. */
export interface SchemaContext {
  /** True for what a client sends. */
  readonly isSent: boolean
  /** Start of kinds for the whole value: `request-body`. */
  readonly whole: string
  /** Start of kinds for a property: `request-property`. */
  readonly property: string
  readonly before: Whole
  readonly after: Whole
  readonly report: (kind: string, severity: Severity, message: string) => void
}

/** A pair of schemas at one place. */
interface Pair {
  readonly before: Schema
  readonly after: Schema
  /** Place in the value, such as `tasks[].due`; `""` for the value itself. */
  readonly at: string
}

/** Compares schemas and everything in them, and reports the changes. */
export function compareSchemas(before: Schema, after: Schema, context: SchemaContext): void {
  new Comparison(context).pair({ before, after, at: "" })
}

class Comparison {
  readonly #context: SchemaContext
  /** Pairs that were compared, because types may contain themselves. */
  readonly #seen = new Set<string>()

  constructor(context: SchemaContext) {
    this.#context = context
  }

  pair({ before, after, at }: Pair): void {
    const isNamed = before.$ref !== undefined && after.$ref !== undefined
    // What several parts say about one property may lead back to these parts.
    if (isNamed || before.allOf || after.allOf) {
      const key = isNamed ? `${before.$ref} ${after.$ref}` : JSON.stringify([before, after])
      if (this.#seen.has(key)) return
      this.#seen.add(key)
    }
    const old = normal(before, this.#context.before)
    const now = normal(after, this.#context.after)
    this.#nullable(old, now, at)
    this.#lifecycle(old.schema, now.schema, at)
    if (old.members || now.members) this.#union(old, now, at)
    else this.#plain(old.schema, now.schema, at)
  }

  #nullable(old: Normal, now: Normal, at: string): void {
    // A type without any limits includes null.
    if (isAny(old) || isAny(now)) return
    if (!old.isNullable && now.isNullable) this.#say("became-nullable", at, "can be null now")
    if (old.isNullable && !now.isNullable) this.#say("became-not-nullable", at, "can no longer be null")
  }

  #lifecycle(old: Schema, now: Schema, at: string): void {
    if (at === "") return
    if (!old.deprecated && now.deprecated) this.#say("deprecated", at, "is deprecated")
    if (old.deprecated && !now.deprecated) this.#say("reactivated", at, "is no longer deprecated")
  }

  #union(old: Normal, now: Normal, at: string): void {
    const { before, after } = this.#context
    const lists = [old, now].map(({ members, schema }) => members ?? [schema]) as [Schema[], Schema[]]
    const { pairs, removed, added } = matchMembers(lists, before, after)
    for (const [one, other] of pairs) this.pair({ before: one, after: other, at })
    for (const one of removed) this.#say("one-of-removed", at, `is no longer ${shown(one, before)}`)
    for (const one of added) this.#say("one-of-added", at, `can be ${shown(one, after)} now`)
    compareDiscriminators(Object(old.schema.discriminator), Object(now.schema.discriminator), (kind, text) =>
      this.#say(kind, at, text),
    )
  }

  #plain(old: Schema, now: Schema, at: string): void {
    if (!this.#types(old, now, at)) return
    const change: Saying = {
      old,
      now,
      say: (kind, text) => this.#say(kind, at, text),
      limit: (severity, kind, text) => this.#limit(severity, kind, at, text),
    }
    compareValues(change)
    compareLimits(change)
    comparePatterns(change)
    // Those of parameters have rules of their own.
    if (this.#context.whole !== "request-parameter") compareDefaults(change)
    this.#properties(old, now, at)
    this.#contents(old, now, at)
  }

  /** Compares types. @returns false if they differ so much that nothing else is worth comparing. */
  #types(old: Schema, now: Schema, at: string): boolean {
    const [types, next] = [typesOf(old), typesOf(now)]
    const [wider, narrower] = [covers(next, types), covers(types, next)]
    const isList = Math.max(types?.length ?? 0, next?.length ?? 0) > 1
    const text = `is ${typeText(next)} now, and was ${typeText(types)}`
    if (wider && narrower) return this.#formats(old, now, at)
    if (wider) this.#say(isList ? "list-of-types-widened" : "type-generalized", at, text)
    else if (narrower && isList) this.#say("list-of-types-narrowed", at, text)
    else if (narrower && !this.#context.isSent) this.#say("type-specialized", at, text)
    else this.#say("type-changed", at, text)
    return wider || narrower
  }

  #formats(old: Schema, now: Schema, at: string): boolean {
    const [format, next] = [old, now].map((one) => one.format ?? one.contentMediaType)
    if (format === next) return true
    const text = `${next === undefined ? "has no format now" : `has the format ${next} now`}, and ${
      format === undefined ? "had none" : `had ${format}`
    }`
    if (next === undefined) this.#say("type-generalized", at, text)
    else if (format === undefined && !this.#context.isSent) this.#say("type-specialized", at, text)
    else this.#say("type-changed", at, text)
    return true
  }

  #properties(old: Schema, now: Schema, at: string): void {
    // What only the other side sends is no part of this direction (OpenAPI 3.1.0 §4.8.24.2).
    const unsent = this.#context.isSent ? "readOnly" : "writeOnly"
    const [properties, others] = [old, now].map((one) => {
      const all = Object.entries(Object(one.properties) as Record<string, Schema>)
      return Object.fromEntries(all.filter(([, schema]) => schema[unsent] !== true))
    }) as [Record<string, Schema>, Record<string, Schema>]
    const [needed, required] = [old, now].map((one) => (one.required ?? []) as readonly string[]) as [
      readonly string[],
      readonly string[],
    ]
    for (const [name, schema] of Object.entries(properties)) {
      const place = join(at, name)
      const after = own(others, name)
      const [was, is] = [needed.includes(name), required.includes(name)]
      if (!after) this.#removed(place, was)
      else {
        if (was !== is) this.#requiredness(place, is, "default" in resolve(after, this.#context.after))
        this.pair({ before: schema, after, at: place })
      }
    }
    for (const [name, schema] of Object.entries(others))
      if (!Object.hasOwn(properties, name))
        this.#added(
          join(at, name),
          required.includes(name),
          "default" in resolve(schema, this.#context.after),
        )
  }

  #removed(place: string, wasRequired: boolean): void {
    const { isSent } = this.#context
    if (isSent) this.#rule("request-property-removed", `${place} was removed`)
    else
      this.#rule(
        wasRequired ? "response-required-property-removed" : "response-optional-property-removed",
        `${place} was removed`,
      )
  }

  #added(place: string, isRequired: boolean, hasDefault: boolean): void {
    const text = `${isRequired ? "the required" : "the optional"} ${place} was added`
    if (!this.#context.isSent)
      this.#rule(isRequired ? "response-required-property-added" : "response-optional-property-added", text)
    else if (!isRequired) this.#rule("new-optional-request-property", text)
    else
      this.#rule(
        hasDefault ? "new-required-request-property-with-default" : "new-required-request-property",
        text,
      )
  }

  #requiredness(place: string, isRequired: boolean, hasDefault: boolean): void {
    const text = isRequired ? `${place} is required now` : `${place} is optional now`
    const start = this.#context.isSent ? "request-property" : "response-property"
    if (!isRequired) this.#rule(`${start}-became-optional`, text)
    else if (this.#context.isSent && hasDefault)
      this.#rule("request-property-became-required-with-default", text)
    else this.#rule(`${start}-became-required`, text)
  }

  /** Compares items of arrays and values of records. */
  #contents(old: Schema, now: Schema, at: string): void {
    const parts: [unknown, unknown, string][] = [
      [old.items, now.items, `${at}[]`],
      [old.additionalProperties, now.additionalProperties, `${at}[…]`],
    ]
    const [first, others] = [old, now].map((one) => (one.prefixItems ?? []) as Schema[]) as [
      Schema[],
      Schema[],
    ]
    for (const [n, schema] of first.entries()) parts.push([schema, others[n], `${at}[${n}]`])
    for (const [before, after, place] of parts)
      if (isSchema(before) && isSchema(after)) this.pair({ before, after, at: place })
    const [patterns, next] = [old, now].map(
      (one) => Object(one.patternProperties) as Record<string, Schema>,
    ) as [Record<string, Schema>, Record<string, Schema>]
    for (const key of Object.keys(patterns)) {
      const after = own(next, key)
      if (after) this.pair({ before: patterns[key] as Schema, after, at: `${at}[…]` })
      else this.#say("pattern-property-removed", at, `no longer describes keys like ${key}`)
    }
    for (const key of Object.keys(next).filter((one) => !Object.hasOwn(patterns, one)))
      this.#say("pattern-property-added", at, `describes keys like ${key} now`)
  }

  #limit(severity: readonly [Severity, Severity], kind: string, at: string, text: string): void {
    const { isSent, report } = this.#context
    report(`${this.#start(at)}-${kind}`, severity[isSent ? 0 : 1], `${nameOf(at)} ${text}`)
  }

  #say(kind: SchemaRule, at: string, text: string): void {
    this.#limit(schemaRules[kind], kind, at, text)
  }

  #rule(kind: Rule, message: string): void {
    this.#context.report(kind, rules[kind], message)
  }

  #start(at: string): string {
    return at === "" ? this.#context.whole : this.#context.property
  }
}

function isAny({ schema, members }: Normal): boolean {
  return members === null && typesOf(schema) === null
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`
}

/** Returns the name of a place; the value itself has the name of its place in the operation. */
function nameOf(at: string): string {
  return at === "" ? "it" : at
}

function typeText(types: readonly string[] | null): string {
  return types === null ? "any value" : types.join(" or ")
}

/** Returns a short text for a member of a union. */
function shown(schema: Schema, components: Whole): string {
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) as string
  const { const: only, ...rest } = resolve(schema, components)
  if (only !== undefined) return JSON.stringify(only)
  const members = constantOf(rest) ?? Object.keys(Object(rest.properties)).slice(0, 3).join(", ")
  return `${typeText(typesOf(rest))}${members && ` with ${members}`}`
}
