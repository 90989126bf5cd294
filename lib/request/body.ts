/** Reads a request's body, always with a size limit, and keeps the result for further reads. */
import { payloadTooLarge } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { allowUnawaited } from "./allow-unawaited.ts"
import { readAll } from "./body-streams.ts"
import { toOwnBytes } from "./bytes.ts"
import { refuseCodedBody } from "./content-coding.ts"
import type { parseForm } from "./form.ts"
import { createWrongTypeError, findFormType } from "./form-type.ts"
import { isJSONType } from "./header-grammar.ts"
import { decodeJSON, decodeText } from "./json.ts"
import { findPreparedSchema } from "./prepared-schema.ts"
import { checkSchema, type StandardSchema, validate } from "./schema.ts"

/** Returns the body of a Request. @throws TypeError if the body was read or is being read. */
export function getUnreadBody(request: Request): ReadableStream<Uint8Array> | null {
  if (!request.bodyUsed && !request.body?.locked) return request.body
  throw new TypeError("the body was read through c.request or c.parts() already: read it in one way only")
}

/** The size limits for a body. */
export interface BodyLimits {
  /** Maximum number of bytes of the whole body. */
  readonly bodyLimit: number
  /**
   * Maximum number of bytes in memory, if that is less. It applies to `c.bind()`, `c.text()`, `c.bytes()` and
   * `c.form()`.
   */
  readonly bufferedLimit?: number | undefined
  /** True to decode bodies in gzip or deflate. The limits then apply to the decoded bytes too. */
  readonly decompresses?: boolean | undefined
}

/** The body of a request. It can be read several times, with the same result. */
export class RequestBody {
  readonly #exchange: BodySource
  readonly #limits: BodyLimits
  readonly #maxParts: number
  readonly #parseForm: typeof parseForm
  /** The bytes as they were read, which may share their memory. */
  #readBytes: Promise<Uint8Array> | undefined
  #bytes: Promise<Uint8Array> | undefined
  #form: Promise<FormData> | undefined
  #request: Request | undefined

  /**
   * Creates the body of one request. @param parse parses forms. It is passed as an argument, because a bundle may leave
   * forms out.
   */
  constructor(
    exchange: BodySource,
    limits: BodyLimits,
    { formPartLimit }: { readonly formPartLimit: number },
    parse: typeof parseForm,
  ) {
    this.#exchange = exchange
    this.#limits = limits
    this.#maxParts = formPartLimit
    this.#parseForm = parse
  }

  /** Maximum number of bytes in memory. */
  get #bufferedLimit(): number {
    const { bodyLimit, bufferedLimit = bodyLimit } = this.#limits
    return Math.min(bodyLimit, bufferedLimit)
  }

  #read(): Promise<Uint8Array> {
    this.#readBytes ??= this.#readOnce()
    return this.#readBytes
  }

  async #readOnce(): Promise<Uint8Array> {
    const exchange = this.#exchange
    if (exchange.hasBody && Number(exchange.header("content-length")) > this.#bufferedLimit)
      throw payloadTooLarge(this.#bufferedLimit)
    if (!exchange.hasBody || !this.#request?.body) return exchange.read(this.#bufferedLimit)
    // If the program has a Request with this stream, the bytes are read through that Request.
    return readAll(getUnreadBody(this.#request), this.#bufferedLimit)
  }

  /** Returns all bytes. */
  bytes(): Promise<Uint8Array> {
    this.#bytes ??= allowUnawaited(this.#read().then(toOwnBytes))
    return this.#bytes
  }

  /** Returns UTF-8 text. @throws HttpError 400 for bytes that are not UTF-8, 415 for a body in a `Content-Encoding`. */
  text(): Promise<string> {
    return allowUnawaited(this.#decode(decodeText))
  }

  /** Passes the bytes to a function, and returns its result. Refuses a body in a `Content-Encoding`. */
  #decode<T>(make: (bytes: Uint8Array) => T): Promise<T> {
    const refusal = refuseCodedBody(this.#exchange)
    return refusal ? Promise.reject(refusal) : this.#read().then(make)
  }

  /**
   * Returns parsed JSON, validated by a schema. @throws HttpError 415 for another content type, 400 for invalid JSON
   * and for data that the schema refuses.
   */
  bind(schema: StandardSchema | undefined): Promise<unknown> {
    if (schema !== undefined) return allowUnawaited(this.#bindChecked(schema))
    const schemaPromise = findPreparedSchema("c.bind()")
    return allowUnawaited(schemaPromise ? this.#bindPrepared(schemaPromise) : this.#readJSON())
  }

  async #bindChecked(schema: StandardSchema): Promise<unknown> {
    checkSchema(schema)
    return validate(schema, await this.#readJSON())
  }

  async #bindPrepared(schemaPromise: Promise<StandardSchema | undefined>): Promise<unknown> {
    const schema = await schemaPromise
    const value = await this.#readJSON()
    return schema ? validate(schema, value) : value
  }

  #readJSON(): Promise<unknown> {
    const type = this.#exchange.header("content-type")
    // Most bodies have exactly this type, and need no regular expression.
    if (type === "application/json" || isJSONType(type)) return this.#decode(decodeJSON)
    return Promise.reject(createWrongTypeError("application/json", type))
  }

  /** Returns the fields of a form. @throws HttpError 415 for another content type, 400 for an invalid form. */
  form(): Promise<FormData> {
    this.#form ??= allowUnawaited(this.#readForm(() => this.bytes()))
    return this.#form
  }

  /** Returns the text of a field; `""` for a file, and for a missing field. */
  formValue(name: string): Promise<string> {
    return this.#getEntry(name, (value) => (typeof value === "string" ? value : ""))
  }

  /** Returns the file of a field; null for text, and for a missing field. */
  formFile(name: string): Promise<File | null> {
    return this.#getEntry(name, (value) => (typeof value === "string" ? null : value))
  }

  #getEntry<T>(name: string, as: (value: string | File | null) => T): Promise<T> {
    return allowUnawaited(this.form().then((form) => as(form.get(name))))
  }

  async #readForm(read: () => Promise<Uint8Array>): Promise<FormData> {
    if (!this.#exchange.hasBody) return new FormData()
    const type = this.#exchange.header("content-type")
    if (!findFormType(type))
      throw createWrongTypeError("multipart/form-data or application/x-www-form-urlencoded", type)
    const refusal = refuseCodedBody(this.#exchange)
    if (refusal) throw refusal
    const bytes = await read()
    return bytes.byteLength === 0 ? new FormData() : this.#parseForm(bytes, type, this.#maxParts)
  }

  /** Returns the WHATWG request, created once. Its body is a stream with the limit, or the bytes if they were read. */
  request(): Request {
    const isRead = this.#readBytes !== undefined
    if (this.#request && !(isRead && this.#request.bodyUsed)) return this.#request
    const exchange = this.#exchange
    const stream = () => (isRead ? createReplayStream(this.bytes()) : exchange.stream(this.#limits.bodyLimit))
    this.#request = this.#addFormMethods(exchange.toRequest(exchange.hasBody ? stream() : null))
    return this.#request
  }

  /** Gives a Request, and its clones, a `formData()` with the checks of {@link form}. */
  #addFormMethods(request: Request): Request {
    const formData = () => this.#readForm(async () => new Uint8Array(await request.arrayBuffer()))
    const clone = () => this.#addFormMethods(Request.prototype.clone.call(request))
    return Object.defineProperties(request, { formData: { value: formData }, clone: { value: clone } })
  }
}

/** Returns a stream of bytes that were read already or are being read. */
function createReplayStream(bytes: Promise<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(await bytes)
      controller.close()
    },
  })
}
