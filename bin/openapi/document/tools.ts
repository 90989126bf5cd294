/** Makes tools for language models from the operations of an OpenAPI document whose route files export `mcp`. */
import type { Tool, ToolBody, ToolDescription, ToolParameter, ToolSchema, ToolSet } from "../../../lib/mcp/tool.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { DocumentedRoute } from "./document.ts"
import type { Warning } from "./model.ts"
import type { Schema } from "./schemas.ts"
import { createObjectSchema, SchemaCopy } from "./tool-schema.ts"

/** The tools, and warnings about routes that cannot be tools. */
export interface GeneratedTools {
  readonly set: ToolSet
  readonly warnings: readonly Warning[]
}

interface ToolOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly OperationParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Schema>>
}

interface OperationParameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
}

/** The longest name of a tool that every client accepts. */
const maxNameLength = 64

/** The reason why a route cannot be a tool, with a fix. */
class ToolProblem extends Error {
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}

/** The document, its routes, and whether the types of handlers could be read. */
export interface ToolSource {
  readonly document: Schema
  readonly routes: readonly DocumentedRoute[]
  readonly tree: RouteTree
  readonly isTyped: boolean
}

/** Makes the tools of the routes that are offered to language models. */
export function makeTools({ document, routes, tree, isTyped }: ToolSource): GeneratedTools {
  const { title, version } = document.info as { title: string; version: string }
  const warnings: Warning[] = []
  const names = new Set<string>()
  const documented = new Map(routes.map((one) => [`${one.route.method} ${one.route.pattern}`, one]))
  const offeredRoutes = tree.routes.filter(({ mcp }) => mcp)
  const tools = offeredRoutes.flatMap(({ method, pattern, file, line }) => {
    try {
      const found = documented.get(`${method} ${pattern}`)
      if (!found)
        throw new ToolProblem("@hidden keeps it out of the document", "Remove @hidden, or remove it from mcp.")
      return [makeTool(document, found, isTyped, names)]
    } catch (error) {
      if (!(error instanceof ToolProblem)) throw error
      const message = `${method} ${pattern} is not a tool for language models: ${error.message}`
      warnings.push({ message, fix: error.fix, at: { file, line } })
      return []
    }
  })
  return { set: { name: title, version, tools }, warnings }
}

function makeTool(
  document: Schema,
  { route, path, operation: given }: DocumentedRoute,
  isTyped: boolean,
  names: Set<string>,
): Tool {
  const operation = given as unknown as ToolOperation
  const { method, pattern } = route
  if (!isTyped && method !== "GET" && method !== "DELETE")
    throw new ToolProblem("the type of its body is not known", "Install TypeScript in the project.")
  const output = findOutputSchema(document, operation)
  const copy = new SchemaCopy(document)
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  const parameters = addParameters(operation, copy, properties, required)
  const body = addBody(operation, copy, properties, required)
  const { rest, linkPath } = toLinkPath(path, operation)
  const { summary, description } = operation
  const toolDescription: ToolDescription = {
    name: takeFreeName(operation.operationId, names),
    ...(summary && { title: summary.replace(/\.$/, "") }),
    ...((summary || description) && { description: [summary, description].filter(Boolean).join("\n\n") }),
    inputSchema: { ...createObjectSchema(properties, required), ...copy.definitions },
    ...(output && { outputSchema: output }),
    annotations: createAnnotations(method),
  }
  return {
    description: toolDescription,
    method,
    route: pattern,
    path: linkPath,
    ...(rest !== undefined && { rest }),
    parameters,
    ...(body && { body }),
  }
}

/** Converts a path to a pattern for `buildLink`, in which a catch-all is a final `*`. */
function toLinkPath(path: string, { parameters = [] }: ToolOperation): { linkPath: string; rest?: string } {
  const catchAll = parameters.find((parameter) => "x-catch-all" in parameter)
  if (!catchAll) return { linkPath: path }
  return { linkPath: path.replace(`{${catchAll.name}}`, "*"), rest: catchAll.name }
}

function createAnnotations(method: string): ToolDescription["annotations"] {
  if (method === "GET") return { readOnlyHint: true }
  if (method === "DELETE") return { destructiveHint: true, idempotentHint: true }
  return method === "PUT" ? { idempotentHint: true } : {}
}

function takeFreeName(id: string, usedNames: Set<string>): string {
  const clean = id.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, maxNameLength)
  let name = clean
  for (let n = 2; usedNames.has(name); n++) name = `${clean.slice(0, maxNameLength - 3)}_${n}`
  usedNames.add(name)
  return name
}

/**
 * Adds the parameters of the path and the query to the arguments. Headers and cookies are left out, because the
 * client sets them.
 */
function addParameters(
  { parameters = [] }: ToolOperation,
  copy: SchemaCopy,
  properties: Record<string, Schema>,
  required: string[],
): ToolParameter[] {
  const toolParameters = parameters.filter((parameter) => parameter.in === "path" || parameter.in === "query")
  return toolParameters.map(({ name, in: place, description, required: isRequired, schema }) => {
    const argument = name in properties ? `${place}_${name}` : name
    properties[argument] = { ...copy.copy(schema), ...(description && { description }) }
    if (isRequired) required.push(argument)
    return { argument, name, in: place as "path" | "query" }
  })
}

const bodyKinds = {
  "application/json": "json",
  "application/x-www-form-urlencoded": "form",
  "text/plain": "text",
} as const

/**
 * Adds the body to the arguments: its properties next to the parameters, or as a single argument if names would
 * collide or the body is not a simple object.
 */
function addBody(
  { requestBody }: ToolOperation,
  copy: SchemaCopy,
  properties: Record<string, Schema>,
  required: string[],
): ToolBody | undefined {
  if (!requestBody) return undefined
  const media = (Object.keys(bodyKinds) as (keyof typeof bodyKinds)[]).find((type) => type in requestBody.content)
  if (!media) throw new ToolProblem("it takes an upload", "Remove it from mcp, or let the handler take JSON as well.")
  const kind = bodyKinds[media]
  const schema = (requestBody.content[media] as { schema: Schema }).schema
  const plainObject = copy.findPlainObject(schema)
  if (plainObject && !Object.keys(plainObject.properties).some((name) => name in properties)) {
    for (const [name, inner] of Object.entries(plainObject.properties)) properties[name] = copy.copy(inner)
    required.push(...plainObject.required)
    return { kind }
  }
  const argument = "body" in properties ? "request_body" : "body"
  properties[argument] = copy.copy(schema)
  required.push(argument)
  return { kind, argument }
}

/** Matches media types that a model can read. */
const readableType = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)$|application\/(?:javascript|yaml)$|\*\/\*$)/
const streamType = /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl|json-seq))/

/** Returns the schema of the result; undefined unless the only successful answer is a JSON object. */
function findOutputSchema(document: Schema, { responses }: ToolOperation): ToolSchema | undefined {
  const copy = new SchemaCopy(document)
  const known = Object.entries(responses).map(([status, response]) => [status, copy.resolve(response)] as const)
  const successes = known.filter(([status]) => status.startsWith("2")).map(([, response]) => response)
  const types = successes.flatMap(({ content }) => Object.keys(Object(content)))
  if (types.some((type) => streamType.test(type)))
    throw new ToolProblem("it answers with a stream", "Remove it from mcp, or let it answer with JSON.")
  if (successes.length === 0 && known.some(([status]) => status.startsWith("3")))
    throw new ToolProblem("it only redirects", "Remove it from mcp, or let it answer with JSON.")
  if (types.length > 0 && !types.some((type) => readableType.test(type)))
    throw new ToolProblem(`it answers with ${types.join(", ")}`, "Remove it from mcp, or let it answer with text.")
  const [only] = successes
  const json = (only?.content as Record<string, { schema?: Schema }> | undefined)?.["application/json"]
  const isOpen = known.some(([status, response]) => status === "default" && "*/*" in Object(response.content))
  if (successes.length !== 1 || types.length !== 1 || !json?.schema || isOpen) return undefined
  return copy.copyWholeObject(json.schema)
}
