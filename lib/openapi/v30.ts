/** Converts a document from OpenAPI 3.1 to 3.0.3, with the older version's schemas. */
import type { Schema } from "./schema.ts"

/** Keywords of JSON Schema that 3.0.3 lacks (§4.7.24). */
const unknown = new Set([
  "$schema",
  "$id",
  "$defs",
  "$comment",
  "$anchor",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "dependentRequired",
  "dependentSchemas",
  "contains",
  "minContains",
  "maxContains",
  "contentEncoding",
  "contentSchema",
  "if",
  "then",
  "else",
])

/** A schema that allows only null. */
const onlyNull: Schema = { type: "object", nullable: true, enum: [null] }

/** Converts a document. */
export function toOpenAPI30(document: Schema): Schema {
  const paths = document.paths as Record<string, Record<string, Schema>>
  const bodyless = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, withoutBody(method, operation)]),
      ),
    ]),
  )
  const { components, ...rest } = { ...document, paths: bodyless } as Schema & { components?: Schema }
  const schemas = components?.schemas as Record<string, Schema> | undefined
  const bare = Object.fromEntries(
    Object.entries(schemas ?? {}).map(([name, schema]) => [name, translate(schema)]),
  )
  const translated = schemas && (typed(bare, bare) as Record<string, Schema>)
  const walked = typed(walk(rest), bare) as Schema
  const others = components && (walk({ ...components, schemas: undefined }) as Schema)
  return {
    ...walked,
    openapi: "3.0.3",
    ...(components && {
      components: { ...(translated && { schemas: translated }), ...withoutUndefined(others as Schema) },
    }),
  }
}

/**
 * Removes the body of a GET, HEAD or DELETE, which has no meaning in 3.0.3 (§4.7.10.1) and which tools
 * refuse.
 */
function withoutBody(method: string, operation: Schema): Schema {
  if (!["get", "head", "delete"].includes(method)) return operation
  const { requestBody: _, ...rest } = operation
  return rest
}

function withoutUndefined(value: Schema): Schema {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

/** Converts every schema in a part of the document. A reference to a response has no other fields. */
function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk)
  if (typeof value !== "object" || value === null) return value
  if ("$ref" in value) return { $ref: value.$ref }
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === "schema") return [key, translate(inner as Schema)]
    // Examples are data, even if they look like schemas.
    return [key, key === "example" || key === "examples" ? inner : walk(inner)]
  })
  return Object.fromEntries(entries)
}

/**
 * Adds a type to a nullable schema, because the flag has no effect without one (§4.7.24.1). It is the type of
 * the reference's target, or of the members. If they have several, the flag goes to one of them.
 */
function typed(value: unknown, schemas: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(value)) return value.map((item) => typed(item, schemas))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const isData = ["example", "examples", "default", "enum"].includes(key)
    return [key, isData ? inner : typed(inner, schemas)]
  })
  const made = Object.fromEntries(entries) as Schema
  if (made.nullable !== true || made.type !== undefined) return made
  const type = typeOf(made, schemas, 0)
  return type === undefined ? nullableMember(made) : { type, ...made }
}

/** Moves the flag to a member that has a type, because the members have several. */
function nullableMember({ nullable, ...schema }: Schema): Schema {
  const key = schema.anyOf ? "anyOf" : "oneOf"
  const members = (schema[key] ?? []) as readonly Schema[]
  const at = members.findIndex(({ type }) => type !== undefined)
  const [before, member] = [members.slice(0, at), members[at]]
  if (!member) return { ...schema, nullable }
  return { ...schema, [key]: [...before, withFlag(member), ...members.slice(at + 1)] }
}

function withFlag(schema: Schema): Schema {
  return { ...schema, nullable: true, ...(Array.isArray(schema.enum) && { enum: withNull(schema.enum) }) }
}

/** Returns the type of a schema; undefined if it has several or none. */
function typeOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): unknown {
  const { $ref, type, allOf, anyOf, oneOf } = schema
  if (depth > 20) return undefined
  if (typeof $ref === "string") {
    const meant = schemas[$ref.slice($ref.lastIndexOf("/") + 1)]
    return meant && typeOf(meant, schemas, depth + 1)
  }
  const parts = (allOf ?? anyOf ?? oneOf) as readonly Schema[] | undefined
  if (type !== undefined || !parts) return type
  const types = new Set(parts.map((part) => typeOf(part, schemas, depth + 1)))
  return types.size === 1 ? [...types][0] : undefined
}

/** Converts one schema and those in it. */
export function translate(schema: Schema | boolean): Schema {
  if (typeof schema === "boolean") return schema ? {} : { not: {} }
  const { $ref, ...siblings } = schema
  if ($ref !== undefined) {
    // Fields next to a reference are ignored (§4.7.23).
    return Object.keys(siblings).length === 0 ? { $ref } : { allOf: [{ $ref }], ...translate(siblings) }
  }
  return types(keywords(schema))
}

function keywords(schema: Schema): Schema {
  const made: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (unknown.has(key)) continue
    if (key === "const") made.enum = [value]
    else if (key === "examples") made.example = (value as unknown[])[0]
    else if (key === "contentMediaType") made.format = "binary"
    else if (key === "exclusiveMinimum" || key === "exclusiveMaximum")
      Object.assign(made, exclusive(key, value, schema))
    else if (key === "properties") made.properties = mapped(value as Record<string, Schema>)
    else if (key === "additionalProperties")
      made[key] = typeof value === "boolean" ? value : translate(value as Schema)
    else if (key === "items" || key === "prefixItems") Object.assign(made, items(schema))
    else if (key === "anyOf" || key === "oneOf" || key === "allOf")
      Object.assign(made, several(key, value as Schema[]))
    else if (key === "not") made.not = translate(value as Schema)
    else made[key] = value
  }
  // An array must describe its items (§4.7.24.1).
  const isBare = schema.type === "array" && made.items === undefined
  return { ...made, ...(isBare && { items: {} }), ...dictionary(schema) }
}

/** Converts patterns of keys, which 3.0.3 lacks: any further key may have these values. */
function dictionary({ patternProperties, additionalProperties }: Schema): Schema {
  const values = Object.values((patternProperties ?? {}) as Record<string, Schema>)
  if (values.length === 0 || additionalProperties === true) return {}
  if (additionalProperties) values.push(additionalProperties as Schema)
  return { additionalProperties: oneOfThese(values) }
}

function mapped(schemas: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, translate(schema)]))
}

/** Converts a bound. In 3.0.3 it is a number, and a flag excludes it. */
function exclusive(key: string, value: unknown, schema: Schema): Schema {
  const bound = key === "exclusiveMinimum" ? "minimum" : "maximum"
  const other = schema[bound]
  const isCloser =
    typeof other !== "number" ||
    (bound === "minimum" ? other <= (value as number) : other >= (value as number))
  return isCloser ? { [bound]: value, [key]: true } : {}
}

/** Converts a tuple to an array of any of its items. */
function items({ prefixItems, items: rest, minItems, maxItems }: Schema): Schema {
  const fixed = prefixItems as Schema[] | undefined
  if (!fixed) return { items: translate((rest ?? {}) as Schema) }
  const all = [...fixed, ...(rest === undefined || rest === false ? [] : [rest as Schema])]
  const bounds = { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) }
  return { items: oneOfThese(all), ...bounds }
}

/** Returns a schema for values of any of several schemas, each of them once. */
function oneOfThese(schemas: readonly Schema[]): Schema {
  const unique = [...new Map(schemas.map((schema) => [JSON.stringify(translate(schema)), schema])).values()]
  const [only] = unique
  if (unique.length > 1) return several("anyOf", unique)
  return only ? translate(only) : {}
}

/**
 * Converts null among alternatives to a flag, because many tools treat a member that allows only null as a
 * separate type.
 */
function several(key: string, schemas: readonly Schema[]): Schema {
  const others = key === "allOf" ? schemas : schemas.filter((schema) => !isNull(schema))
  const translated = others.map(translate)
  const [only] = translated
  if (others.length === schemas.length || !only) return { [key]: schemas.map(translate) }
  if (translated.length > 1) return { [key]: translated, nullable: true }
  if ("$ref" in only) return { allOf: [only], nullable: true }
  return withFlag(only)
}

function isNull(schema: Schema | boolean): boolean {
  return typeof schema === "object" && schema.type === "null"
}

function withNull(values: readonly unknown[]): unknown[] {
  return values.includes(null) ? [...values] : [...values, null]
}

/** Converts a list of types to one type and `nullable`. */
function types(schema: Schema): Schema {
  const { type, ...rest } = schema
  if (type === "null") return { ...rest, ...onlyNull }
  if (!Array.isArray(type)) return schema
  const names = type.filter((name) => name !== "null")
  const nullable = names.length < type.length ? { nullable: true } : {}
  if (names.length === 1) return { type: names[0], ...nullable, ...rest }
  if (names.length === 0) return { ...rest, ...onlyNull }
  return { ...rest, anyOf: names.map((name) => ({ type: name, ...nullable })) }
}
