/** Makes the responses of operations, including the shared responses for errors. */
import { STATUS_CODES } from "node:http"
import { sortEntries } from "../../../lib/order.ts"
import { type CommentText, listTexts, parseExample } from "./comment.ts"
import type { AnswerFacts, TypeData } from "./model.ts"
import type { Schema, Schemas } from "./schemas.ts"

/** Reason phrases of RFC 9110 §15 that Node does not have yet. */
const newerPhrases: Readonly<Record<number, string>> = {
  413: "Content Too Large",
  422: "Unprocessable Content",
}

/** The schema of the body of errors. */
const errorSchema: Schema = {
  description: "The body of every error.",
  type: "object",
  properties: {
    error: { description: "A code that programs may test for, such as `not_found`.", type: "string" },
    message: { description: "A description of the error for people.", type: "string" },
    issues: {
      description: "The problems that a validator found.",
      type: "array",
      items: {
        type: "object",
        properties: {
          message: { type: "string" },
          path: {
            description: "Keys from the root of the body to the wrong value.",
            type: "array",
            items: { type: ["string", "number"] },
          },
        },
        required: ["message"],
      },
    },
  },
  required: ["error", "message"],
}

/** The name of {@link errorSchema} in the components. */
export const errorSchemaName = "Error"

/** The pages for errors that browsers get. Other clients get JSON. */
export interface ErrorPageKinds {
  readonly hasNotFoundPage: boolean
  readonly hasErrorPage: boolean
}

/** The headers that responses have. */
export interface HeaderNames {
  /** Headers of the responses of the handler. */
  readonly all: readonly string[]
  /** Headers of the responses that its middleware sends. */
  readonly outer: readonly string[]
}

/** Makes the responses of operations. Responses to errors are shared components. */
export class Responses {
  readonly #schemas: Schemas
  readonly #pages: ErrorPageKinds
  readonly #medias: readonly string[]
  readonly #sharedResponses = new Map<string, Schema>()
  /** The schema of errors. */
  readonly error: Schema

  /**
   * Creates an instance without shared responses.
   *
   * @param ownError the type of the app's own JSON for errors, if it has one.
   * @param medias the media types of this JSON.
   */
  constructor(
    schemas: Schemas,
    pages: ErrorPageKinds,
    ownError: TypeData | undefined,
    medias = ["application/json"] as readonly string[],
  ) {
    this.#medias = medias
    this.#schemas = schemas
    this.#pages = pages
    this.error = ownError ? { description: errorSchema.description, ...schemas.toSchema(ownError) } : errorSchema
  }

  /** The shared responses that are used, by name. */
  get components(): Record<string, Schema> {
    return Object.fromEntries(sortEntries(this.#sharedResponses))
  }

  /** Returns all responses of an operation by status. `default` stands for all other errors. */
  createResponses(
    given: readonly AnswerFacts[],
    headers: HeaderNames,
    comment: CommentText,
    hasBody: boolean,
  ): Record<string, Schema> {
    const answers = given.flatMap((answer) => (answer.error ? this.#listErrors(answer) : answer))
    const statuses = [...new Set(answers.map(({ status }) => status))].filter((status) => status !== null)
    const responsesByStatus: Record<string, Schema> = {}
    for (const status of statuses.sort((a, b) => a - b)) {
      const own = answers.filter((answer) => answer.status === status)
      responsesByStatus[status] = own.every(({ error }) => error)
        ? this.#createError(status)
        : this.#createResponse(status, own, headers)
    }
    const unknown = answers.filter(({ status, error }) => status === null && !error)
    responsesByStatus.default =
      unknown.length === 0
        ? this.#createError(null)
        : this.#createResponse(null, [...unknown, ...this.#listErrors(unknownFailure)], headers)
    addDescriptions(responsesByStatus, comment)
    return hasBody ? responsesByStatus : removeBodies(responsesByStatus)
  }

  /** Returns a copy of a shared response, which can be changed. Returns any other response unchanged. */
  copyShared(response: Schema): Schema {
    const { $ref, ...siblings } = response
    const shared = this.#sharedResponses.get(String($ref).split("/").at(-1) as string)
    if ($ref === undefined || !shared) return response
    return { ...structuredClone(shared), ...siblings }
  }

  #createError(status: number | null): Schema {
    const reason = status === null ? "Any other error" : getReason(status)
    const name = status === null ? "Error" : reason.replace(/[^A-Za-z0-9]+(.)?/g, (_, next = "") => next.toUpperCase())
    this.#sharedResponses.set(name, { description: reason, content: this.#createErrorContent(status) })
    return { $ref: `#/components/responses/${name}` }
  }

  #createErrorContent(status: number | null): Schema {
    const json = { schema: { $ref: `#/components/schemas/${errorSchemaName}` } }
    const contents = this.#medias.map((media) => [media, json] as const)
    return { ...Object.fromEntries(contents), ...(this.#hasPage(status) && htmlContent) }
  }

  #listErrors(answer: AnswerFacts): AnswerFacts[] {
    return this.#medias.map((media) => ({ ...answer, media }))
  }

  /** Returns true if browsers get a page for an error. */
  #hasPage(status: number | null): boolean {
    const { hasNotFoundPage, hasErrorPage } = this.#pages
    return hasErrorPage || (hasNotFoundPage && (status === null || status === 404))
  }

  #createResponse(status: number | null, answers: readonly AnswerFacts[], names: HeaderNames): Schema {
    const isRedirect = status !== null && status >= 300 && status < 400 && status !== 304
    const location = { description: "Where to.", schema: { type: "string" } }
    const headerNames = answers.every(({ outer, error }) => outer || error) ? names.outer : names.all
    const own = headerNames.map((name) => [name, { schema: { type: "string" } }])
    const headers = { ...Object.fromEntries(own), ...(isRedirect && { Location: location }) }
    const medias = [...new Set(answers.map(({ media }) => media))].filter((media) => media !== null)
    const bodies = Object.fromEntries(medias.map((media) => [media, this.#createMedia(media, answers)]))
    const hasPage = answers.some(({ error }) => error) && this.#hasPage(status)
    const content = hasPage ? { ...htmlContent, ...bodies } : bodies
    return {
      description:
        status === null ? "An answer whose status is not known from its types, or any other error" : getReason(status),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(medias.length > 0 && { content }),
    }
  }

  #createMedia(media: string, answers: readonly AnswerFacts[]): Schema {
    const own = answers.filter((answer) => answer.media === media)
    const schemas = own.map(({ error, type }) => {
      return error
        ? { $ref: `#/components/schemas/${errorSchemaName}` }
        : this.#schemas.toSchema(toTextual(type ?? { kind: "any" }, media))
    })
    const unique = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
    return { schema: unique.length === 1 ? unique[0] : { anyOf: unique } }
  }
}

const htmlContent = { "text/html": { schema: { type: "string" } } }
const unknownFailure: AnswerFacts = { status: null, media: "application/json", error: true }

/** Returns the type of a text for bytes with a text media type, and any other type unchanged. */
function toTextual(type: TypeData, media: string): TypeData {
  return type.kind === "binary" && media.startsWith("text/") ? { kind: "string" } : type
}

function getReason(status: number): string {
  return newerPhrases[status] ?? STATUS_CODES[status] ?? `Status ${status}`
}

/**
 * Adds the descriptions in a comment: `@returns` describes the successful response, `@response 404` the response
 * with that status.
 */
function addDescriptions(responses: Record<string, Schema>, comment: CommentText): void {
  const successStatus = Object.keys(responses).find((status) => status.startsWith("2"))
  const texts = listTexts(comment, "returns", "return").map((text) => [successStatus, text] as const)
  for (const text of listTexts(comment, "response")) {
    const [, status, rest = ""] = /^(\d{3}|default)\s+([\s\S]+)$/.exec(text) ?? []
    texts.push([status, rest])
  }
  for (const [status, text] of texts) {
    const response = status === undefined ? undefined : responses[status]
    if (status === undefined || !response || text === "") continue
    responses[status] = { ...response, description: text }
  }
}

function removeBodies(responses: Record<string, Schema>): Record<string, Schema> {
  const entries = Object.entries(responses).map(([status, response]) => {
    const { content: _, ...rest } = response
    const isShared = "$ref" in rest
    return [status, isShared ? { description: status === "default" ? "Any error" : getReason(Number(status)) } : rest]
  })
  return Object.fromEntries(entries)
}

/** Parses each `@example`, such as `@example 404 {"error": "not_found"}`. Without a status, `status` is null. */
export function parseExamples(comment: CommentText): { status: string | null; value: unknown; text: string }[] {
  return listTexts(comment, "example").map((text) => {
    const [, status = null, rest = text] = /^(\d{3})\s+([\s\S]+)$/.exec(text) ?? []
    return { status, value: parseExample(rest), text: rest }
  })
}
