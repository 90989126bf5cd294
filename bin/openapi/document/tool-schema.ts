/**
 * Copies schemas from a document into tools. Each tool gets its own definitions, because clients read it without
 * the document.
 */
import { componentPrefix, type Schema } from "./schemas.ts"

/** Returns the schema of an object that allows no other properties. */
export function createObjectSchema(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** The keywords of a simple object, whose properties can be combined with those of another object. */
const plainKeywords = ["type", "properties", "required", "description", "example", "examples", "title"]

/** Keywords whose values are data, and not schemas. */
const dataKeywords = ["const", "enum", "default", "example", "examples"]
/** Keywords whose values are schemas by name. */
const mapKeywords = ["properties", "patternProperties"]

type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>

/** Copies the schemas of one tool, with the components that they use. */
export class SchemaCopy {
  readonly #components: Components
  readonly #usedSchemas = new Map<string, Schema>()

  constructor({ components = {} }: Schema) {
    this.#components = components as Components
  }

  /** The copied definitions under `$defs`; an empty object if there are none. */
  get definitions(): { $defs?: Record<string, Schema> } {
    return this.#usedSchemas.size > 0 ? { $defs: Object.fromEntries(this.#usedSchemas) } : {}
  }

  /** Returns a copy of a schema. Its references lead to the definitions of the tool. */
  copy(schema: Schema): Schema {
    return this.#copy(schema) as Schema
  }

  /** Returns the schema or response to which a reference refers. */
  resolve(schema: Schema): Schema {
    const [, , group = "", name = ""] = String(schema.$ref ?? "").split("/")
    const found = this.#components[group]?.[name]
    return found ? this.resolve(found) : schema
  }

  /** Returns the properties of an object that has no other conditions; null for any other schema. */
  findPlainObject(schema: Schema): { properties: Record<string, Schema>; required: readonly string[] } | null {
    const target = this.resolve(schema)
    const isPlain = target.type === "object" && Object.keys(target).every((key) => plainKeywords.includes(key))
    if (!isPlain || !target.properties) return null
    const { properties, required = [] } = target
    return { properties: properties as Record<string, Schema>, required: required as readonly string[] }
  }

  /** Returns a copy of a schema together with its definitions; undefined if the schema is not that of an object. */
  copyWholeObject(schema: Schema): Schema | undefined {
    const target = this.resolve(schema)
    const members = (target.oneOf ?? target.anyOf) as readonly Schema[] | undefined
    const isObject = target.type === "object" || members?.every((one) => this.resolve(one).type === "object")
    if (!isObject) return undefined
    return { type: "object", ...this.copy(target), ...this.definitions }
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#copy(item))
    if (typeof value !== "object" || value === null) return value
    // `discriminator` is left out: JSON Schema does not have it, and its values are references into the document.
    const entries = Object.entries(value).filter(([key]) => key !== "discriminator")
    return Object.fromEntries(entries.map(([key, inner]) => [key, this.#copyKeyword(key, inner)]))
  }

  #copyKeyword(key: string, value: unknown): unknown {
    if (key === "$ref") return this.#copyDefinition(String(value))
    if (dataKeywords.includes(key)) return value
    if (!mapKeywords.includes(key)) return this.#copy(value)
    return Object.fromEntries(Object.entries(Object(value)).map(([name, inner]) => [name, this.#copy(inner)]))
  }

  #copyDefinition(reference: string): string {
    if (!reference.startsWith(componentPrefix)) return reference
    const name = reference.slice(componentPrefix.length)
    const schema = this.#components.schemas?.[name]
    if (schema && !this.#usedSchemas.has(name)) {
      // The name is stored before the schema is copied, because the schema may refer to itself.
      this.#usedSchemas.set(name, {})
      this.#usedSchemas.set(name, this.copy(schema))
    }
    return `#/$defs/${name}`
  }
}
