/** The places of dates in JSON: values of types that the project declares as `Date`. */
import { declaredDate, type Schema } from "../../../lib/openapi/schema.ts"

/** The places as the client's module describes them; null for none. */
export type DatesIn = string | { readonly [key: string]: unknown } | null

const refStart = "#/components/schemas/"

/** Finds the dates of schemas. */
export class Dates {
  readonly #components: Readonly<Record<string, Schema>>
  readonly #named: ReadonlySet<string>

  /** Finds the named schemas that contain dates, directly or through others. */
  constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = components
    this.#named = withDates(components)
  }

  /** The places of dates in the named schemas that have any, by name. */
  get named(): Readonly<Record<string, DatesIn>> {
    const names = [...this.#named].sort()
    return Object.fromEntries(names.map((name) => [name, this.of(this.#components[name] as Schema)]))
  }

  /** Returns the places of dates in a schema. */
  of(schema: Schema): DatesIn {
    if (declaredDate in schema) return "date"
    if (typeof schema.$ref === "string") {
      const type = schema.$ref.slice(refStart.length)
      return this.#named.has(type) ? { type } : null
    }
    const parts = [schema.oneOf, schema.anyOf, schema.allOf].flat().filter((one) => one !== undefined)
    if (parts.length > 0) {
      const any = parts.map((one) => this.of(one as Schema)).filter((places) => places !== null)
      return any.length > 1 ? { any } : (any[0] ?? null)
    }
    return this.#inside(schema)
  }

  #inside({ properties, prefixItems, items, additionalProperties, patternProperties }: Schema): DatesIn {
    const named = Object.entries({ ...Object(properties), ...Object(prefixItems) }) as [string, Schema][]
    const at = named.map(([key, one]) => [key, this.of(one)] as const).filter(([, places]) => places !== null)
    const values = [items, additionalProperties, ...Object.values(Object(patternProperties))]
    const each = values
      .filter((one) => typeof one === "object" && one !== null)
      .map((one) => this.of(one as Schema))
      .filter((places) => places !== null)
    const inner: DatesIn[] = [
      ...(at.length > 0 ? [{ at: Object.fromEntries(at), ...constants(named) }] : []),
      ...each.map((places) => ({ each: places })),
    ]
    return inner.length > 1 ? { any: inner } : (inner[0] ?? null)
  }
}

/** Properties with constant values, which distinguish the types of a union. */
function constants(properties: readonly (readonly [string, Schema])[]): { readonly when?: object } {
  const when = properties.flatMap(([key, { const: only, enum: values }]) => {
    const list = values ?? (only === undefined ? undefined : [only])
    return list === undefined ? [] : [[key, list] as const]
  })
  return when.length > 0 ? { when: Object.fromEntries(when) } : {}
}

/** Returns the names of the schemas that lead to a date. */
function withDates(components: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const found = new Set<string>()
  for (let size = -1; size < found.size; ) {
    size = found.size
    for (const [name, schema] of Object.entries(components)) if (leads(schema, found)) found.add(name)
  }
  return found
}

function leads(value: unknown, found: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false
  if (declaredDate in value) return true
  const { $ref } = value as Schema
  if (typeof $ref === "string" && found.has($ref.slice(refStart.length))) return true
  return Object.values(value).some((inner) => leads(inner, found))
}
