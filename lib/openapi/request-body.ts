/** The body and the query of an operation, from what its handler reads. */
import { anyFile } from "./form-type.ts"
import { mergeSchemas } from "./merge.ts"
import type { BodyRead, Facts, JSONSchema, Read } from "./model.ts"
import { parametersOf } from "./query.ts"
import type { Schema, Schemas } from "./schema.ts"

/** The tools that make bodies. */
export interface BodyTools {
  readonly schemas: Schemas
  readonly loaded: ReadonlyMap<string, JSONSchema>
}

type Bound = Extract<BodyRead, { kind: "json" | "form" | "query" }>

/** Returns true if a value belongs to a form. */
export function isField({ from }: Read): boolean {
  return from === "field" || from === "file"
}

/** Returns true if reading a body or a query can fail with a 400. */
export function isParsed({ kind }: BodyRead): boolean {
  return kind !== "text" && kind !== "bytes"
}

/** Returns true if a handler parses a query and no body. */
export function isQueryOnly({ bodies, reads }: Facts): boolean {
  const parsed = bodies.filter(isParsed)
  return parsed.length > 0 && parsed.every(({ kind }) => kind === "query") && !reads.some(isField)
}

/** Returns the schema of a value that is read by its name. */
export function valueSchema({ type, fallback }: Read): Schema {
  if (type === "strings") return { type: "array", items: { type: "string" } }
  return { type, ...(fallback !== undefined && { default: fallback }) }
}

/** Returns the request body; null if the handler reads none. */
export function bodyOf({ bodies, reads }: Facts, tools: BodyTools): Schema | null {
  const { schemas } = tools
  const content: Record<string, Schema> = {}
  const json = oneOf(schemasOf("json", bodies, tools))
  if (json) content["application/json"] = { schema: json }
  const fields = reads.filter(isField)
  const bound = schemasOf("form", bodies, tools)
  // A form without a body has no fields. The other kinds of bodies are of no use without one.
  let required = true
  const isByParts = bodies.some(({ kind }) => kind === "parts")
  if (isByParts || fields.length > 0 || bound.length > 0 || bodies.some(({ kind }) => kind === "fields")) {
    const schema = { ...formSchema(bound, fields), ...(isByParts && { additionalProperties: anyPart }) }
    required = json !== undefined || needsField(schema, schemas)
    const files = isByParts || [...bound, fieldsSchema(fields)].some((one) => hasFile(one, schemas))
    if (!files) content["application/x-www-form-urlencoded"] = { schema }
    content["multipart/form-data"] = { schema }
  }
  if (bodies.some(({ kind }) => kind === "text")) content["text/plain"] = { schema: { type: "string" } }
  if (bodies.some(({ kind }) => kind === "bytes"))
    content[anyFile] = { schema: schemas.of({ kind: "binary" }) }
  return Object.keys(content).length > 0 ? { content, ...(required && { required }) } : null
}

const textOrFile: Schema = { anyOf: [{ type: "string" }, { type: "string", contentMediaType: anyFile }] }
/** What a form that is read part by part may have under any name. */
const anyPart: Schema = { anyOf: [...(textOrFile.anyOf as Schema[]), { type: "array", items: textOrFile }] }

/** Returns true if a form without fields does not fit. */
function needsField(schema: Schema, schemas: Schemas): boolean {
  const { required, allOf, anyOf, oneOf } = schemas.meant(schema) as Readonly<
    Record<string, readonly Schema[] | undefined>
  >
  const needs = (one: Schema) => needsField(one, schemas)
  const members = anyOf ?? oneOf
  return required !== undefined || allOf?.some(needs) === true || members?.every(needs) === true
}

/** Returns a parameter for each value of the queries that a handler binds with a schema. */
export function queryParameters({ bodies }: Facts, tools: BodyTools): Schema[] {
  return schemasOf("query", bodies, tools).flatMap((schema) => parametersOf(schema, tools.schemas))
}

/** Returns the different schemas of the bodies of a kind. */
function schemasOf(kind: Bound["kind"], bodies: readonly BodyRead[], tools: BodyTools): Schema[] {
  const made = bodies.flatMap((body) => (body.kind === kind ? [schemaOf(body as Bound, tools)] : []))
  return [...new Map(made.map((schema) => [JSON.stringify(schema), schema])).values()]
}

function schemaOf({ kind, type, schema }: Bound, { schemas, loaded }: BodyTools): Schema {
  const own = schema === undefined ? undefined : loaded.get(schema)
  const typed =
    kind === "json" ? schemas.of(type) : kind === "form" ? schemas.form(type) : schemas.query(type)
  return own ? mergeSchemas(typed, own, schemas) : typed
}

function oneOf(schemas: readonly Schema[]): Schema | undefined {
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0]
}

/** Returns the schema of a form: what its schemas describe, and further fields that are read by their names. */
function formSchema(bound: readonly Schema[], fields: readonly Read[]): Schema {
  const known = oneOf(bound.filter((schema) => Object.keys(schema).length > 0))
  if (!known) return fieldsSchema(fields)
  return fields.length > 0 ? { allOf: [known, fieldsSchema(fields)] } : known
}

function fieldsSchema(fields: readonly Read[]): Schema {
  const file = { type: "string", contentMediaType: anyFile }
  const files = { type: "array", items: file }
  const entries = fields.map((read) => {
    const one = read.type === "strings" ? files : file
    return [read.name, read.from === "file" ? one : valueSchema(read)] as const
  })
  return { type: "object", ...(entries.length > 0 && { properties: Object.fromEntries(entries) }) }
}

/** Returns true if a form contains a file, which only multipart/form-data can send. */
function hasFile(schema: Schema, schemas: Schemas, seen = new Set<Schema>()): boolean {
  const meant = schemas.meant(schema)
  if (seen.has(meant)) return false
  seen.add(meant)
  const { properties, anyOf, oneOf, allOf, items, format, contentMediaType, type } = meant
  if (type === "string") return format === "binary" || contentMediaType !== undefined
  const inner = [Object.values(Object(properties)), anyOf, oneOf, allOf, items].flat()
  return inner.some((one) => typeof one === "object" && one !== null && hasFile(one as Schema, schemas, seen))
}
