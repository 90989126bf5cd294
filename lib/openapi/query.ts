/** The parameters of a query that is bound as a whole. */
import { anyOfSchemas, type Schema, type Schemas } from "./schema.ts"

/** A value of a query. */
interface Value {
  readonly schema: Schema
  readonly required: boolean
}

type Values = ReadonlyMap<string, Value>

/** Returns a parameter for each property of a query's schema, also of those of which it is made. */
export function parametersOf(schema: Schema, schemas: Schemas): Schema[] {
  return [...(valuesOf(schema, schemas, new Set()) ?? [])].map(([name, { schema, required }]) => {
    const { description, ...rest } = schema
    return {
      name,
      in: "query",
      ...(description !== undefined && { description }),
      ...(required && { required: true }),
      schema: rest,
    }
  })
}

/** Returns the values of a schema; null if it is not one of an object. */
function valuesOf(schema: Schema, schemas: Schemas, around: ReadonlySet<Schema>): Values | null {
  const meant = schemas.meant(schema)
  if (around.has(meant)) return null
  const { type, properties, required, allOf, anyOf, oneOf } = meant as {
    type?: unknown
    properties?: Record<string, Schema>
    required?: readonly string[]
  } & Record<"allOf" | "anyOf" | "oneOf", readonly Schema[] | undefined>
  const of = (one: Schema): Values[] => {
    const values = valuesOf(one, schemas, new Set([...around, meant]))
    return values === null ? [] : [values]
  }
  const own = Object.entries(properties ?? {}).map(([name, schema]) => {
    return [name, { schema, required: required?.includes(name) ?? false }] as const
  })
  const members = (anyOf ?? oneOf)?.flatMap(of)
  if (type !== "object" && !properties && !allOf && !members) return null
  return all([new Map(own), ...(allOf ?? []).flatMap(of), ...(members ? [either(members)] : [])])
}

/** The values of an object that is each of some. */
function all(parts: readonly Values[]): Values {
  const found = new Map<string, Value>()
  for (const [name, { schema, required }] of parts.flatMap((part) => [...part])) {
    const known = found.get(name)
    found.set(
      name,
      known ? { schema: known.schema, required: known.required || required } : { schema, required },
    )
  }
  return found
}

/** The values of an object that is one of some: what only some of them have may be absent. */
function either(members: readonly Values[]): Values {
  const names = new Set(members.flatMap((values) => [...values.keys()]))
  return new Map(
    [...names].map((name) => {
      const found = members.flatMap((values) => values.get(name) ?? [])
      const required = found.length === members.length && found.every(({ required }) => required)
      return [name, { schema: anyOfSchemas(found.map(({ schema }) => schema)), required }]
    }),
  )
}
