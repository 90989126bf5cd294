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
    if (Array.isArray(schema.allOf))
      return anyOf([{ ...schema, allOf: undefined }, ...schema.allOf].map((one) => this.of(one)))
    const members = [schema.oneOf ?? schema.anyOf ?? []].flat() as Schema[]
    if (members.length === 0) return this.#inside(schema)
    return anyOf(members.map((one) => this.#member(one, members)))
  }

  /** Returns the places in one of several types, with what distinguishes it from the others. */
  #member(member: Schema, members: readonly Schema[]): DatesIn {
    const places = this.of(member)
    if (typeof places !== "object" || places === null) return places
    const meant = (one: Schema) => this.#meant(one)
    const when = constants(meant(member))
    const others = members.filter((one) => one !== member && meant(one).type === "object").map(meant)
    const has = requiredOf(meant(member)).filter((key) =>
      others.some((one) => !requiredOf(one).includes(key)),
    )
    return { ...places, ...(when && { when }), ...(has.length > 0 && { has }) }
  }

  #meant({ $ref, ...schema }: Schema): Schema {
    return typeof $ref === "string" ? (this.#components[$ref.slice(refStart.length)] ?? {}) : schema
  }

  /** Returns the places in a list or an object: by name, by pattern, and in what is left. */
  #inside({ properties, prefixItems, items, additionalProperties, patternProperties }: Schema): DatesIn {
    const of = (schemas: unknown) =>
      Object.entries(Object(schemas) as Record<string, Schema>).map(
        ([key, one]) => [key, this.of(one)] as const,
      )
    const named = of({ ...Object(properties), ...Object(prefixItems) })
    const like = of(patternProperties)
    const rest = items ?? additionalProperties
    const each = typeof rest === "object" && rest !== null ? this.of(rest as Schema) : null
    const hasOthers = each !== null || like.some(([, places]) => places !== null)
    // A place without dates is named only where it would be taken for one of the others.
    const at = named.filter(([, places]) => hasOthers || places !== null)
    if (at.every(([, places]) => places === null) && !hasOthers) return null
    return {
      ...(at.length > 0 && { at: Object.fromEntries(at) }),
      ...(hasOthers && like.length > 0 && { like: Object.fromEntries(like) }),
      ...(each !== null && { each }),
    }
  }
}

function anyOf(all: readonly DatesIn[]): DatesIn {
  const places = all.filter((one) => one !== null)
  return places.length > 1 ? { any: places } : (places[0] ?? null)
}

function requiredOf({ required }: Schema): readonly string[] {
  return (required ?? []) as readonly string[]
}

/** Returns the properties with constant values; an optional one may also be absent. */
function constants(schema: Schema): object | undefined {
  const when = Object.entries(Object(schema.properties) as Record<string, Schema>).flatMap(([key, one]) => {
    const list = (one.enum ?? ("const" in one ? [one.const] : undefined)) as unknown[] | undefined
    if (list === undefined) return []
    return [[key, requiredOf(schema).includes(key) ? list : [...list, undefined]] as const]
  })
  return when.length > 0 ? Object.fromEntries(when) : undefined
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
