/** JSON Schemas of validators, from the same types and by the same code as those of the OpenAPI document. */
import type { NamedType, TypeData } from "../../lib/openapi/model.ts"
import { type Schema, Schemas } from "../../lib/openapi/schema.ts"
import { eachPart } from "../../lib/openapi/type-parts.ts"
import type { Validator } from "./model.ts"
import { source } from "./text-tests.ts"

const refStart = "#/$defs/"

/** The source of schemas. */
export interface SchemaSources {
  /** The shared schemas, as an object. */
  readonly defs: string
  /** For each validator, the call that makes `~standard.jsonSchema`. */
  readonly sources: readonly string[]
}

/** Returns the schemas of validators. */
export function jsonSchemas(validators: readonly Validator[], named: readonly NamedType[]): SchemaSources {
  const schemas = new Schemas(named, namesOf(named), refStart)
  const roots = validators.map(({ from, type }) =>
    plain(from === "json" ? schemas.of(type) : schemas.form(type)),
  )
  const shared = plain(schemas.components) as Record<string, Schema>
  const types = new Map(named.map(({ id, type }) => [id, type]))
  const sources = validators.map(({ type }, i) => {
    const root = roots[i] as Schema
    const names = JSON.stringify([...refsIn(root, shared)].sort())
    return `schemaOf(${source(root)}, ${names}, ${isData(type, types)})`
  })
  return { defs: objectSource(shared), sources }
}

/** Returns a free name for each type. */
function namesOf(named: readonly NamedType[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, name } of named) {
    const clean = name.replace(/[^A-Za-z0-9._-]/g, "_")
    let free = clean
    for (let n = 2; taken.has(free); n++) free = `${clean}${n}`
    taken.add(free)
    names.set(id, free)
  }
  return names
}

/** Removes what only OpenAPI knows. */
function plain(schema: unknown): Schema {
  return JSON.parse(
    JSON.stringify(schema, function (this: unknown, key, value: unknown) {
      const isKeyword = key === "discriminator" && Array.isArray((this as Schema).oneOf)
      return isKeyword ? undefined : value
    }),
  ) as Schema
}

/** Returns the names that a schema refers to, also by way of others. */
function refsIn(root: Schema, shared: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (part: unknown) => {
    if (typeof part !== "object" || part === null) return
    const { $ref } = part as Schema
    const name =
      typeof $ref === "string" && $ref.startsWith(refStart) ? $ref.slice(refStart.length) : undefined
    if (name !== undefined) found.add(name)
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(root)
  for (const name of found) visit(shared[name])
  return found
}

/** Returns true if the result is JSON, like the value that was sent. */
function isData(root: TypeData, types: ReadonlyMap<string, TypeData>): boolean {
  let made = true
  eachPart(root, types, ({ kind }) => {
    if (kind === "date" || kind === "integer-text" || kind === "binary") made = false
  })
  return made
}

/** Returns an object as source, one property per line. */
function objectSource(shared: Readonly<Record<string, Schema>>): string {
  const lines = Object.entries(shared).map(
    ([name, schema]) => `  ${JSON.stringify(name)}: ${source(schema)},\n`,
  )
  return `{\n${lines.join("")}}`
}
