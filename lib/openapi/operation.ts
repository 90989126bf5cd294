/** Makes one operation of the document: parameters, body, responses and texts of a route. */
import { type CommentText, textsOf } from "./comment.ts"
import type { Answer, Facts, JSONSchema, Read, SentHeader, Warning } from "./model.ts"
import type { PathParam } from "./paths.ts"
import { bodyOf, isField, isParsed, isQueryOnly, queryParameters, valueSchema } from "./request-body.ts"
import { examplesOf, type Responses } from "./responses.ts"
import type { Schema, Schemas } from "./schema.ts"
import type { Requirement } from "./security.ts"

/** A route and the facts about it. */
export interface OperationInput {
  readonly method: string
  readonly path: string
  readonly params: readonly PathParam[]
  readonly comment: CommentText
  /** Null if only the comment is known. */
  readonly facts: Facts | null
  /** Responses of the middleware around it. */
  readonly around: readonly Answer[]
  /** Headers that the middleware around it sets. */
  readonly headers: readonly SentHeader[]
  /** Null if nothing requires any. */
  readonly security: readonly Requirement[] | null
  readonly at: { readonly file: string; readonly line: number }
}

/** The tools that make operations. */
export interface OperationTools {
  readonly schemas: Schemas
  readonly responses: Responses
  readonly loaded: ReadonlyMap<string, JSONSchema>
  /** Statuses that the app sends for errors of other statuses. */
  readonly sent: ReadonlyMap<number, readonly number[]>
  /** Statuses that the app sends for a 400 with issues, if they differ from those for others. */
  readonly sentIssues?: readonly number[]
  readonly warn: (warning: Warning) => void
}

/** Headers that OpenAPI describes elsewhere (3.1.0 §4.8.12.1), and those that programs do not set. */
const impliedHeaders = ["accept", "content-type", "authorization", "cookie", "host", "content-length"]

/** Makes the operation, with its keys in the order in which people read them. */
export function makeOperation(input: OperationInput, tools: OperationTools): Schema {
  const { comment } = input
  const known: Facts = input.facts ?? { reads: [], bodies: [], answers: [], security: [] }
  const bodies = known.bodies.filter(({ methods }) => !methods || methods.includes(input.method))
  const facts: Facts = { ...known, bodies }
  const tags = tagsOf(comment)
  const shown = tags.length > 0 ? [...new Set(tags)] : usualTags(input.path)
  const parameters = [
    ...pathParameters(input, facts.reads, comment),
    ...otherParameters(facts.reads, queryParameters(facts, tools), comment),
  ]
  const requestBody = bodyOf(facts, tools)
  const answers = answersOf(input, facts, tools)
  const headers = {
    all: headersOf([...(facts.headers ?? []), ...input.headers], input.method),
    outer: headersOf(input.headers, input.method),
  }
  const responses = tools.responses.of(answers, headers, comment, input.method !== "HEAD")
  const operation: Schema = {
    operationId: textsOf(comment, "operationId")[0] || operationId(input),
    ...(comment.summary && { summary: comment.summary }),
    ...(comment.description && { description: comment.description }),
    ...(shown.length > 0 && { tags: shown }),
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

/** Returns each `@tag`, and each name in the list of `@tags`. */
function tagsOf(comment: CommentText): string[] {
  const lists = textsOf(comment, "tags").flatMap((text) => text.split(","))
  return [...textsOf(comment, "tag"), ...lists].map((text) => text.trim()).filter((text) => text !== "")
}

/** Returns the responses, including implied ones: for an invalid body, and for a refusal. */
function answersOf(
  { facts: known, around, security, method }: OperationInput,
  facts: Facts,
  { sent, sentIssues }: OperationTools,
): Answer[] {
  const error = (status: number): Answer => ({ status, media: "application/json", error: true })
  const guarded = security?.some((way) => way.length > 0) && !security.some((way) => way.length === 0)
  const refuses = [...around, ...facts.answers].some(({ status }) => status === 401 || status === 302)
  const parsed = facts.bodies.some(isParsed) || facts.reads.some(isField)
  // A query always can be parsed, so the only 400 that it causes has the issues of a validator.
  const issues = (isQueryOnly(facts) && sentIssues) || undefined
  const unknown: Answer = { status: null, media: "*/*" }
  const given = [
    ...facts.answers,
    ...(known ? [] : [unknown]),
    ...(parsed && !issues ? [error(400)] : []),
    // A body can be too large only if one is read.
    ...around
      .filter(
        ({ status }) =>
          status !== 413 || facts.bodies.some(({ kind }) => kind !== "query") || facts.reads.some(isField),
      )
      .map((answer): Answer => ({ ...answer, outer: true })),
    ...(guarded && !refuses ? [error(401)] : []),
  ]
  const answers = given
    .filter(({ methods }) => !methods || methods.includes(method))
    .flatMap((answer) => {
      const statuses = answer.error && answer.status !== null ? sent.get(answer.status) : undefined
      return statuses?.map((status) => ({ ...answer, status })) ?? [answer]
    })
  return [...answers, ...(issues ?? []).map(error)]
}

/** Returns the names of headers without duplicates, which ignore case. */
function headersOf(headers: readonly SentHeader[], method: string): string[] {
  const names = new Map<string, string>()
  for (const { name, methods } of headers) {
    const key = name.toLowerCase()
    const isKnown = names.has(key) || key === "content-type" || (methods && !methods.includes(method))
    if (!isKnown) names.set(key, name)
  }
  return [...names.values()]
}

function pathParameters({ params }: OperationInput, reads: readonly Read[], comment: CommentText): Schema[] {
  return params.map(({ name, own, rest }) => {
    const read = reads.filter((item) => item.from === "path" && item.name === own)
    const isInteger = read.length > 0 && read.every(({ type }) => type === "integer") && !rest
    const usual = rest ? "The rest of the path, with its slashes." : ""
    const description = paramText(comment, own) || usual
    return {
      name,
      in: "path",
      ...(description && { description }),
      required: true,
      schema: { type: isInteger ? "integer" : "string" },
      // OpenAPI cannot describe a parameter with slashes; clients that know this extension do not encode
      // them.
      ...(rest && { "x-catch-all": true }),
    }
  })
}

/** Returns the parameters that are read by their names, and those of a bound query. */
function otherParameters(reads: readonly Read[], bound: readonly Schema[], comment: CommentText): Schema[] {
  const made = new Map<string, Schema>()
  for (const { name, in: from, schema, ...rest } of bound) {
    const description = paramText(comment, String(name))
    made.set(`${from}:${name}`, { name, in: from, ...rest, ...(description && { description }), schema })
  }
  for (const from of ["query", "header", "cookie"] as const) {
    for (const read of reads) {
      const name = from === "header" ? read.name.toLowerCase() : read.name
      if (read.from !== from || (from === "header" && impliedHeaders.includes(name))) continue
      const known = made.get(`${from}:${name}`)
      const description = paramText(comment, read.name)
      if (known && !("default" in valueSchema(read))) continue
      made.set(`${from}:${name}`, {
        name: known?.name ?? read.name,
        in: from,
        ...(description && { description }),
        schema: valueSchema(read),
      })
    }
  }
  return [...made.values()]
}

/** Returns the text of `@param page - Which page.` */
function paramText(comment: CommentText, name: string): string {
  for (const text of textsOf(comment, "param")) {
    const [, called, words = ""] = /^(?:\{[^}]*\}\s*)?\[?([\w$.-]+)\]?\s*(?:-\s+)?([\s\S]*)$/.exec(text) ?? []
    if (called?.toLowerCase() === name.toLowerCase()) return words.trim()
  }
  return ""
}

/** Returns an id: `getApiUsersById` for `GET /api/users/{id}`. */
function operationId({ method, path }: Pick<OperationInput, "method" | "path">): string {
  const words = path.split("/").flatMap((part) => {
    const clean = part.replace(/[{}]/g, "").split(/[^A-Za-z0-9]+/)
    return part.startsWith("{") ? ["by", ...clean] : clean
  })
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return (
    method.toLowerCase() +
    (words
      .filter((word) => word !== "")
      .map(capital)
      .join("") || "Root")
  )
}

/** Returns the first meaningful part of the path: `tasks` for `/api/v1/tasks/{id}`. */
function usualTags(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("{"))
  const [first] = parts[0] === "api" ? parts.slice(1) : parts
  const telling = first !== undefined && /^v\d+$/.test(first) ? parts[parts.indexOf(first) + 1] : first
  return telling === undefined ? [] : [telling]
}

type Content = { content?: Record<string, Schema> }

function addExamples(
  operation: Schema,
  comment: CommentText,
  { at }: OperationInput,
  { warn, responses: shared }: OperationTools,
): void {
  const responses = operation.responses as Record<string, Schema & Content>
  const well = Object.keys(responses).find((status) => status.startsWith("2"))
  for (const { status, value, text } of examplesOf(comment)) {
    const request = status === null ? (operation.requestBody as Content | undefined) : undefined
    const key = status ?? well ?? ""
    if (!request && responses[key]) responses[key] = shared.own(responses[key]) as Schema & Content
    const place = request ?? responses[key]
    const media = place?.content?.["application/json"] ?? Object.values(place?.content ?? {})[0]
    const isJSON = place?.content?.["application/json"] !== undefined
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
