/**
 * Generates the parts of a client for an operation: its function, the types of its input and result, and the data
 * for the request.
 */
import type { Schema } from "../../openapi/document/schemas.ts"
import type { DateFinder } from "./dates.ts"
import { renderKey, toTypeName } from "./names.ts"
import { renderComment, renderData, renderUnion } from "./render.ts"
import { type ClientTypes, keepUniqueMembers, type TypeText } from "./types.ts"

/** An operation of the document. */
export interface DocumentOperation {
  /** The name of the client's function for this operation. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Schema
}

/** The generated texts of an operation. */
export interface OperationText {
  /** The member of the interface `Client`. */
  readonly member: string
  readonly types: string
  /** The entry in the table from which the functions are created. */
  readonly entry: string
}

/** What is needed to generate operations. */
export interface OperationTools {
  readonly types: ClientTypes
  readonly dates: DateFinder
  /** The shared responses of the document, by name. */
  readonly responses: Readonly<Record<string, Schema>>
  readonly schemes: Readonly<Record<string, Schema>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly "x-catch-all"?: boolean
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

/** A body that the client reads, for a status or for all other statuses. */
interface ResponseBody {
  readonly status: string
  readonly media: string
  readonly schema: Schema | undefined
  /** True if the handler chooses the status at run time. */
  readonly hasAnyStatus: boolean
}

/** Generates the texts of an operation. */
export function renderOperation(documentOperation: DocumentOperation, tools: OperationTools): OperationText {
  const { name, operation, method, path } = documentOperation
  const base = toTypeName(name)
  const input = renderInput(documentOperation, base, tools)
  const bodies = listBodies(operation, tools)
  const result = tools.types.names.take(`${base}Result`)
  const summary = [operation.summary, operation.description].filter(Boolean).join("\n\n")
  const deprecation = operation.deprecated ? "\n\n@deprecated" : ""
  const comment = renderComment(`${summary ? `${summary}\n\n` : ""}\`${method} ${path}\`${deprecation}`, "  ")
  return {
    member: comment + renderMember(name, input.parameter, result),
    types: `${input.declaration}${renderResult(result, base, bodies, tools)}`,
    entry: renderEntry(documentOperation, bodies, tools),
  }
}

function renderMember(name: string, parameter: string, result: string): string {
  const line = `  readonly ${renderKey(name)}: (${parameter}) => Promise<${result}>`
  if (line.length <= 110) return `${line}\n`
  return `  readonly ${renderKey(name)}: (\n    ${parameter},\n  ) => Promise<${result}>\n`
}

function renderInput(
  { method, operation }: DocumentOperation,
  base: string,
  tools: OperationTools,
): { parameter: string; declaration: string } {
  const { parameters = [], requestBody } = operation
  const all = [...(parameters as readonly Parameter[]), ...listQueryKeys(operation, tools)]
  const groups = [
    ["params", "path"],
    ["query", "query"],
    ["headers", "header"],
    ["cookies", "cookie"],
  ] as const
  const members = groups.flatMap(([key, place]) => {
    const list = all.filter((one) => one.in === place)
    return list.length > 0 ? [declareGroup(key, list, base, tools)] : []
  })
  // fetch refuses a GET or HEAD with a body.
  const hasBody = method !== "GET" && method !== "HEAD"
  members.push(...listBodyMembers((hasBody && requestBody ? requestBody : {}) as RequestBody, base, tools))
  if (members.length === 0) return { parameter: "input?: CallOptions", declaration: "" }
  const name = tools.types.names.take(`${base}Input`)
  const isRequired = members.some(({ required }) => required)
  const lines = members.map(({ text }) => text)
  return {
    parameter: `input${isRequired ? "" : "?"}: ${name}`,
    declaration: `export interface ${name} extends CallOptions {\n${lines.join("")}}\n\n`,
  }
}

/** Returns the API keys that are sent in the query. Keys in headers and cookies are options of the client. */
function listQueryKeys({ security = [], parameters = [] }: Schema, { schemes }: OperationTools): Parameter[] {
  const names = new Set((security as object[]).flatMap((way) => Object.keys(way)))
  const knownNames = (parameters as readonly Parameter[]).map(({ name }) => name)
  return [...names].flatMap((scheme) => {
    const { in: place, name, description } = schemes[scheme] ?? {}
    if (place !== "query" || knownNames.includes(String(name))) return []
    const text = { description: String(description ?? "A key of the API.") }
    return [{ name: String(name), in: "query", ...text, schema: { type: "string" } }]
  })
}

interface InputMember {
  readonly text: string
  readonly required: boolean
}

/** Declares a type for the parameters at one place, such as the query, so that callers can name it. */
function declareGroup(key: string, list: readonly Parameter[], base: string, { types }: OperationTools): InputMember {
  const required = list.some((one) => one.required)
  const lines = list.map(({ name, required = false, description = "", schema }) => {
    const members = types.toType(schema, `${base}${toTypeName(name)}`).map(toReadonlyArray)
    const type = required ? members : keepUniqueMembers([...members, "undefined"])
    return (
      renderComment(description, "  ") + renderUnion(`readonly ${renderKey(name)}${required ? "" : "?"}:`, type, "  ")
    )
  })
  const extendsClause = key === "headers" ? " extends HeaderValues" : ""
  const name = types.declare(`${base}${toTypeName(key)}`, (name) => {
    return `export interface ${name}${extendsClause} {\n${lines.join("")}}\n`
  })
  const type = required ? [name] : [name, "undefined"]
  return { text: renderUnion(`readonly ${key}${required ? "" : "?"}:`, type, "  "), required }
}

function toReadonlyArray(type: string): string {
  return type.endsWith("[]") ? `readonly ${type}` : type
}

interface RequestBody {
  readonly content?: Content
  readonly required?: boolean
}

/** Returns the properties for the body. If there are several media types, a call chooses one. */
function listBodyMembers(
  { content = {}, required: isBodyRequired = false }: RequestBody,
  base: string,
  { types }: OperationTools,
): InputMember[] {
  const medias = Object.keys(content).filter(
    (media) => media !== "multipart/form-data" || !("application/x-www-form-urlencoded" in content),
  )
  const required = medias.length === 1 && isBodyRequired
  return medias.map((media) => {
    const { schema = {} } = content[media] ?? {}
    const key = chooseBodyKey(media)
    const type: TypeText =
      key === "text" ? ["string"] : key === "bytes" ? ["BodyValue"] : types.toType(schema, `${base}${toTypeName(key)}`)
    const mark = required ? ":" : "?:"
    return {
      text: renderUnion(`readonly ${key}${mark}`, required ? type : keepUniqueMembers([...type, "undefined"]), "  "),
      required,
    }
  })
}

function chooseBodyKey(media: string): "body" | "form" | "text" | "bytes" {
  if (media.endsWith("json")) return "body"
  if (media === "multipart/form-data" || media === "application/x-www-form-urlencoded") return "form"
  return media.startsWith("text/") ? "text" : "bytes"
}

function listBodies({ responses = {} }: Schema, { responses: sharedResponses }: OperationTools): ResponseBody[] {
  return Object.entries(responses as Record<string, Schema>).map(([status, responseOrRef]) => {
    const { $ref } = responseOrRef
    const response =
      typeof $ref === "string" ? (sharedResponses[$ref.split("/").at(-1) as string] ?? {}) : responseOrRef
    const content = (response.content ?? {}) as Content
    const medias = Object.keys(content)
    const media =
      medias.find((one) => one.endsWith("json")) ?? medias.find((one) => one === "text/event-stream") ?? medias[0]
    const hasAnyStatus = status === "default" && typeof $ref !== "string" && medias.length > 0
    return {
      status,
      media: media ?? "",
      schema: media === undefined ? undefined : content[media]?.schema,
      hasAnyStatus,
    }
  })
}

function isErrorStatus(status: string): boolean {
  return status === "default" || Number(status) >= 400
}

function renderResult(name: string, base: string, bodies: readonly ResponseBody[], { types }: OperationTools): string {
  const groups = new Map<string, string[]>()
  for (const body of bodies) {
    const { status, hasAnyStatus } = body
    // Errors get a shared name, because many operations have the same ones, from their middleware.
    const hint = isErrorStatus(status) ? `Error${status === "default" ? "" : status}` : `${base}Data`
    const type = toBodyType(body, types, hint).join(" | ")
    const statusType = status === "default" ? "OtherStatus" : status
    for (const kind of [
      ...(isErrorStatus(status) ? ["Failed"] : []),
      ...(!isErrorStatus(status) || hasAnyStatus ? ["Ok"] : []),
    ])
      groups.set(`${kind} ${type}`, [...(groups.get(`${kind} ${type}`) ?? []), statusType])
  }
  const members = [...groups].map(([key, statuses]) => {
    const [, kind, type] = /^(\S+) ([\s\S]*)$/.exec(key) as unknown as [string, string, string]
    return `${kind}<${statuses.join(" | ")}, ${type}>`
  })
  return renderUnion(`export type ${name} =`, members)
}

function toBodyType({ media, schema = {} }: ResponseBody, types: ClientTypes, hint: string): TypeText {
  if (media === "") return ["undefined"]
  if (media === "text/event-stream") return ["AsyncIterable<ServerEvent>"]
  if (/^application\/(?:.+\+)?json$/.test(media)) return types.toType(schema, hint)
  if (media === "*/*") return ["unknown"]
  return [media.startsWith("text/") ? "string" : "Blob"]
}

function renderEntry(
  { name, method, path, operation }: DocumentOperation,
  bodies: readonly ResponseBody[],
  { dates }: OperationTools,
): string {
  const catchAlls = ((operation.parameters ?? []) as readonly Parameter[]).filter((one) => one["x-catch-all"])
  const content = (operation.requestBody as RequestBody | undefined)?.content ?? {}
  const isMultipart = "multipart/form-data" in content && !("application/x-www-form-urlencoded" in content)
  const answers = bodies.filter(({ status, media, hasAnyStatus }) => {
    return !isErrorStatus(status) || hasAnyStatus || media !== "application/json"
  })
  const placesByStatus = bodies.flatMap(({ status, media, schema }) => {
    const places = schema && media.endsWith("json") ? dates.findIn(schema) : null
    return places === null ? [] : [[status, places] as const]
  })
  const data = {
    method,
    path: catchAlls.reduce((text, one) => text.replace(`{${one.name}}`, `{${one.name}...}`), path),
    ...(isMultipart && { form: "multipart" }),
    answers: Object.fromEntries(answers.map(({ status, media }) => [status, media])),
    ...(placesByStatus.length > 0 && { dates: Object.fromEntries(placesByStatus) }),
  }
  const start = `  ${renderKey(name)}: `
  return `${start}${renderData(data, "  ", start.length)},\n`
}
