/** Shows a schema, a level at a time, and makes an example of one. Used by the views of operations and of the request. */
import type { Api, Schema } from "./document.ts"
import { type Child, h, prose } from "./dom.ts"

/** A type in a few words: `User[]`, `"a" | "b"`, `string (date-time) | null`. */
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

/** What else a value must be: `at least 1, default 20`. */
export function limitsOf(schema: Schema): string {
  const found = Object.entries(limits).filter(([keyword]) => schema[keyword] !== undefined)
  return found.map(([keyword, words]) => words(JSON.stringify(schema[keyword]))).join(", ")
}

/** A schema as a list of its properties; those that have more below open when they are clicked. */
export function schemaView(api: Api, schema: Schema | undefined): HTMLElement {
  const target = innerOf(api, schema)
  const title = h("p", { class: "type" }, h("code", {}, typeName(schema)))
  return h("div", { class: "schema" }, title, target && levelOf(api, target))
}

/** The properties, alternatives or items below a schema; null where there is no more to see than its name. */
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

/** @param required null where that is no question: an alternative. */
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
  const about = [facts && h("p", { class: "quiet" }, facts), prose(schema.description ?? whole.description)]
  if (!inner) return h("li", {}, h("div", { class: "row" }, head), about)
  const below = h("div", { class: "below" })
  const open = () => below.firstChild ?? below.append(levelOf(api, inner) as Node)
  return h("li", {}, h("details", { ontoggle: open }, h("summary", { class: "row" }, head), below), about)
}

/** What a schema opens to: the object in it, in its items, or its alternatives that are objects. */
function innerOf(api: Api, schema: Schema | undefined): Schema | null {
  if (!schema || typeof schema !== "object") return null
  const whole = api.resolve<Schema>(schema)
  const either = whole.oneOf ?? whole.anyOf
  if (either) {
    const objects = either.filter((one) => innerOf(api, one))
    return objects.length === 1 ? innerOf(api, objects[0]) : objects.length > 1 ? whole : null
  }
  if (whole.properties || whole.allOf)
    return Object.keys(merged(api, whole).properties).length > 0 ? whole : null
  if (whole.items) return innerOf(api, whole.items)
  return typeof whole.additionalProperties === "object" ? innerOf(api, whole.additionalProperties) : null
}

/** An object's properties with those of all that it is made of. */
function merged(api: Api, schema: Schema): { properties: Record<string, Schema>; required: Set<string> } {
  const properties: Record<string, Schema> = {}
  const required = new Set<string>()
  const seen = new Set<Schema>()
  const add = (one: Schema): void => {
    const whole = api.resolve<Schema>(one)
    if (seen.has(whole)) return
    seen.add(whole)
    for (const part of whole.allOf ?? []) add(part)
    Object.assign(properties, whole.properties)
    for (const name of whole.required ?? []) required.add(name)
  }
  add(schema)
  return { properties, required }
}

/** A value that fits a schema: its own example where it has one. What would go round for ever is left out. */
export function exampleOf(api: Api, schema: Schema | undefined, above: readonly Schema[] = []): unknown {
  if (!schema || typeof schema !== "object") return null
  const whole = api.resolve<Schema>(schema)
  if (above.includes(whole)) return undefined
  const inside = [...above, whole]
  const given = [whole.example, whole.examples?.[0], whole.default, whole.const, whole.enum?.[0]]
  const found = given.find((value) => value !== undefined)
  if (found !== undefined) return found
  const either = whole.oneOf ?? whole.anyOf
  if (either) return exampleOf(api, either.find((one) => one.type !== "null") ?? either[0], inside)
  if (whole.properties || whole.allOf) return exampleObject(api, whole, inside)
  const type = typeof whole.type === "string" ? whole.type : whole.type?.find((name) => name !== "null")
  if (type === "array" || whole.prefixItems) {
    const items = whole.prefixItems ?? (whole.items ? [whole.items] : [])
    return items.map((one) => exampleOf(api, one, inside)).filter((value) => value !== undefined)
  }
  return scalars[`${type} ${whole.format ?? ""}`] ?? scalars[`${type} `] ?? null
}

function exampleObject(api: Api, whole: Schema, inside: readonly Schema[]): unknown {
  const { properties } = merged(api, whole)
  const entries = Object.entries(properties).filter(([, one]) => !api.resolve<Schema>(one).readOnly)
  const values = entries.map(([name, one]) => [name, exampleOf(api, one, inside)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

const scalars: Readonly<Record<string, unknown>> = {
  "string ": "text",
  "string date-time": "2026-01-31T12:00:00.000Z",
  "string date": "2026-01-31",
  "string email": "name@example.com",
  "string uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  "string uri": "https://example.com/",
  "integer ": 1,
  "number ": 1.5,
  "boolean ": true,
  "object ": {},
}
