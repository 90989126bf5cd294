/** Normalizes schemas, so that different spellings of the same type are equal. */
import type { Schema } from "../document/schemas.ts"

/** A schema that has no reference, `null` or `allOf` at its top level. */
export interface NormalSchema {
  readonly schema: Schema
  readonly isNullable: boolean
  /** The members of a union, without `null`; null for any other type. */
  readonly members: readonly Schema[] | null
}

/** A document, in which references are resolved. */
export type WholeDocument = Readonly<Record<string, unknown>>

/** Returns the object to which a reference refers. Returns any other object unchanged. */
export function resolveReference(value: Schema, document: WholeDocument): Schema {
  let found = value
  // A longer chain of references is a circle.
  for (let depth = 0; typeof found.$ref === "string" && depth < 20; depth++) {
    const { $ref, ...siblings } = found
    found = { ...Object(resolvePointer($ref as string, document)), ...siblings }
  }
  return found
}

/** Returns the part of a document that a JSON pointer in a fragment names (RFC 6901 §6). */
function resolvePointer($ref: string, document: WholeDocument): unknown {
  const [file, pointer = ""] = $ref.split("#")
  if (file !== "") return undefined
  const keys = pointer.split("/").slice(1)
  return keys.reduce<unknown>((at, key) => {
    const name = decode(key).replaceAll("~1", "/").replaceAll("~0", "~")
    return getOwn(Object(at) as WholeDocument, name)
  }, document)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns an object's own value. A key from a document may be the name of an inherited member, such as `toString`.
 */
export function getOwn<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/**
 * Returns the normal form of a schema.
 *
 * @param ancestors the only members of unions through which this schema was reached.
 */
export function normalize(original: Schema, document: WholeDocument, ancestors: readonly Schema[] = []): NormalSchema {
  const schema = mergeAllOf(resolveReference(original, document), document)
  const either = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined
  if (either) {
    const members = either.filter((one) => !isNull(resolveReference(one, document)))
    const hasNull = members.length < either.length
    const { oneOf: _, anyOf: __, ...rest } = schema
    const [first = {}] = members
    if (members.length === 1 && !ancestors.some(({ $ref }) => $ref !== undefined && $ref === first.$ref)) {
      const only = normalize(first, document, [...ancestors, first])
      return { ...only, schema: { ...only.schema, ...rest }, isNullable: only.isNullable || hasNull }
    }
    return { schema: rest, isNullable: hasNull, members }
  }
  const types = [schema.type ?? []].flat()
  const values = "const" in schema ? [schema.const] : schema.enum
  const isListed = types.length === 0 && Array.isArray(values) && values.includes(null)
  const isNullable = schema.nullable === true || types.includes("null") || isListed
  const { nullable: _, ...rest } = schema
  const plain = types.filter((type) => type !== "null")
  return {
    schema: {
      ...rest,
      ...(types.length > 0 && { type: plain }),
      ...(Array.isArray(schema.enum) && { enum: schema.enum.filter((value) => value !== null) }),
    },
    isNullable,
    members: null,
  }
}

function isNull({ type }: Schema): boolean {
  return type === "null" || (Array.isArray(type) && type.length === 1 && type[0] === "null")
}

/**
 * Merges the schemas of an `allOf`. A schema that contains itself adds nothing.
 *
 * @param ancestors the references through which this schema was reached.
 */
function mergeAllOf(schema: Schema, document: WholeDocument, ancestors: readonly unknown[] = []): Schema {
  if (!Array.isArray(schema.allOf)) return schema
  const { allOf, ...rest } = schema
  const parts = (allOf as Schema[])
    .filter(({ $ref }) => $ref === undefined || !ancestors.includes($ref))
    .map((part) => mergeAllOf(resolveReference(part, document), document, [...ancestors, part.$ref]))
  const all: Schema = {}
  for (const part of [...parts, rest])
    for (const [key, value] of Object.entries(part))
      all[key] = key in all ? combineKeyword(key, all[key], value) : value
  return all
}

/**
 * Returns a schema for values that match all the given ones. Nested `allOf` are flattened, so that circular ones
 * end.
 */
function combineSchemas(...schemas: readonly Schema[]): Schema {
  const parts = schemas.flatMap((one) => {
    const isOnlyParts = Array.isArray(one.allOf) && Object.keys(one).length === 1
    return isOnlyParts ? (one.allOf as Schema[]) : [one]
  })
  const unique = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  return unique.length === 1 ? (unique[0] as Schema) : { allOf: unique }
}

/** Combines the values of a keyword in two schemas, because data must match both. */
function combineKeyword(key: string, one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  if (key === "required") return [...new Set([one, other].flat())]
  if (key === "properties" || key === "patternProperties") {
    const [left, right] = [one, other].map(Object) as [Record<string, Schema>, Record<string, Schema>]
    const shared = Object.entries(right).map(([name, schema]) => {
      const known = getOwn(left, name)
      return [name, known ? combineSchemas(known, schema) : schema] as const
    })
    return { ...left, ...Object.fromEntries(shared) }
  }
  if (key === "items" || key === "additionalProperties")
    return typeof one === "object" && typeof other === "object"
      ? combineSchemas(Object(one), Object(other))
      : one && other
  if (key === "enum") return (one as unknown[]).filter((value) => (other as unknown[]).includes(value))
  if (key === "pattern") return `${one} and ${other}`
  if (typeof one === "number" && typeof other === "number" && /^(?:exclusive)?(?:min|max)/i.test(key))
    return /min/i.test(key) ? Math.max(one, other) : Math.min(one, other)
  return other
}

/** Returns the types that a schema allows; null if it allows any type. */
export function listTypes({ type, properties, items, ...rest }: Schema): readonly string[] | null {
  if (type !== undefined) return [type].flat() as string[]
  if (properties) return ["object"]
  if (items) return ["array"]
  const values = "const" in rest ? [rest.const] : rest.enum
  return Array.isArray(values) ? [...new Set(values.map((value) => typeof value))] : null
}

/** Returns true if the wide types include all the others. */
export function covers(wide: readonly string[] | null, types: readonly string[] | null): boolean {
  if (wide === null) return true
  return types?.every((type) => wide.includes(type) || (type === "integer" && wide.includes("number"))) ?? false
}
