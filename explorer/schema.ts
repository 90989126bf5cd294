/** Shows a schema. One level is shown at a time. */
import type { Api, Schema } from "./document.ts"
import { type Child, h, renderProse } from "./dom.ts"
import { mergeAllOf } from "./merge-all-of.ts"

/** Returns a short name for a type: `User[]`, `"a" | "b"`, `string (date-time) | null`. */
export function formatTypeName(schema: Schema | boolean | undefined): string {
  if (schema === true || schema === undefined) return "any"
  if (schema === false) return "never"
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
  const name = formatBareName(schema)
  return schema.nullable ? `${name} | null` : name
}

function formatBareName(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  const either = schema.oneOf ?? schema.anyOf
  if (either) return either.map(formatTypeName).join(" | ")
  if (schema.allOf) return schema.allOf.map(formatTypeName).join(" & ")
  if (schema.prefixItems) return `[${schema.prefixItems.map(formatTypeName).join(", ")}]`
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties ? "object" : "any"
  return types.map((type) => formatType(type, schema)).join(" | ")
}

function formatType(type: string, schema: Schema): string {
  if (type === "array") {
    const item = formatTypeName(schema.items)
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (type === "object" && !schema.properties && typeof schema.additionalProperties === "object")
    return `{ [name]: ${formatTypeName(schema.additionalProperties)} }`
  return schema.format && type !== "null" ? `${type} (${schema.format})` : type
}

const limitTexts: Readonly<Record<string, (value: string) => string>> = {
  minimum: (value) => `at least ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  pattern: (value) => `matches ${value}`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  default: (value) => `default ${value}`,
}

/** Returns the limits of a value as text: `at least 1, default 20`. */
export function describeLimits(schema: Schema): string {
  const found = Object.entries(limitTexts).filter(([keyword]) => schema[keyword] !== undefined)
  return found.map(([keyword, words]) => words(JSON.stringify(schema[keyword]))).join(", ")
}

/** Returns the list of a schema's properties. Properties that have properties themselves open with a click. */
export function createSchemaView(api: Api, schema: Schema | undefined): HTMLElement {
  const target = findInnerSchema(api, schema)
  const title = h("p", { class: "type" }, h("code", {}, formatTypeName(schema)), createMeaning(api, schema, target))
  return h("div", { class: "schema" }, title, target && createLevel(api, target))
}

/** Returns what a named schema means if it cannot be opened: `= string | number | Json[]`. */
function createMeaning(api: Api, schema: Schema | undefined, innerSchema: Schema | null): Child {
  if (!schema?.$ref || innerSchema) return null
  return h("code", { class: "type" }, ` = ${formatTypeName(api.resolve<Schema>(schema))}`)
}

/** Returns the properties, the alternatives or the items of a schema; null if the name of its type says everything. */
function createLevel(api: Api, schema: Schema): Child {
  const either = schema.oneOf ?? schema.anyOf
  if (either) {
    const innerAlternatives = either.filter((one) => findInnerSchema(api, one))
    return h(
      "ul",
      { class: "properties" },
      innerAlternatives.map((one) => createProperty(api, formatTypeName(one), one, null)),
    )
  }
  const { properties, required } = mergeAllOf(api, schema)
  const rows = Object.entries(properties).map(([name, one]) => createProperty(api, name, one, required.has(name)))
  return h("ul", { class: "properties" }, rows)
}

/**
 * Returns the entry for a property.
 *
 * @param required null for an alternative, because alternatives cannot be required.
 */
function createProperty(api: Api, name: string, schema: Schema, required: boolean | null): HTMLElement {
  const resolvedSchema = api.resolve<Schema>(schema)
  const innerSchema = findInnerSchema(api, schema)
  const head: Child[] = [
    h("code", { class: "name" }, name),
    required !== null && h("code", { class: "type" }, formatTypeName(schema)),
    required === false && h("span", { class: "quiet" }, "optional"),
    (schema.deprecated || resolvedSchema.deprecated) && h("span", { class: "tag" }, "deprecated"),
  ]
  const facts = describeLimits(resolvedSchema)
  if (required !== null) head.splice(2, 0, createMeaning(api, schema, innerSchema))
  const about = [
    facts && h("p", { class: "quiet" }, facts),
    renderProse(schema.description ?? resolvedSchema.description),
  ]
  if (!innerSchema) return h("li", {}, h("div", { class: "row" }, head), about)
  const below = h("div", { class: "below" })
  const open = () => below.firstChild ?? below.append(createLevel(api, innerSchema) as Node)
  return h("li", {}, h("details", { ontoggle: open }, h("summary", { class: "row" }, head), below), about)
}

/**
 * Returns the schema that opens with a click; null if there is none. It is the object in the schema or in its items, or
 * the alternatives that are objects.
 *
 * @param above the schemas that were followed without an object between them. A schema among them does not open again.
 */
function findInnerSchema(api: Api, schema: Schema | undefined, above: readonly Schema[] = []): Schema | null {
  if (!schema || typeof schema !== "object") return null
  const resolvedSchema = api.resolve<Schema>(schema)
  if (above.includes(resolvedSchema)) return null
  const inside = [...above, resolvedSchema]
  const either = resolvedSchema.oneOf ?? resolvedSchema.anyOf
  if (either) {
    const objects = either.filter((one) => findInnerSchema(api, one, inside))
    return objects.length === 1 ? findInnerSchema(api, objects[0], inside) : objects.length > 1 ? resolvedSchema : null
  }
  if (resolvedSchema.properties || resolvedSchema.allOf)
    return Object.keys(mergeAllOf(api, resolvedSchema).properties).length > 0 ? resolvedSchema : null
  if (resolvedSchema.items) return findInnerSchema(api, resolvedSchema.items, inside)
  return typeof resolvedSchema.additionalProperties === "object"
    ? findInnerSchema(api, resolvedSchema.additionalProperties, inside)
    : null
}
