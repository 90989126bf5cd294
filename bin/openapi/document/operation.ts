/** Makes an operation of the document: parameters, body, responses and descriptions of a route. */
import { type CommentText, listTexts } from "./comment.ts"
import type { AnswerFacts, Facts, JSONSchema, SentHeader, ValueRead, Warning } from "./model.ts"
import type { PathParam } from "./paths.ts"
import {
  createQueryParameters,
  createRequestBody,
  createValueSchema,
  isField,
  isParsed,
  isQueryOnly,
} from "./request-body.ts"
import { parseExamples, type Responses } from "./responses.ts"
import type { Schema, Schemas } from "./schemas.ts"
import type { Requirement } from "./security-schemes.ts"

/** A route and the facts about it. */
export interface OperationInput {
  readonly method: string
  readonly path: string
  readonly params: readonly PathParam[]
  readonly comment: CommentText
  /** The facts; null if only the comment could be read. */
  readonly facts: Facts | null
  readonly middlewareAnswers: readonly AnswerFacts[]
  readonly middlewareHeaders: readonly SentHeader[]
  /** The alternatives of required security; null if nothing requires security. */
  readonly security: readonly Requirement[] | null
  readonly at: { readonly file: string; readonly line: number }
}

/** What all operations of a document share. */
export interface OperationTools {
  readonly schemas: Schemas
  readonly responses: Responses
  readonly loadedSchemas: ReadonlyMap<string, JSONSchema>
  /** The statuses that the app sends instead of the status of an error. */
  readonly statusReplacements: ReadonlyMap<number, readonly number[]>
  /** The statuses that the app sends for a 400 with issues, if they differ from those for any other 400. */
  readonly issueStatuses?: readonly number[]
  readonly warn: (warning: Warning) => void
}

/** Headers that OpenAPI describes elsewhere (3.1.0 §4.8.12.1) or that programs do not set. */
const impliedHeaders = ["accept", "content-type", "authorization", "cookie", "host", "content-length"]

/** Makes an operation. Its keys are in the order in which people read them. */
export function makeOperation(input: OperationInput, tools: OperationTools): Schema {
  const { comment } = input
  const known: Facts = input.facts ?? { reads: [], bodies: [], answers: [], security: [] }
  const bodies = known.bodies.filter(({ methods }) => !methods || methods.includes(input.method))
  const facts: Facts = { ...known, bodies }
  const tags = listTags(comment)
  const chosenTags = tags.length > 0 ? [...new Set(tags)] : deriveTags(input.path)
  const parameters = [
    ...createPathParameters(input, facts.reads, comment),
    ...createOtherParameters(facts.reads, createQueryParameters(facts, tools), comment),
  ]
  const requestBody = createRequestBody(facts, tools)
  const answers = listAnswers(input, facts, tools)
  const headers = {
    all: listHeaders([...(facts.headers ?? []), ...input.middlewareHeaders], input.method),
    outer: listHeaders(input.middlewareHeaders, input.method),
  }
  const responses = tools.responses.createResponses(answers, headers, comment, input.method !== "HEAD")
  const operation: Schema = {
    operationId: listTexts(comment, "operationId")[0] || createOperationID(input),
    ...(comment.summary && { summary: comment.summary }),
    ...(comment.description && { description: comment.description }),
    ...(chosenTags.length > 0 && { tags: chosenTags }),
    ...(comment.tags.some(({ name }) => name === "deprecated") && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses,
    ...(input.security && {
      security: input.security.map((way) => Object.fromEntries(way.map((name) => [name, []]))),
    }),
  }
  addExamples(operation, comment, input, tools)
  return operation
}

/** Returns the tags of `@tag` and `@tags`. The second has several, separated by commas. */
function listTags(comment: CommentText): string[] {
  const lists = listTexts(comment, "tags").flatMap((text) => text.split(","))
  return [...listTexts(comment, "tag"), ...lists].map((text) => text.trim()).filter((text) => text !== "")
}

/** Returns all responses, including those of fw: for an invalid body, and for missing credentials. */
function listAnswers(
  { facts: known, middlewareAnswers, security, method }: OperationInput,
  facts: Facts,
  { statusReplacements, issueStatuses }: OperationTools,
): AnswerFacts[] {
  const error = (status: number): AnswerFacts => ({ status, media: "application/json", error: true })
  const isGuarded = security?.some((way) => way.length > 0) && !security.some((way) => way.length === 0)
  const hasRefusal = [...middlewareAnswers, ...facts.answers].some(({ status }) => status === 401 || status === 302)
  const hasParsedInput = facts.bodies.some(isParsed) || facts.reads.some(isField)
  // Parsing a query cannot fail, so a 400 that is caused by a query always has the issues of a validator.
  const issues = (isQueryOnly(facts) && issueStatuses) || undefined
  const unknown: AnswerFacts = { status: null, media: "*/*" }
  const given = [
    ...facts.answers,
    ...(known ? [] : [unknown]),
    ...(hasParsedInput && !issues ? [error(400)] : []),
    // A 413 is possible only if the body is read.
    ...middlewareAnswers
      .filter(
        ({ status }) =>
          status !== 413 || facts.bodies.some(({ kind }) => kind !== "query") || facts.reads.some(isField),
      )
      .map((answer): AnswerFacts => ({ ...answer, outer: true })),
    ...(isGuarded && !hasRefusal ? [error(401)] : []),
  ]
  const answers = given
    .filter(({ methods }) => !methods || methods.includes(method))
    .flatMap((answer) => {
      const statuses = answer.error && answer.status !== null ? statusReplacements.get(answer.status) : undefined
      return statuses?.map((status) => ({ ...answer, status })) ?? [answer]
    })
  return [...answers, ...(issues ?? []).map(error)]
}

/** Returns the names of headers without duplicates. Names are compared without regard to case. */
function listHeaders(headers: readonly SentHeader[], method: string): string[] {
  const names = new Map<string, string>()
  for (const { name, methods } of headers) {
    const key = name.toLowerCase()
    const isKnown = names.has(key) || key === "content-type" || (methods && !methods.includes(method))
    if (!isKnown) names.set(key, name)
  }
  return [...names.values()]
}

function createPathParameters({ params }: OperationInput, reads: readonly ValueRead[], comment: CommentText): Schema[] {
  return params.map(({ name, handlerName, isRest }) => {
    const read = reads.filter((item) => item.from === "path" && item.name === handlerName)
    const isInteger = read.length > 0 && read.every(({ type }) => type === "integer") && !isRest
    const defaultDescription = isRest ? "The rest of the path, with its slashes." : ""
    const description = findParamText(comment, handlerName) || defaultDescription
    return {
      name,
      in: "path",
      ...(description && { description }),
      required: true,
      schema: { type: isInteger ? "integer" : "string" },
      // OpenAPI cannot describe a parameter that contains slashes. Clients that know this extension do not encode
      // them.
      ...(isRest && { "x-catch-all": true }),
    }
  })
}

/** Returns the parameters that are read by name and those of a bound query. */
function createOtherParameters(reads: readonly ValueRead[], bound: readonly Schema[], comment: CommentText): Schema[] {
  const parametersByKey = new Map<string, Schema>()
  for (const { name, in: from, schema, ...rest } of bound) {
    const description = findParamText(comment, String(name))
    parametersByKey.set(`${from}:${name}`, {
      name,
      in: from,
      ...rest,
      ...(description && { description }),
      schema,
    })
  }
  for (const from of ["query", "header", "cookie"] as const) {
    for (const read of reads) {
      const name = from === "header" ? read.name.toLowerCase() : read.name
      if (read.from !== from || (from === "header" && impliedHeaders.includes(name))) continue
      const known = parametersByKey.get(`${from}:${name}`)
      const description = findParamText(comment, read.name)
      if (known && !("default" in createValueSchema(read))) continue
      parametersByKey.set(`${from}:${name}`, {
        name: known?.name ?? read.name,
        in: from,
        ...(description && { description }),
        schema: createValueSchema(read),
      })
    }
  }
  return [...parametersByKey.values()]
}

/** Returns the text about a parameter from `@param page - Which page.` */
function findParamText(comment: CommentText, name: string): string {
  for (const text of listTexts(comment, "param")) {
    const [, called, words = ""] = /^(?:\{[^}]*\}\s*)?\[?([\w$.-]+)\]?\s*(?:-\s+)?([\s\S]*)$/.exec(text) ?? []
    if (called?.toLowerCase() === name.toLowerCase()) return words.trim()
  }
  return ""
}

/** Creates an id from method and path: `getApiUsersById` for `GET /api/users/{id}`. */
function createOperationID({ method, path }: Pick<OperationInput, "method" | "path">): string {
  const words = path.split("/").flatMap((part) => {
    const clean = part.replace(/[{}]/g, "").split(/[^A-Za-z0-9]+/)
    return part.startsWith("{") ? ["by", ...clean] : clean
  })
  const capitalizeWord = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return (
    method.toLowerCase() +
    (words
      .filter((word) => word !== "")
      .map(capitalizeWord)
      .join("") || "Root")
  )
}

/** Returns the first meaningful segment of the path as a tag: `tasks` for `/api/v1/tasks/{id}`. */
function deriveTags(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("{"))
  const [first] = parts[0] === "api" ? parts.slice(1) : parts
  const tag = first !== undefined && /^v\d+$/.test(first) ? parts[parts.indexOf(first) + 1] : first
  return tag === undefined ? [] : [tag]
}

type Content = { content?: Record<string, Schema> }

function addExamples(
  operation: Schema,
  comment: CommentText,
  { at }: OperationInput,
  { warn, responses: shared }: OperationTools,
): void {
  const responses = operation.responses as Record<string, Schema & Content>
  const successStatus = Object.keys(responses).find((status) => status.startsWith("2"))
  for (const { status, value, text } of parseExamples(comment)) {
    const request = status === null ? (operation.requestBody as Content | undefined) : undefined
    const key = status ?? successStatus ?? ""
    if (!request && responses[key]) responses[key] = shared.copyShared(responses[key]) as Schema & Content
    const target = request ?? responses[key]
    const media = target?.content?.["application/json"] ?? Object.values(target?.content ?? {})[0]
    const isJSON = target?.content?.["application/json"] !== undefined
    if (!media || (isJSON && value === text && !/^"/.test(text))) {
      const fix = 'Write JSON after @example, with the status of an answer before it: @example 200 {"id": 1}'
      warn({ message: "this @example does not belong to a body or an answer, or is not JSON", fix, at })
    } else if ("example" in media) {
      const { example, ...rest } = media
      Object.assign(media, rest, { examples: { first: { value: example }, second: { value } } })
      delete media.example
    } else if (media.examples) {
      const known = media.examples as Record<string, unknown>
      known[`example${Object.keys(known).length + 1}`] = { value }
    } else media.example = value
  }
}
