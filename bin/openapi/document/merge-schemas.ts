/**
 * Merges the JSON Schema of a validator with that of its type. The first has formats and ranges, the second has
 * names and comments.
 */
import type { JSONSchema } from "./model.ts"
import type { Schema, Schemas } from "./schemas.ts"

/**
 * Merges two schemas. The validator's schema comes first; the type adds the names of shared schemas and missing
 * descriptions. Definitions become components of the document.
 */
export function mergeSchemas(fromType: Schema, fromValidator: JSONSchema, schemas: Schemas): Schema {
  const { $schema: _, $id: __, $defs, definitions, ...rest } = fromValidator
  const defs = { ...(definitions as object), ...($defs as object) } as Record<string, Schema>
  const componentRefs = new Map<string, string>()
  for (const name of Object.keys(defs)) {
    const clean = name.replace(/[^A-Za-z0-9._-]/g, "_")
    componentRefs.set(name, schemas.add(/^_/.test(clean) ? `Schema${clean}` : clean, {}).$ref as string)
  }
  let root: string | undefined
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== "object" || value === null) return value
    const entries = Object.entries(value).map(([key, inner]) => {
      if (key !== "$ref" || typeof inner !== "string") return [key, rewrite(inner)]
      if (inner === "#") {
        root ??= schemas.add("Body", {}).$ref as string
        return [key, root]
      }
      const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(inner)?.[1]
      return [
        key,
        (name && componentRefs.get(decodeURIComponent(name.replaceAll("~1", "/").replaceAll("~0", "~")))) ?? inner,
      ]
    })
    return Object.fromEntries(entries)
  }
  for (const [name, schema] of Object.entries(defs))
    schemas.fill(componentRefs.get(name) as string, rewrite(schema) as Schema)
  const result = mergeLevel(schemas.resolve(fromType), rewrite(rest) as Schema)
  if (root === undefined) return result
  schemas.fill(root, result)
  return { $ref: root }
}

/** Merges two schemas and the schemas inside them that both have. */
function mergeLevel(fromType: Schema, fromValidator: Schema): Schema {
  if ("$ref" in fromValidator || "$ref" in fromType) return fromValidator
  const result: Schema = { ...pickAnnotations(fromType), ...fromValidator }
  const [typeProperties, ownProperties] = [fromType.properties, fromValidator.properties] as (
    | Record<string, Schema>
    | undefined
  )[]
  if (typeProperties && ownProperties) {
    result.properties = Object.fromEntries(
      Object.entries(ownProperties).map(([name, schema]) => [
        name,
        typeProperties[name] ? mergeLevel(typeProperties[name], schema) : schema,
      ]),
    )
  }
  const [items, ownItems] = [fromType.items, fromValidator.items]
  if (isSchema(items) && isSchema(ownItems)) result.items = mergeLevel(items, ownItems)
  return result
}

/** Returns the keywords of a schema that do not affect validation. */
function pickAnnotations({ description, deprecated, examples }: Schema): Schema {
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(examples !== undefined && { examples }),
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
