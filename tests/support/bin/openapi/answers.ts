/** Compares real answers with an OpenAPI 3.1 document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import ajvFormats from "ajv-formats"

interface ResponseObject {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}
interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject>>
}

/** The part of a document that is compared with answers. */
export interface AnsweringDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly responses?: Readonly<Record<string, ResponseObject>> }
}

/** Compares answers with a document. */
export class Answers {
  /** The operations that have answered, as `get /users/{id} 200`. */
  readonly seen = new Set<string>()
  readonly #document: AnsweringDocument
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #validators = new Map<object, ValidateFunction>()

  constructor(document: AnsweringDocument) {
    this.#document = closed(document) as AnsweringDocument
    // Under NodeNext, the types of both packages lack their default export.
    ;(ajvFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv)
    this.#ajv.addSchema({ ...this.#document, $id: "document" })
  }

  /**
   * @throws Error for an answer that the document does not describe. Pages, files and redirects to another spelling
   * are not checked.
   */
  async check(method: string, url: string, response: Response): Promise<void> {
    const path = new URL(url, "http://localhost").pathname
    const found = this.#operation(method.toLowerCase(), path)
    if (!found) return
    const { name, operation } = found
    const where = `${method} ${path} answered ${response.status}`
    const status = String(response.status) in operation.responses ? String(response.status) : "default"
    if (status === "default" && response.status < 400)
      throw new Error(`${where}, a status that the document does not have for ${name}`)
    const { content } = this.#meant(operation.responses[status])
    this.seen.add(`${name} ${status}`)
    const text = await response.clone().text()
    if (text === "") {
      if (content && method !== "HEAD")
        throw new Error(`${where} without a body, but the document has ${Object.keys(content)} for ${name}`)
      return
    }
    const type = (response.headers.get("content-type") ?? "").split(";")[0] as string
    const media = content?.[type] ?? content?.["*/*"]
    if (!media)
      throw new Error(
        `${where} with ${type}, but the document has ${Object.keys(content ?? {}).join(", ") || "no body"} for ${name}`,
      )
    if (type === "application/json" && media.schema) this.#validate(media.schema, JSON.parse(text), where)
  }

  #meant(response: ResponseObject | undefined): ResponseObject {
    const name = response?.$ref?.split("/").at(-1)
    return (name === undefined ? response : this.#document.components?.responses?.[name]) ?? {}
  }

  #validate(schema: object, data: unknown, where: string): void {
    let validate = this.#validators.get(schema)
    if (!validate) {
      validate = this.#ajv.compile(absolute(schema) as object)
      this.#validators.set(schema, validate)
    }
    if (validate(data)) return
    throw new Error(
      `${where} with ${JSON.stringify(data)}, which does not fit its schema: ${this.#ajv.errorsText(validate.errors)}`,
    )
  }

  /** Returns the operation for a path. Patterns with fewer parameters are tried first, and catch-alls last. */
  #operation(method: string, path: string): { name: string; operation: Operation } | null {
    const fits = (pattern: string, last: string) => {
      const source = pattern.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]+\}$/, last)
      return new RegExp(`^${source.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path)
    }
    const count = (pattern: string) => pattern.split("{").length
    const patterns = Object.keys(this.#document.paths).sort((a, b) => count(a) - count(b))
    const isRest = (pattern: string) => JSON.stringify(this.#document.paths[pattern]).includes("The rest of the path")
    const pattern = patterns.find((one) => fits(one, "[^/]+")) ?? patterns.find((one) => isRest(one) && fits(one, ".+"))
    const item = pattern === undefined ? undefined : this.#document.paths[pattern]
    const operation = item?.[method] ?? (method === "head" ? item?.get : undefined)
    return operation ? { name: `${method} ${pattern}`, operation } : null
  }
}

/** Returns a value whose references point into the document. */
function absolute(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"$ref":"#/', '"$ref":"document#/'))
}

/** Returns the document with every object closed, so that an answer may contain only what is described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, closed(inner)])
  const made = Object.fromEntries(entries) as Record<string, unknown>
  if (made.type === "object" && !("additionalProperties" in made)) made.additionalProperties = false
  return made
}
