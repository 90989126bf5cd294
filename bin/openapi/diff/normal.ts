/** Schemas in one form, so that different spellings of the same type compare as equal. */
import type { Schema } from "../../../lib/openapi/schema.ts"

/** A schema without references, `null` and `allOf`. */
export interface Normal {
  readonly schema: Schema
  readonly isNullable: boolean
  /** Members of a union, without `null`; null for any other type. */
  readonly members: readonly Schema[] | null
}

/** The shared parts of a document. */
export type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>

/** Returns the object that a reference refers to; any other as it is. */
export function resolve(value: Schema, components: Components): Schema {
  let found = value
  // A chain of references that is longer leads in a circle.
  for (let depth = 0; typeof found.$ref === "string" && depth < 20; depth++) {
    const [, , group = "", name = ""] = found.$ref.split("/")
    const { $ref: _, ...siblings } = found
    found = { ...components[group]?.[decodeURIComponent(name)], ...siblings }
  }
  return found
}

/** Returns a schema in its normal form. */
export function normal(given: Schema, components: Components): Normal {
  const schema = merged(resolve(given, components), components)
  const either = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined
  if (either) {
    const members = either.filter((one) => !isNull(resolve(one, components)))
    const hasNull = members.length < either.length
    const { oneOf: _, anyOf: __, ...rest } = schema
    if (members.length === 1) {
      const only = normal(members[0] as Schema, components)
      return { ...only, schema: { ...only.schema, ...rest }, isNullable: only.isNullable || hasNull }
    }
    return { schema: rest, isNullable: hasNull, members }
  }
  const types = [schema.type ?? []].flat()
  const isNullable = schema.nullable === true || types.includes("null")
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

/** Merges the parts of an `allOf`, as far as they are objects. */
function merged(schema: Schema, components: Components): Schema {
  if (!Array.isArray(schema.allOf)) return schema
  const { allOf, ...rest } = schema
  const parts = [...(allOf as Schema[]).map((part) => merged(resolve(part, components), components)), rest]
  const all: Schema = {}
  for (const part of parts) {
    const properties = { ...Object(all.properties), ...Object(part.properties) }
    const required = [...new Set([all.required ?? [], part.required ?? []].flat())]
    Object.assign(all, part)
    if (Object.keys(properties).length > 0) Object.assign(all, { properties, required })
  }
  return all
}

/** Returns the types of a schema; null for any type. */
export function typesOf({ type, properties, items, ...rest }: Schema): readonly string[] | null {
  if (type !== undefined) return [type].flat() as string[]
  if (properties) return ["object"]
  if (items) return ["array"]
  const values = "const" in rest ? [rest.const] : rest.enum
  return Array.isArray(values) ? [...new Set(values.map((value) => typeof value))] : null
}

/** Returns true if a value of each of the types fits one of the wider ones. */
export function covers(wide: readonly string[] | null, types: readonly string[] | null): boolean {
  if (wide === null) return true
  return (
    types?.every((type) => wide.includes(type) || (type === "integer" && wide.includes("number"))) ?? false
  )
}
