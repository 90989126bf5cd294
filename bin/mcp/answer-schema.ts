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
  return { type: "object", properties, ...($defs && { $defs }) }
}

/** Returns the schema of an object that has all of these fields. */
export function object(properties: Record<string, object>): object {
  return { type: "object", properties }
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
