/** JSON Schemas of what tools answer, written short. */
import type { AnswerSchema } from "./tool.ts"

/** A text. */
export const text = { type: "string" }
/** A list of texts. */
export const texts = { type: "array", items: text }
/** A whole number. */
export const count = { type: "integer" }
/** A boolean. */
export const flag = { type: "boolean" }

/** Returns the schema of an answer, which has all of these fields. `$defs` are parts that it has several times. */
export function answer(properties: Record<string, object>, $defs?: Record<string, object>): AnswerSchema {
  return { type: "object", ...grouped(properties), ...($defs && { $defs }) }
}

/** Returns the schema of an object that has all of these fields. */
export function object(properties: Record<string, object>): object {
  return { type: "object", ...grouped(properties) }
}

/** The keywords of an object's properties. */
interface Grouped {
  readonly properties?: Record<string, object>
  readonly patternProperties?: Record<string, object>
}

/**
 * Returns the keywords for some properties. Several with the same schema are one pattern where that is shorter, because
 * an agent pays for each byte of the list.
 */
function grouped(all: Record<string, object>): Grouped {
  const groups = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(all)) {
    const key = JSON.stringify(schema)
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const properties: Record<string, object> = { ...all }
  const patterns: Record<string, object> = {}
  for (const [key, names] of groups) {
    const [first = ""] = names
    // Each name saves its copy of the schema, quotes, a colon and a comma, and costs a bar; a pattern costs 10 bytes.
    if ((names.length - 1) * (key.length + 3) < 10 + (Object.keys(patterns).length > 0 ? 0 : 25)) continue
    for (const name of names) delete properties[name]
    patterns[`^(?:${names.join("|")})$`] = all[first] as object
  }
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
  }
}

/** Returns the schema of an object whose fields have the same schema. It is shorter than one with each field. */
export function record(names: readonly string[], schema: object): object {
  return { type: "object", propertyNames: { enum: names }, additionalProperties: schema }
}

/** Returns the schema of a list of objects. */
export function list(properties: Record<string, object>): object {
  return { type: "array", items: object(properties) }
}

/** Returns a reference to one of the `$defs`. */
export function ref(name: string): object {
  return { $ref: `#/$defs/${name}` }
}

/** Returns a schema that also allows null. */
export function orNull(schema: object): object {
  return "type" in schema ? { ...schema, type: [schema.type, "null"] } : { anyOf: [schema, { type: "null" }] }
}
