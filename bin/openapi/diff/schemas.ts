/** Finds the changes between two schemas. */
import type { Schema } from "../document/schemas.ts"
import { changeRules, type Rule, type SchemaRule, type Severity, schemaRules } from "./change.ts"
import {
  covers,
  getOwn,
  listTypes,
  type NormalSchema,
  normalize,
  resolveReference,
  type WholeDocument,
} from "./normal-schema.ts"
import { findConstant, matchMembers } from "./unions.ts"
import { compareDiscriminators, compareKeyword, compareLimits, compareValues, type ValueComparison } from "./values.ts"

/** The context of a comparison: where the schemas are used, and the function that receives the changes. */
export interface SchemaContext {
  /** True for data that clients send, false for data that they receive. */
  readonly isSent: boolean
  /** The start of the change's name, if the whole value changed: `request-body`. */
  readonly valuePrefix: string
  /** The start of the change's name, if a property changed: `request-property`. */
  readonly propertyPrefix: string
  readonly before: WholeDocument
  readonly after: WholeDocument
  readonly report: (kind: string, severity: Severity, message: string) => void
}

/** The schemas at one position in the old and the new version. */
interface SchemaPair {
  readonly before: Schema
  readonly after: Schema
  /** The position in the value, such as `tasks[].due`; `""` for the value itself. */
  readonly at: string
}

/** Compares two schemas with everything inside them, and reports the changes. */
export function compareSchemas(before: Schema, after: Schema, context: SchemaContext): void {
  new SchemaComparison(context).comparePair({ before, after, at: "" })
}

class SchemaComparison {
  readonly #context: SchemaContext
  /** Keys of the pairs that were compared. Without them, a type that contains itself would never end. */
  readonly #comparedPairs = new Set<string>()

  constructor(context: SchemaContext) {
    this.#context = context
  }

  comparePair({ before, after, at }: SchemaPair): void {
    const isNamed = before.$ref !== undefined && after.$ref !== undefined
    // Parts of an `allOf` may lead back to themselves, so these pairs get a key too.
    if (isNamed || before.allOf || after.allOf) {
      const key = isNamed ? `${before.$ref} ${after.$ref}` : JSON.stringify([before, after])
      if (this.#comparedPairs.has(key)) return
      this.#comparedPairs.add(key)
    }
    const old = normalize(before, this.#context.before)
    const now = normalize(after, this.#context.after)
    this.#compareNullable(old, now, at)
    this.#compareLifecycle(old.schema, now.schema, at)
    if (old.members || now.members) this.#compareUnion(old, now, at)
    else this.#comparePlain(old.schema, now.schema, at)
  }

  #compareNullable(old: NormalSchema, now: NormalSchema, at: string): void {
    // A schema that allows anything allows null too.
    if (isAny(old) || isAny(now)) return
    if (!old.isNullable && now.isNullable) this.#reportSchemaRule("became-nullable", at, "can be null now")
    if (old.isNullable && !now.isNullable) this.#reportSchemaRule("became-not-nullable", at, "can no longer be null")
  }

  #compareLifecycle(old: Schema, now: Schema, at: string): void {
    if (at === "") return
    if (!old.deprecated && now.deprecated) this.#reportSchemaRule("deprecated", at, "is deprecated")
    if (old.deprecated && !now.deprecated) this.#reportSchemaRule("reactivated", at, "is no longer deprecated")
  }

  #compareUnion(old: NormalSchema, now: NormalSchema, at: string): void {
    const { before, after } = this.#context
    const lists = [old, now].map(({ members, schema }) => members ?? [schema]) as [Schema[], Schema[]]
    const { pairs, removed, added } = matchMembers(lists, before, after)
    for (const [one, other] of pairs) this.comparePair({ before: one, after: other, at })
    for (const one of removed)
      this.#reportSchemaRule("one-of-removed", at, `is no longer ${describeMember(one, before)}`)
    for (const one of added) this.#reportSchemaRule("one-of-added", at, `can be ${describeMember(one, after)} now`)
    compareDiscriminators(Object(old.schema.discriminator), Object(now.schema.discriminator), (kind, text) =>
      this.#reportSchemaRule(kind, at, text),
    )
  }

  #comparePlain(old: Schema, now: Schema, at: string): void {
    if (!this.#compareTypes(old, now, at)) return
    const change: ValueComparison = {
      old,
      now,
      report: (kind, text) => this.#reportSchemaRule(kind, at, text),
      reportLimit: (severity, kind, text) => this.#reportForDirection(severity, kind, at, text),
    }
    compareValues(change)
    compareLimits(change)
    compareKeyword(change, "pattern", "pattern")
    // Defaults of parameters have rules of their own.
    if (this.#context.valuePrefix !== "request-parameter") compareKeyword(change, "default", "default-value")
    this.#compareProperties(old, now, at)
    this.#compareContents(old, now, at)
  }

  /**
   * Compares the types.
   *
   * @returns false if they differ so much that comparing anything else makes no sense.
   */
  #compareTypes(old: Schema, now: Schema, at: string): boolean {
    const [types, next] = [listTypes(old), listTypes(now)]
    const [wider, narrower] = [covers(next, types), covers(types, next)]
    const isList = Math.max(types?.length ?? 0, next?.length ?? 0) > 1
    const text = `is ${formatTypes(next)} now, and was ${formatTypes(types)}`
    if (wider && narrower) return this.#compareFormats(old, now, at)
    if (wider) this.#reportSchemaRule(isList ? "list-of-types-widened" : "type-generalized", at, text)
    else if (narrower && isList) this.#reportSchemaRule("list-of-types-narrowed", at, text)
    else if (narrower && !this.#context.isSent) this.#reportSchemaRule("type-specialized", at, text)
    else this.#reportSchemaRule("type-changed", at, text)
    return wider || narrower
  }

  #compareFormats(old: Schema, now: Schema, at: string): boolean {
    const [format, next] = [old, now].map((one) => one.format ?? one.contentMediaType)
    if (format === next) return true
    const text = `${next === undefined ? "has no format now" : `has the format ${next} now`}, and ${
      format === undefined ? "had none" : `had ${format}`
    }`
    if (next === undefined) this.#reportSchemaRule("type-generalized", at, text)
    else if (format === undefined && !this.#context.isSent) this.#reportSchemaRule("type-specialized", at, text)
    else this.#reportSchemaRule("type-changed", at, text)
    return true
  }

  #compareProperties(old: Schema, now: Schema, at: string): void {
    // A property that only the other side sends does not occur in this direction (OpenAPI 3.1.0 §4.8.24.2).
    const absentMark = this.#context.isSent ? "readOnly" : "writeOnly"
    const [properties, others] = [old, now].map((one) => {
      const all = Object.entries(Object(one.properties) as Record<string, Schema>)
      return Object.fromEntries(all.filter(([, schema]) => schema[absentMark] !== true))
    }) as [Record<string, Schema>, Record<string, Schema>]
    const [oldRequired, newRequired] = [old, now].map((one) => (one.required ?? []) as readonly string[]) as [
      readonly string[],
      readonly string[],
    ]
    for (const [name, schema] of Object.entries(properties)) {
      const path = joinPath(at, name)
      const after = getOwn(others, name)
      const [wasRequired, isRequired] = [oldRequired.includes(name), newRequired.includes(name)]
      if (!after) this.#reportRemoved(path, wasRequired)
      else {
        if (wasRequired !== isRequired)
          this.#reportRequiredness(path, isRequired, "default" in resolveReference(after, this.#context.after))
        this.comparePair({ before: schema, after, at: path })
      }
    }
    for (const [name, schema] of Object.entries(others))
      if (!Object.hasOwn(properties, name))
        this.#reportAdded(
          joinPath(at, name),
          newRequired.includes(name),
          "default" in resolveReference(schema, this.#context.after),
        )
  }

  #reportRemoved(path: string, wasRequired: boolean): void {
    const { isSent } = this.#context
    if (isSent) this.#reportRule("request-property-removed", `${path} was removed`)
    else
      this.#reportRule(
        wasRequired ? "response-required-property-removed" : "response-optional-property-removed",
        `${path} was removed`,
      )
  }

  #reportAdded(path: string, isRequired: boolean, hasDefault: boolean): void {
    const text = `${isRequired ? "the required" : "the optional"} ${path} was added`
    if (!this.#context.isSent)
      this.#reportRule(isRequired ? "response-required-property-added" : "response-optional-property-added", text)
    else if (!isRequired) this.#reportRule("new-optional-request-property", text)
    else
      this.#reportRule(
        hasDefault ? "new-required-request-property-with-default" : "new-required-request-property",
        text,
      )
  }

  #reportRequiredness(path: string, isRequired: boolean, hasDefault: boolean): void {
    const text = isRequired ? `${path} is required now` : `${path} is optional now`
    const start = this.#context.isSent ? "request-property" : "response-property"
    if (!isRequired) this.#reportRule(`${start}-became-optional`, text)
    else if (this.#context.isSent && hasDefault) this.#reportRule("request-property-became-required-with-default", text)
    else this.#reportRule(`${start}-became-required`, text)
  }

  /** Compares the items of arrays and the values of records. */
  #compareContents(old: Schema, now: Schema, at: string): void {
    const parts: [unknown, unknown, string][] = [
      [old.items, now.items, `${at}[]`],
      [old.additionalProperties, now.additionalProperties, `${at}[…]`],
    ]
    const [first, others] = [old, now].map((one) => (one.prefixItems ?? []) as Schema[]) as [Schema[], Schema[]]
    for (const [n, schema] of first.entries()) parts.push([schema, others[n], `${at}[${n}]`])
    for (const [before, after, place] of parts)
      if (isSchema(before) && isSchema(after)) this.comparePair({ before, after, at: place })
    const [patterns, next] = [old, now].map((one) => Object(one.patternProperties) as Record<string, Schema>) as [
      Record<string, Schema>,
      Record<string, Schema>,
    ]
    for (const key of Object.keys(patterns)) {
      const after = getOwn(next, key)
      if (after) this.comparePair({ before: patterns[key] as Schema, after, at: `${at}[…]` })
      else this.#reportSchemaRule("pattern-property-removed", at, `no longer describes keys like ${key}`)
    }
    for (const key of Object.keys(next).filter((one) => !Object.hasOwn(patterns, one)))
      this.#reportSchemaRule("pattern-property-added", at, `describes keys like ${key} now`)
  }

  #reportForDirection(severity: readonly [Severity, Severity], kind: string, at: string, text: string): void {
    const { isSent, report } = this.#context
    report(`${this.#toKindPrefix(at)}-${kind}`, severity[isSent ? 0 : 1], `${toPlaceName(at)} ${text}`)
  }

  #reportSchemaRule(kind: SchemaRule, at: string, text: string): void {
    this.#reportForDirection(schemaRules[kind], kind, at, text)
  }

  #reportRule(kind: Rule, message: string): void {
    this.#context.report(kind, changeRules[kind], message)
  }

  #toKindPrefix(at: string): string {
    return at === "" ? this.#context.valuePrefix : this.#context.propertyPrefix
  }
}

function isAny({ schema, members }: NormalSchema): boolean {
  return members === null && listTypes(schema) === null
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null
}

function joinPath(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`
}

/** Returns the name of a position for messages. */
function toPlaceName(at: string): string {
  return at === "" ? "it" : at
}

function formatTypes(types: readonly string[] | null): string {
  return types === null ? "any value" : types.join(" or ")
}

/** Returns a short description of a union's member. */
function describeMember(schema: Schema, components: WholeDocument): string {
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) as string
  const { const: only, ...rest } = resolveReference(schema, components)
  if (only !== undefined) return JSON.stringify(only)
  const members = findConstant(rest) ?? Object.keys(Object(rest.properties)).slice(0, 3).join(", ")
  return `${formatTypes(listTypes(rest))}${members && ` with ${members}`}`
}
