/** Converts types to JSON Schema (draft 2020-12, as in OpenAPI 3.1), and stores shared types under names. */
import { sortEntries } from "../../../lib/order.ts"
import { readComment } from "./comment.ts"
import { readAnnotations, readLimits } from "./constraints.ts"
import { findDiscriminator } from "./discriminator.ts"
import { anyFileType, findObjectType, toFormType } from "./form-type.ts"
import type { NamedType, PropertyData, TemplatePart, TypeData } from "./model.ts"
import { createTupleSchema, type openTuple } from "./tuple.ts"
import { indexByID, resolveType } from "./type-parts.ts"

/** A schema of the document. */
export type Schema = {
  [key: string]: unknown
  [declaredDate]?: true
  [keyTemplates]?: Readonly<Record<string, string>>
  [openTuple]?: { readonly rest: Schema; readonly tail: readonly Schema[] }
}

/**
 * Marks the schema of a `Date`, to distinguish it from a text with the same format. A symbol, because symbols do
 * not appear in JSON.
 */
export const declaredDate: unique symbol = Symbol("Date")

/**
 * The keys of `patternProperties` as template literal types: `data-${string}`. A symbol, because symbols do not
 * appear in JSON.
 */
export const keyTemplates: unique symbol = Symbol("keys")

/** The pattern of a bigint. The number of digits is limited, because parsing takes more than linear time. */
const integerPattern = "^-?\\d{1,1000}$"

/** The schemas that depend only on the kind of a type. For a kind that is missing here, the kind is the `type`. */
const fixedSchemas: { readonly [Kind in TypeData["kind"]]?: Schema } = {
  any: {},
  never: { not: {} },
  nothing: { type: "null" },
  bigint: { description: "A bigint, which JSON cannot hold: this answer fails when it is made." },
  date: { type: "string", format: "date-time", [declaredDate]: true },
  "integer-text": { type: "string", pattern: integerPattern },
  binary: { type: "string", contentMediaType: anyFileType },
}

/** The start of references to schemas in a document. */
export const componentPrefix = "#/components/schemas/"

/** Converts types to schemas, and stores the named schemas that are referred to. */
export class Schemas {
  readonly #types: ReadonlyMap<string, NamedType>
  readonly #typesByID: ReadonlyMap<string, TypeData>
  readonly #names: ReadonlyMap<string, string>
  readonly #components = new Map<string, Schema>()

  /**
   * Creates an instance without schemas.
   *
   * @param names the name of each type, by id.
   */
  constructor(types: readonly NamedType[], names: ReadonlyMap<string, string>) {
    this.#types = new Map(types.map((type) => [type.id, type]))
    this.#typesByID = indexByID(types)
    this.#names = names
  }

  /** The named schemas that are used, by name. */
  get components(): Record<string, Schema> {
    return Object.fromEntries(sortEntries(this.#components))
  }

  /**
   * Adds a schema that does not come from a type. Returns a reference to it. If the name is taken, it gets a
   * number.
   */
  add(name: string, schema: Schema): Schema {
    let free = name
    for (let n = 2; this.#components.has(free) || [...this.#names.values()].includes(free); n++) free = `${name}${n}`
    this.#components.set(free, schema)
    return { $ref: `${componentPrefix}${free}` }
  }

  /** Returns the schema to which a reference refers. Returns any other schema unchanged. */
  resolve(schema: Schema): Schema {
    const { $ref } = schema
    return (typeof $ref === "string" && this.#components.get($ref.slice(componentPrefix.length))) || schema
  }

  /** Sets the content of an added schema. It may be referred to before its content is known. */
  fill(ref: string, schema: Schema): void {
    this.#components.set(ref.slice(componentPrefix.length), schema)
  }

  /** Returns the schema of a type. */
  toSchema(type: TypeData): Schema {
    switch (type.kind) {
      case "string": {
        const { format, pattern, media } = type
        return {
          type: "string",
          ...(format && { format }),
          ...(format === "date-time" && { [declaredDate]: true }),
          ...(pattern && { pattern }),
          ...(media && { contentMediaType: media }),
        }
      }
      case "literal":
        return { type: typeof type.value, const: type.value }
      case "array":
        return { type: "array", items: this.toSchema(toItemType(type.items)) }
      case "tuple":
        return createTupleSchema(type, (one) => this.toSchema(toItemType(one)))
      case "object":
        return this.#toObject(type)
      case "union":
        return this.#toUnion(type.members)
      case "all":
        return type.members
          .map((member) => this.toSchema(member))
          .concat({ ...readLimits(type.tags?.comment) })
          .reduce(joinSchemas)
      case "named":
        return this.#toReference(type.id)
      default:
        return { ...(fixedSchemas[type.kind] ?? { type: type.kind }) }
    }
  }

  /** Returns the schema of a form. */
  toFormSchema(type: TypeData): Schema {
    return this.toSchema(toFormType(type, this.#types))
  }

  /** Returns the schema of a query. It is not shared, because each property becomes a parameter. */
  toQuerySchema(type: TypeData): Schema {
    const plain = toFormType(type, this.#types)
    return this.toSchema(findObjectType(plain, this.#types) ?? plain)
  }

  #toReference(id: string): Schema {
    const namedType = this.#types.get(id)
    const name = this.#names.get(id)
    if (!namedType || !name) return {}
    if (!this.#components.has(name)) {
      // The name is reserved first, because the type may refer to itself.
      this.#components.set(name, {})
      this.#components.set(name, {
        ...createDescription(namedType.comment),
        ...this.toSchema(namedType.type),
      })
    }
    return { $ref: `${componentPrefix}${name}` }
  }

  #toObject({ properties, values, patterns = [] }: Extract<TypeData, { kind: "object" }>): Schema {
    const entries = properties.map((property) => [property.name, this.#toProperty(property)] as const)
    const required = properties.filter(({ optional }) => !optional).map(({ name }) => name)
    return {
      type: "object",
      ...(entries.length > 0 && { properties: createObject(entries) }),
      ...(required.length > 0 && { required }),
      ...(patterns.length > 0 && {
        patternProperties: Object.fromEntries(patterns.map(({ pattern, type }) => [pattern, this.toSchema(type)])),
        [keyTemplates]: Object.fromEntries(
          patterns.map(({ pattern, template }) => [pattern, formatTemplate(template)]),
        ),
      }),
      ...(values && { additionalProperties: this.toSchema(values) }),
    }
  }

  #toProperty({ type, comment, default: requestDefault }: PropertyData): Schema {
    const isFile = resolveType(type, this.#typesByID).kind === "binary"
    // JSON.stringify writes {} for a file.
    const schema = this.toSchema(isFile ? { kind: "object", properties: [] } : type)
    return {
      ...createDescription(comment),
      ...schema,
      ...readAnnotations(comment),
      ...(requestDefault && { default: requestDefault.value }),
    }
  }

  #toUnion(all: readonly TypeData[]): Schema {
    const members = all.filter(({ kind }) => kind !== "nothing")
    const nullable = members.some(({ kind }) => kind === "null")
    const rest = members.filter(({ kind }) => kind !== "null")
    const discriminated = this.#toDiscriminatedUnion(rest)
    const parts = discriminated
      ? []
      : [...groupLiterals(rest), ...rest.filter(({ kind }) => kind !== "literal").map((type) => this.toSchema(type))]
    if (discriminated) return nullable ? { anyOf: [discriminated, { type: "null" }] } : discriminated
    const alternatives = mergeTypes(parts)
    if (!nullable) return alternatives.length === 1 ? (alternatives[0] as Schema) : { anyOf: alternatives }
    const [only] = alternatives
    if (alternatives.length === 1 && only && "type" in only && !("const" in only)) return addNull(only)
    return { anyOf: [...alternatives, { type: "null" }] }
  }

  /**
   * Returns the schema of a union of objects with a discriminator; null if no property distinguishes the objects.
   */
  #toDiscriminatedUnion(members: readonly TypeData[]): Schema | null {
    const objects = members.map((type) => this.#findObject(type))
    const resolve = (type: TypeData) => resolveType(type, this.#typesByID)
    const found = findDiscriminator(objects, resolve, (value) => typeof value === "string")
    if (!found) return null
    const oneOf = members.map((type) => this.toSchema(type))
    const refs = oneOf.map(({ $ref }) => $ref as string | undefined)
    if (refs.includes(undefined)) return { oneOf }
    const entries = found.values.flatMap((list, i) => list.map((value) => [String(value), refs[i]] as const))
    return { oneOf, discriminator: { propertyName: found.name, mapping: createObject(entries) } }
  }

  #findObject(type: TypeData): Extract<TypeData, { kind: "object" }> | null {
    return findObjectType(type, this.#types)
  }
}

/** Returns the type of an item with null instead of undefined, as JSON writes it. */
function toItemType(type: TypeData): TypeData {
  if (type.kind !== "union" || !type.members.some(({ kind }) => kind === "nothing")) return type
  return {
    kind: "union",
    members: [...type.members.filter(({ kind }) => kind !== "nothing"), { kind: "null" }],
  }
}

/** Combines literals of the same type into one schema. */
function groupLiterals(members: readonly TypeData[]): Schema[] {
  const groups = new Map<string, unknown[]>()
  for (const part of members) {
    if (part.kind !== "literal") continue
    const type = typeof part.value
    groups.set(type, [...(groups.get(type) ?? []), part.value])
  }
  return [...groups].map(([type, values]) =>
    values.length === 1 ? { type, const: values[0] } : { type, enum: values },
  )
}

/** Returns a schema for values that match both schemas. If these have conflicting keywords, it uses `allOf`. */
function joinSchemas(one: Schema, other: Schema): Schema {
  const keys = Object.keys(other)
  const isSame = (key: string) => !(key in one) || JSON.stringify(one[key]) === JSON.stringify(other[key])
  const stricterLimits = keys.map((key) => [key, findStricterLimit(key, one[key], other[key])] as const)
  if (stricterLimits.every(([key, value]) => value !== undefined || isSame(key)))
    return { ...one, ...other, ...Object.fromEntries(stricterLimits.filter(([, value]) => value !== undefined)) }
  return { ...one, allOf: [...((one.allOf ?? []) as Schema[]), other] }
}

/** Returns the stricter of two values of a limit; undefined for keywords that are not limits. */
function findStricterLimit(key: string, one: unknown, other: unknown): number | undefined {
  if (typeof one !== "number" || typeof other !== "number") return undefined
  if (/^(?:min|exclusiveMin)/.test(key)) return Math.max(one, other)
  return /^(?:max|exclusiveMax)/.test(key) ? Math.min(one, other) : undefined
}

/** Returns a schema for values that match at least one of several schemas. */
export function combineAnyOf(all: readonly Schema[]): Schema {
  const constants = all.flatMap(({ type, const: value, ...rest }) =>
    typeof type === "string" && value !== undefined && Object.keys(rest).length === 0 ? [{ type, value }] : [],
  )
  const [first] = constants
  if (first && constants.length === all.length && constants.every(({ type }) => type === first.type)) {
    const values = [...new Set(constants.map(({ value }) => value))]
    return values.length === 1 ? { type: first.type, const: first.value } : { type: first.type, enum: values }
  }
  const alternatives = mergeTypes(all)
  return alternatives.length === 1 ? (alternatives[0] as Schema) : { anyOf: alternatives }
}

/** Combines schemas that only have a type: `{ type: ["string", "number"] }`. Removes duplicates. */
function mergeTypes(parts: readonly Schema[]): Schema[] {
  const unique = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  const bare = unique.filter((part) => Object.keys(part).length === 1 && typeof part.type === "string")
  if (bare.length < 2) return unique
  const typeList = { type: bare.map(({ type }) => type) }
  return [typeList, ...unique.filter((part) => !bare.includes(part))]
}

function addNull(schema: Schema): Schema {
  const { type, enum: values } = schema
  const list = Array.isArray(values) ? { enum: [...values, null] } : {}
  return { ...schema, type: [...[type].flat(), "null"], ...list }
}

/** Creates an object that may also have a property `__proto__`. */
function createObject(entries: ReadonlyArray<readonly [string, unknown]>): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  return object
}

/** Returns a template literal type in TypeScript's notation. */
function formatTemplate(template: readonly TemplatePart[] = [{ any: "string" }]): string {
  const types = { string: "string", number: "number", integer: "bigint" }
  const parts = template.map((part) =>
    "text" in part ? part.text.replace(/[`\\]|\$(?=\{)/g, "\\$&") : `\${${types[part.any]}}`,
  )
  return `\`${parts.join("")}\``
}

/** Returns the description in a comment. */
function createDescription(comment: string | undefined): Schema {
  if (comment === undefined) return {}
  const { text, tags } = readComment(comment)
  const description = text || (tags.find(({ name }) => name === "summary")?.text ?? "")
  return description === "" ? {} : { description }
}
