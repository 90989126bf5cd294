/** Makes the body and the query parameters of an operation from what its handler reads. */
import { anyFileType } from "./form-type.ts"
import { mergeSchemas } from "./merge-schemas.ts"
import type { BodyRead, Facts, JSONSchema, ValueRead } from "./model.ts"
import { createParameters } from "./query.ts"
import type { Schema, Schemas } from "./schemas.ts"

/** The schemas of the document, and the loaded schemas of validators by the ids in `BodyRead`. */
export interface BodyTools {
  readonly schemas: Schemas
  readonly loadedSchemas: ReadonlyMap<string, JSONSchema>
}

type BoundBody = Extract<BodyRead, { kind: "json" | "form" | "query" }>

/** Returns true for a value of a form. */
export function isField({ from }: ValueRead): boolean {
  return from === "field" || from === "file"
}

/** Returns true for a body or query that may be invalid, which is answered with a 400. */
export function isParsed({ kind }: BodyRead): boolean {
  return kind !== "text" && kind !== "bytes"
}

/** Returns true if a handler parses a query but no body. */
export function isQueryOnly({ bodies, reads }: Facts): boolean {
  const parsed = bodies.filter(isParsed)
  return parsed.length > 0 && parsed.every(({ kind }) => kind === "query") && !reads.some(isField)
}

/** Returns the schema of a value that is read by name. */
export function createValueSchema({ type, fallback }: ValueRead): Schema {
  if (type === "strings") return { type: "array", items: { type: "string" } }
  return { type, ...(fallback !== undefined && { default: fallback }) }
}

/** Returns the request body; null if the handler does not read one. */
export function createRequestBody({ bodies, reads }: Facts, tools: BodyTools): Schema | null {
  const { schemas } = tools
  const content: Record<string, Schema> = {}
  const json = combineSchemas(listSchemas("json", bodies, tools))
  if (json) content["application/json"] = { schema: json }
  const fields = reads.filter(isField)
  const bound = listSchemas("form", bodies, tools)
  // A missing body is read as a form without fields. Other bodies cannot be missing.
  let isRequired = true
  const isByParts = bodies.some(({ kind }) => kind === "parts")
  if (isByParts || fields.length > 0 || bound.length > 0 || bodies.some(({ kind }) => kind === "fields")) {
    const schema = {
      ...createFormSchema(bound, fields),
      ...(isByParts && { additionalProperties: anyPartSchema }),
    }
    isRequired = json !== undefined || needsField(schema, schemas)
    const hasFiles = isByParts || [...bound, createFieldsSchema(fields)].some((one) => hasFile(one, schemas))
    if (!hasFiles) content["application/x-www-form-urlencoded"] = { schema }
    content["multipart/form-data"] = { schema }
  }
  if (bodies.some(({ kind }) => kind === "text")) content["text/plain"] = { schema: { type: "string" } }
  if (bodies.some(({ kind }) => kind === "bytes"))
    content[anyFileType] = { schema: schemas.toSchema({ kind: "binary" }) }
  return Object.keys(content).length > 0 ? { content, ...(isRequired && { required: true }) } : null
}

const textOrFileSchema: Schema = {
  anyOf: [{ type: "string" }, { type: "string", contentMediaType: anyFileType }],
}
/** The schema of a form whose parts are read one after the other. */
const anyPartSchema: Schema = {
  anyOf: [...(textOrFileSchema.anyOf as Schema[]), { type: "array", items: textOrFileSchema }],
}

/** Returns true if a form must have at least one field. */
function needsField(schema: Schema, schemas: Schemas): boolean {
  const { required, allOf, anyOf, oneOf } = schemas.resolve(schema) as Readonly<
    Record<string, readonly Schema[] | undefined>
  >
  const needs = (one: Schema) => needsField(one, schemas)
  const members = anyOf ?? oneOf
  return required !== undefined || allOf?.some(needs) === true || members?.every(needs) === true
}

/** Returns the parameters of all queries that a handler binds. */
export function createQueryParameters({ bodies }: Facts, tools: BodyTools): Schema[] {
  return listSchemas("query", bodies, tools).flatMap((schema) => createParameters(schema, tools.schemas))
}

/** Returns the distinct schemas of the bodies of one kind. */
function listSchemas(kind: BoundBody["kind"], bodies: readonly BodyRead[], tools: BodyTools): Schema[] {
  const bodySchemas = bodies.flatMap((body) => (body.kind === kind ? [createBodySchema(body as BoundBody, tools)] : []))
  return [...new Map(bodySchemas.map((schema) => [JSON.stringify(schema), schema])).values()]
}

function createBodySchema({ kind, type, schema }: BoundBody, { schemas, loadedSchemas }: BodyTools): Schema {
  const loadedSchema = schema === undefined ? undefined : loadedSchemas.get(schema)
  const typeSchema =
    kind === "json"
      ? schemas.toSchema(type)
      : kind === "form"
        ? schemas.toFormSchema(type)
        : schemas.toQuerySchema(type)
  return loadedSchema ? mergeSchemas(typeSchema, loadedSchema, schemas) : typeSchema
}

function combineSchemas(schemas: readonly Schema[]): Schema | undefined {
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0]
}

/** Returns the schema of a form: the fields of its schemas, and the fields that are read by name. */
function createFormSchema(bound: readonly Schema[], fields: readonly ValueRead[]): Schema {
  const boundSchema = combineSchemas(bound.filter((schema) => Object.keys(schema).length > 0))
  if (!boundSchema) return createFieldsSchema(fields)
  return fields.length > 0 ? { allOf: [boundSchema, createFieldsSchema(fields)] } : boundSchema
}

function createFieldsSchema(fields: readonly ValueRead[]): Schema {
  const file = { type: "string", contentMediaType: anyFileType }
  const files = { type: "array", items: file }
  const entries = fields.map((read) => {
    const one = read.type === "strings" ? files : file
    return [read.name, read.from === "file" ? one : createValueSchema(read)] as const
  })
  return { type: "object", ...(entries.length > 0 && { properties: Object.fromEntries(entries) }) }
}

/** Returns true if a form contains a file. Such a form must be sent as multipart/form-data. */
function hasFile(schema: Schema, schemas: Schemas, visitedSchemas = new Set<Schema>()): boolean {
  const target = schemas.resolve(schema)
  if (visitedSchemas.has(target)) return false
  visitedSchemas.add(target)
  const { properties, anyOf, oneOf, allOf, items, format, contentMediaType, type } = target
  if (type === "string") return format === "binary" || contentMediaType !== undefined
  const inner = [Object.values(Object(properties)), anyOf, oneOf, allOf, items].flat()
  return inner.some((one) => typeof one === "object" && one !== null && hasFile(one as Schema, schemas, visitedSchemas))
}
