/** Finds dates in JSON: values whose types the project declares as `Date`. */
import { declaredDate, type Schema } from "../../openapi/document/schemas.ts"

/** Where dates are in a value, in the format of the client's module; null if there are none. */
export type DatePlaces = string | { readonly [key: string]: unknown } | null

const refPrefix = "#/components/schemas/"

/** Finds the dates in schemas. */
export class DateFinder {
  readonly #components: Readonly<Record<string, Schema>>
  readonly #namesWithDates: ReadonlySet<string>

  /** Finds the named schemas that contain dates, directly or indirectly. */
  constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = components
    this.#namesWithDates = findNamesWithDates(components)
  }

  /** Where dates are in the named schemas, by name. Schemas without dates are not listed. */
  get namedPlaces(): Readonly<Record<string, DatePlaces>> {
    const names = [...this.#namesWithDates].sort()
    return Object.fromEntries(names.map((name) => [name, this.findIn(this.#components[name] as Schema)]))
  }

  /** Returns where dates are in a schema. */
  findIn(schema: Schema): DatePlaces {
    if (declaredDate in schema) return "date"
    if (typeof schema.$ref === "string") {
      const type = schema.$ref.slice(refPrefix.length)
      return this.#namesWithDates.has(type) ? { type } : null
    }
    if (Array.isArray(schema.allOf))
      return joinPlaces([{ ...schema, allOf: undefined }, ...schema.allOf].map((one) => this.findIn(one)))
    const members = [schema.oneOf ?? schema.anyOf ?? []].flat() as Schema[]
    if (members.length === 0) return this.#findInside(schema)
    return joinPlaces(members.map((one) => this.#findInMember(one, members)))
  }

  /** Returns where dates are in a member of a union, and how to recognize the member. */
  #findInMember(member: Schema, members: readonly Schema[]): DatePlaces {
    const places = this.findIn(member)
    if (typeof places !== "object" || places === null) return places
    const resolve = (one: Schema) => this.#resolve(one)
    const constants = findConstants(resolve(member))
    const others = members.filter((one) => one !== member && resolve(one).type === "object").map(resolve)
    const distinctKeys = getRequiredKeys(resolve(member)).filter((key) =>
      others.some((one) => !getRequiredKeys(one).includes(key)),
    )
    return { ...places, ...(constants && { when: constants }), ...(distinctKeys.length > 0 && { has: distinctKeys }) }
  }

  #resolve({ $ref, ...schema }: Schema): Schema {
    return typeof $ref === "string" ? (this.#components[$ref.slice(refPrefix.length)] ?? {}) : schema
  }

  /** Returns where dates are in a list or object: under names, under patterns, and under all other names. */
  #findInside({ properties, prefixItems, items, additionalProperties, patternProperties }: Schema): DatePlaces {
    const findInEach = (schemas: unknown) =>
      Object.entries(Object(schemas) as Record<string, Schema>).map(([key, one]) => [key, this.findIn(one)] as const)
    const placesByName = findInEach({ ...Object(properties), ...Object(prefixItems) })
    const placesByPattern = findInEach(patternProperties)
    const rest = items ?? additionalProperties
    const otherPlaces = typeof rest === "object" && rest !== null ? this.findIn(rest as Schema) : null
    const hasOthers = otherPlaces !== null || placesByPattern.some(([, places]) => places !== null)
    // A name without dates is listed only if it would otherwise be treated like the other names.
    const listedPlaces = placesByName.filter(([, places]) => hasOthers || places !== null)
    if (listedPlaces.every(([, places]) => places === null) && !hasOthers) return null
    return {
      ...(listedPlaces.length > 0 && { at: Object.fromEntries(listedPlaces) }),
      ...(hasOthers && placesByPattern.length > 0 && { like: Object.fromEntries(placesByPattern) }),
      ...(otherPlaces !== null && { each: otherPlaces }),
    }
  }
}

function joinPlaces(all: readonly DatePlaces[]): DatePlaces {
  const places = all.filter((one) => one !== null)
  return places.length > 1 ? { any: places } : (places[0] ?? null)
}

function getRequiredKeys({ required }: Schema): readonly string[] {
  return (required ?? []) as readonly string[]
}

/** Returns the properties with constant values. An optional property may also be missing. */
function findConstants(schema: Schema): object | undefined {
  const entries = Object.entries(Object(schema.properties) as Record<string, Schema>).flatMap(([key, one]) => {
    const list = (one.enum ?? ("const" in one ? [one.const] : undefined)) as unknown[] | undefined
    if (list === undefined) return []
    return [[key, getRequiredKeys(schema).includes(key) ? list : [...list, undefined]] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** Returns the names of the schemas that contain dates, directly or indirectly. */
function findNamesWithDates(components: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const names = new Set<string>()
  for (let size = -1; size < names.size; ) {
    size = names.size
    for (const [name, schema] of Object.entries(components)) if (leadsToDate(schema, names)) names.add(name)
  }
  return names
}

function leadsToDate(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false
  if (declaredDate in value) return true
  const { $ref } = value as Schema
  if (typeof $ref === "string" && names.has($ref.slice(refPrefix.length))) return true
  return Object.values(value).some((inner) => leadsToDate(inner, names))
}
