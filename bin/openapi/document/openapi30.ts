/** Converts a document from OpenAPI 3.1 to 3.0.3, whose schemas are different. */
import type { Schema } from "./schemas.ts"

/** Keywords of JSON Schema that OpenAPI 3.0.3 does not have (§4.7.24). */
const unknownKeywords = new Set([
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

/** The schema for null. */
const nullSchema: Schema = { type: "object", nullable: true, enum: [null] }

/** Converts a document. */
export function toOpenAPI30(document: Schema): Schema {
  const paths = document.paths as Record<string, Record<string, Schema>>
  const pathsWithoutBodies = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, removeBody(method, operation)])),
    ]),
  )
  const { components, ...rest } = { ...document, paths: pathsWithoutBodies } as Schema & { components?: Schema }
  const schemas = components?.schemas as Record<string, Schema> | undefined
  const translatedSchemas = Object.fromEntries(
    Object.entries(schemas ?? {}).map(([name, schema]) => [name, translateSchema(schema)]),
  )
  const typedSchemas = schemas && (addTypes(translatedSchemas, translatedSchemas) as Record<string, Schema>)
  const otherParts = addTypes(translateSchemas(rest), translatedSchemas) as Schema
  const otherComponents = components && (translateSchemas({ ...components, schemas: undefined }) as Schema)
  return {
    ...otherParts,
    openapi: "3.0.3",
    ...(components && {
      components: { ...(typedSchemas && { schemas: typedSchemas }), ...removeUndefined(otherComponents as Schema) },
    }),
  }
}

/** Removes the body of a GET, HEAD or DELETE. It has no meaning in 3.0.3 (§4.7.10.1), and tools refuse it. */
function removeBody(method: string, operation: Schema): Schema {
  if (!["get", "head", "delete"].includes(method)) return operation
  const { requestBody: _, ...rest } = operation
  return rest
}

function removeUndefined(value: Schema): Schema {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

/** Converts every schema in a part of the document. References to responses lose their other fields. */
function translateSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translateSchemas)
  if (typeof value !== "object" || value === null) return value
  if ("$ref" in value) return { $ref: value.$ref }
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === "schema") return [key, translateSchema(inner as Schema)]
    // Examples are data and stay unchanged, even if they look like schemas.
    return [key, key === "example" || key === "examples" ? inner : translateSchemas(inner)]
  })
  return Object.fromEntries(entries)
}

/**
 * Adds a type to each nullable schema, because `nullable` has no effect without a type (§4.7.24.1). The type comes
 * from the target of the reference or from the members. If the members have several types, one member becomes
 * nullable instead.
 */
function addTypes(value: unknown, schemas: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(value)) return value.map((item) => addTypes(item, schemas))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const isData = ["example", "examples", "default", "enum"].includes(key)
    return [key, isData ? inner : addTypes(inner, schemas)]
  })
  const result = Object.fromEntries(entries) as Schema
  if (result.nullable !== true || result.type !== undefined) return result
  const type = findType(result, schemas, 0)
  return type === undefined ? moveNullable(result) : { type, ...result }
}

/** Moves `nullable` to a member that has a type. */
function moveNullable({ nullable, ...schema }: Schema): Schema {
  const key = schema.anyOf ? "anyOf" : "oneOf"
  const members = (schema[key] ?? []) as readonly Schema[]
  const index = members.findIndex(({ type }) => type !== undefined)
  const [before, member] = [members.slice(0, index), members[index]]
  if (!member) return { ...schema, nullable }
  return { ...schema, [key]: [...before, addNullable(member), ...members.slice(index + 1)] }
}

function addNullable(schema: Schema): Schema {
  return { ...schema, nullable: true, ...(Array.isArray(schema.enum) && { enum: addNull(schema.enum) }) }
}

/** Returns the type of a schema; undefined if it has none or several. */
function findType(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): unknown {
  const { $ref, type, allOf, anyOf, oneOf } = schema
  if (depth > 20) return undefined
  if (typeof $ref === "string") {
    const target = schemas[$ref.slice($ref.lastIndexOf("/") + 1)]
    return target && findType(target, schemas, depth + 1)
  }
  const parts = (allOf ?? anyOf ?? oneOf) as readonly Schema[] | undefined
  if (type !== undefined || !parts) return type
  const types = new Set(parts.map((part) => findType(part, schemas, depth + 1)))
  return types.size === 1 ? [...types][0] : undefined
}

/** Converts a schema and all schemas inside it. */
export function translateSchema(schema: Schema | boolean): Schema {
  if (typeof schema === "boolean") return schema ? {} : { not: {} }
  const { $ref, ...siblings } = schema
  if ($ref !== undefined) {
    // Keywords next to a reference are ignored (§4.7.23).
    return Object.keys(siblings).length === 0 ? { $ref } : { allOf: [{ $ref }], ...translateSchema(siblings) }
  }
  return splitNullableType(translateKeywords(schema))
}

function translateKeywords(schema: Schema): Schema {
  const result: Schema = {}
  for (const [key, value] of Object.entries(schema)) {
    if (unknownKeywords.has(key)) continue
    if (key === "const") result.enum = [value]
    else if (key === "examples") result.example = (value as unknown[])[0]
    else if (key === "contentMediaType") result.format = "binary"
    else if (key === "exclusiveMinimum" || key === "exclusiveMaximum")
      Object.assign(result, translateExclusive(key, value, schema))
    else if (key === "properties") result.properties = translateProperties(value as Record<string, Schema>)
    else if (key === "additionalProperties")
      result[key] = typeof value === "boolean" ? value : translateSchema(value as Schema)
    else if (key === "items" || key === "prefixItems") Object.assign(result, translateItems(schema))
    else if (key === "anyOf" || key === "oneOf" || key === "allOf")
      Object.assign(result, translateAlternatives(key, value as Schema[]))
    else if (key === "not") result.not = translateSchema(value as Schema)
    else result[key] = value
  }
  // An array must have `items` (§4.7.24.1).
  const needsItems = schema.type === "array" && result.items === undefined
  return { ...result, ...(needsItems && { items: {} }), ...translatePatternProperties(schema) }
}

/** Converts patternProperties, which 3.0.3 does not have: every additional property may have one of the values. */
function translatePatternProperties({ patternProperties, additionalProperties }: Schema): Schema {
  const values = Object.values((patternProperties ?? {}) as Record<string, Schema>)
  if (values.length === 0 || additionalProperties === true) return {}
  if (additionalProperties) values.push(additionalProperties as Schema)
  return { additionalProperties: translateAnyOf(values) }
}

function translateProperties(schemas: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, translateSchema(schema)]))
}

/** Converts an exclusive bound. In 3.0.3, the bound is a number, and a flag excludes it. */
function translateExclusive(key: string, value: unknown, schema: Schema): Schema {
  const bound = key === "exclusiveMinimum" ? "minimum" : "maximum"
  const other = schema[bound]
  const isStricter =
    typeof other !== "number" || (bound === "minimum" ? other <= (value as number) : other >= (value as number))
  return isStricter ? { [bound]: value, [key]: true } : {}
}

/** Converts a tuple to an array of all types of its items. */
function translateItems({ prefixItems, items: rest, minItems, maxItems }: Schema): Schema {
  const fixedItems = prefixItems as Schema[] | undefined
  if (!fixedItems) return { items: translateSchema((rest ?? {}) as Schema) }
  const all = [...fixedItems, ...(rest === undefined || rest === false ? [] : [rest as Schema])]
  const bounds = { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) }
  return { items: translateAnyOf(all), ...bounds }
}

/** Returns a schema for values that match at least one of the given schemas. Duplicates are removed. */
function translateAnyOf(schemas: readonly Schema[]): Schema {
  const unique = [...new Map(schemas.map((schema) => [JSON.stringify(translateSchema(schema)), schema])).values()]
  const [only] = unique
  if (unique.length > 1) return translateAlternatives("anyOf", unique)
  return only ? translateSchema(only) : {}
}

/**
 * Converts null among alternatives to `nullable`, because many tools would treat the null schema as a type of its
 * own.
 */
function translateAlternatives(key: string, schemas: readonly Schema[]): Schema {
  const others = key === "allOf" ? schemas : schemas.filter((schema) => !isNull(schema))
  const members = others.map(translateSchema)
  const [only] = members
  if (others.length === schemas.length || !only) return { [key]: schemas.map(translateSchema) }
  if (members.length > 1) return { [key]: members, nullable: true }
  if ("$ref" in only) return { allOf: [only], nullable: true }
  return addNullable(only)
}

function isNull(schema: Schema | boolean): boolean {
  return typeof schema === "object" && schema.type === "null"
}

function addNull(values: readonly unknown[]): unknown[] {
  return values.includes(null) ? [...values] : [...values, null]
}

/** Converts a list of types: null becomes `nullable`, several other types become `anyOf`. */
function splitNullableType(schema: Schema): Schema {
  const { type, ...rest } = schema
  if (type === "null") return { ...rest, ...nullSchema }
  if (!Array.isArray(type)) return schema
  const names = type.filter((name) => name !== "null")
  const nullable = names.length < type.length ? { nullable: true } : {}
  if (names.length === 1) return { type: names[0], ...nullable, ...rest }
  if (names.length === 0) return { ...rest, ...nullSchema }
  return { ...rest, anyOf: names.map((name) => ({ type: name, ...nullable })) }
}
