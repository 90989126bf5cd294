/** Copies schemas out of a document: each tool has its own definitions, because a tool is read without the document. */
import type { Schema } from "./schema.ts"

const prefix = "#/components/schemas/"

/** Returns the schema of an object that takes no other properties. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** Keywords of a plain object, whose properties can be put next to others. */
const plain = ["type", "properties", "required", "description", "example", "examples", "title"]

/** Keywords whose values are data, not schemas. */
const data = ["const", "enum", "default", "example", "examples"]
/** Keywords whose values have schemas under names. */
const maps = ["properties", "patternProperties"]

type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>

/** Copies the schemas of one tool, and the components that they use. */
export class SchemaCopy {
  readonly #components: Components
  readonly #used = new Map<string, Schema>()

  constructor({ components = {} }: Schema) {
    this.#components = components as Components
  }

  /** The definitions that the copies use, under their keyword; empty without any. */
  get definitions(): { $defs?: Record<string, Schema> } {
    return this.#used.size > 0 ? { $defs: Object.fromEntries(this.#used) } : {}
  }

  /** Returns a copy. References lead to the definitions of the tool. */
  of(schema: Schema): Schema {
    return this.#copy(schema) as Schema
  }

  /** Returns the schema or the response that a reference leads to. */
  meant(schema: Schema): Schema {
    const [, , group = "", name = ""] = String(schema.$ref ?? "").split("/")
    const found = this.#components[group]?.[name]
    return found ? this.meant(found) : schema
  }

  /** Returns the properties of an object without any other conditions; null for every other schema. */
  plainObject(schema: Schema): { properties: Record<string, Schema>; required: readonly string[] } | null {
    const meant = this.meant(schema)
    const isPlain = meant.type === "object" && Object.keys(meant).every((key) => plain.includes(key))
    if (!isPlain || !meant.properties) return null
    const { properties, required = [] } = meant
    return { properties: properties as Record<string, Schema>, required: required as readonly string[] }
  }

  /** Returns a schema that is an object at its top, with its definitions; undefined for any other. */
  wholeObject(schema: Schema): Schema | undefined {
    const meant = this.meant(schema)
    const members = (meant.oneOf ?? meant.anyOf) as readonly Schema[] | undefined
    const isObject = meant.type === "object" || members?.every((one) => this.meant(one).type === "object")
    if (!isObject) return undefined
    return { type: "object", ...this.of(meant), ...this.definitions }
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#copy(item))
    if (typeof value !== "object" || value === null) return value
    // Its values are references into the document, and JSON Schema does not have it.
    const entries = Object.entries(value).filter(([key]) => key !== "discriminator")
    return Object.fromEntries(entries.map(([key, inner]) => [key, this.#copyKeyword(key, inner)]))
  }

  #copyKeyword(key: string, value: unknown): unknown {
    if (key === "$ref") return this.#define(String(value))
    if (data.includes(key)) return value
    if (!maps.includes(key)) return this.#copy(value)
    return Object.fromEntries(Object.entries(Object(value)).map(([name, inner]) => [name, this.#copy(inner)]))
  }

  #define(reference: string): string {
    if (!reference.startsWith(prefix)) return reference
    const name = reference.slice(prefix.length)
    const schema = this.#components.schemas?.[name]
    if (schema && !this.#used.has(name)) {
      // Kept before it is copied, because it may lead back to itself.
      this.#used.set(name, {})
      this.#used.set(name, this.of(schema))
    }
    return `#/$defs/${name}`
  }
}
