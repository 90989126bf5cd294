/** Shows a schema, one level at a time. */
import type { Api, Schema } from "./document.ts"
import { type Child, h, prose } from "./dom.ts"
import { merged } from "./merged.ts"

/** Returns a short name of a type: `User[]`, `"a" | "b"`, `string (date-time) | null`. */
export function typeName(schema: Schema | boolean | undefined): string {
  if (schema === true || schema === undefined) return "any"
  if (schema === false) return "never"
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
  const name = bareName(schema)
  return schema.nullable ? `${name} | null` : name
}

function bareName(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  const either = schema.oneOf ?? schema.anyOf
  if (either) return either.map(typeName).join(" | ")
  if (schema.allOf) return schema.allOf.map(typeName).join(" & ")
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeName).join(", ")}]`
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties ? "object" : "any"
  return types.map((type) => oneType(type, schema)).join(" | ")
}

function oneType(type: string, schema: Schema): string {
  if (type === "array") {
    const item = typeName(schema.items)
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (type === "object" && !schema.properties && typeof schema.additionalProperties === "object")
    return `{ [name]: ${typeName(schema.additionalProperties)} }`
  return schema.format && type !== "null" ? `${type} (${schema.format})` : type
}

const limits: Readonly<Record<string, (value: string) => string>> = {
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

/** Returns the other limits of a value: `at least 1, default 20`. */
export function limitsOf(schema: Schema): string {
  const found = Object.entries(limits).filter(([keyword]) => schema[keyword] !== undefined)
  return found.map(([keyword, words]) => words(JSON.stringify(schema[keyword]))).join(", ")
}

/** Returns a schema as a list of its properties. Those with an inner level open on a click. */
export function schemaView(api: Api, schema: Schema | undefined): HTMLElement {
  const target = innerOf(api, schema)
  const title = h("p", { class: "type" }, h("code", {}, typeName(schema)), meaning(api, schema, target))
  return h("div", { class: "schema" }, title, target && levelOf(api, target))
}

/** Returns the meaning of a named schema that does not open: `= string | number | Json[]`. */
function meaning(api: Api, schema: Schema | undefined, inner: Schema | null): Child {
  if (!schema?.$ref || inner) return null
  return h("code", { class: "type" }, ` = ${typeName(api.resolve<Schema>(schema))}`)
}

/** Returns the properties, alternatives or items of a schema; null if its name says everything. */
function levelOf(api: Api, schema: Schema): Child {
  const either = schema.oneOf ?? schema.anyOf
  if (either) {
    const inner = either.filter((one) => innerOf(api, one))
    return h(
      "ul",
      { class: "properties" },
      inner.map((one) => property(api, typeName(one), one, null)),
    )
  }
  const { properties, required } = merged(api, schema)
  const rows = Object.entries(properties).map(([name, one]) => property(api, name, one, required.has(name)))
  return h("ul", { class: "properties" }, rows)
}

/**
 * Returns a property.
 *
 * @param required null for an alternative, which cannot be required.
 */
function property(api: Api, name: string, schema: Schema, required: boolean | null): HTMLElement {
  const whole = api.resolve<Schema>(schema)
  const inner = innerOf(api, schema)
  const head: Child[] = [
    h("code", { class: "name" }, name),
    required !== null && h("code", { class: "type" }, typeName(schema)),
    required === false && h("span", { class: "quiet" }, "optional"),
    (schema.deprecated || whole.deprecated) && h("span", { class: "tag" }, "deprecated"),
  ]
  const facts = limitsOf(whole)
  if (required !== null) head.splice(2, 0, meaning(api, schema, inner))
  const about = [facts && h("p", { class: "quiet" }, facts), prose(schema.description ?? whole.description)]
  if (!inner) return h("li", {}, h("div", { class: "row" }, head), about)
  const below = h("div", { class: "below" })
  const open = () => below.firstChild ?? below.append(levelOf(api, inner) as Node)
  return h("li", {}, h("details", { ontoggle: open }, h("summary", { class: "row" }, head), below), about)
}

/**
 * Returns the schema that opens on a click: the object in it or in its items, or its alternatives that are
 * objects; null if there is none.
 *
 * @param above schemas that led here without an object between them. A schema that leads back to itself does
 * not open.
 */
function innerOf(api: Api, schema: Schema | undefined, above: readonly Schema[] = []): Schema | null {
  if (!schema || typeof schema !== "object") return null
  const whole = api.resolve<Schema>(schema)
  if (above.includes(whole)) return null
  const inside = [...above, whole]
  const either = whole.oneOf ?? whole.anyOf
  if (either) {
    const objects = either.filter((one) => innerOf(api, one, inside))
    return objects.length === 1 ? innerOf(api, objects[0], inside) : objects.length > 1 ? whole : null
  }
  if (whole.properties || whole.allOf)
    return Object.keys(merged(api, whole).properties).length > 0 ? whole : null
  if (whole.items) return innerOf(api, whole.items, inside)
  return typeof whole.additionalProperties === "object"
    ? innerOf(api, whole.additionalProperties, inside)
    : null
}
