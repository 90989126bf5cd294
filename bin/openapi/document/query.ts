/** Makes parameters from a query that is bound to a type. */
import { combineAnyOf, type Schema, type Schemas } from "./schemas.ts"

/** A value of a query. */
interface QueryValue {
  readonly schema: Schema
  readonly isRequired: boolean
}

type QueryValues = ReadonlyMap<string, QueryValue>

/** Returns a parameter for each property of a query's schema, including the schemas that it is composed of. */
export function createParameters(schema: Schema, schemas: Schemas): Schema[] {
  return [...(collectValues(schema, schemas, new Set()) ?? [])].map(([name, { schema, isRequired }]) => {
    const { description, ...rest } = schema
    return {
      name,
      in: "query",
      ...(description !== undefined && { description }),
      ...(isRequired && { required: true }),
      schema: rest,
    }
  })
}

/** Returns the values of a schema; null if it is not that of an object. */
function collectValues(schema: Schema, schemas: Schemas, ancestors: ReadonlySet<Schema>): QueryValues | null {
  const target = schemas.resolve(schema)
  if (ancestors.has(target)) return null
  const { type, properties, required, allOf, anyOf, oneOf } = target as {
    type?: unknown
    properties?: Record<string, Schema>
    required?: readonly string[]
  } & Record<"allOf" | "anyOf" | "oneOf", readonly Schema[] | undefined>
  const collect = (one: Schema): QueryValues[] => {
    const values = collectValues(one, schemas, new Set([...ancestors, target]))
    return values === null ? [] : [values]
  }
  const own = Object.entries(properties ?? {}).map(([name, schema]) => {
    return [name, { schema, isRequired: required?.includes(name) ?? false }] as const
  })
  const members = (anyOf ?? oneOf)?.flatMap(collect)
  if (type !== "object" && !properties && !allOf && !members) return null
  return mergeAll([new Map(own), ...(allOf ?? []).flatMap(collect), ...(members ? [mergeAlternatives(members)] : [])])
}

/** Returns the values of an object that must match all of several schemas. */
function mergeAll(parts: readonly QueryValues[]): QueryValues {
  const found = new Map<string, QueryValue>()
  for (const [name, { schema, isRequired }] of parts.flatMap((part) => [...part])) {
    const known = found.get(name)
    found.set(
      name,
      known ? { schema: known.schema, isRequired: known.isRequired || isRequired } : { schema, isRequired },
    )
  }
  return found
}

/**
 * Returns the values of an object that must match one of several schemas. A value that some of them do not have is
 * optional.
 */
function mergeAlternatives(members: readonly QueryValues[]): QueryValues {
  const names = new Set(members.flatMap((values) => [...values.keys()]))
  return new Map(
    [...names].map((name) => {
      const found = members.flatMap((values) => values.get(name) ?? [])
      const isRequired = found.length === members.length && found.every(({ isRequired: required }) => required)
      return [name, { schema: combineAnyOf(found.map(({ schema }) => schema)), isRequired }]
    }),
  )
}
