/** Reading a request's body: counted on every way in, kept once read. A feature, for the context and the exchanges. */
import { badRequest, HttpError, tooLarge } from "../errors.ts"
import type { BodyData, Exchange, ResponseBody } from "../exchange.ts"
import { formType, parseForm } from "./form.ts"
import { isJSONType, mediaType } from "./headers.ts"
import { checkSchema, type StandardSchema, validate } from "./schema.ts"

/** Reads a stream whole. @throws HttpError 413 past `limit` bytes, 400 where it breaks off. */
export async function readAll(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (!stream) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(breakOff)
    if (done) break
    size += value.byteLength
    if (size > limit) {
      leave(reader)
      throw tooLarge(limit)
    }
    chunks.push(value)
  }
  return concat(chunks, size)
}

/** A body that breaks off, or whose framing is wrong, is the client's fault: no bug. @throws HttpError 400, or 413 as it is. */
function breakOff(cause: unknown): never {
  throw cause instanceof HttpError ? cause : badRequest("the body broke off before its end", { cause })
}

/** One array of many. */
export function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (chunks.length === 1 && first) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

/** The same stream, which errors with 413 past `limit` bytes and with 400 where it breaks off. */
export function limited(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): ReadableStream<Uint8Array> | null {
  if (!stream) return null
  const reader = stream.getReader()
  let size = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch(breakOff)
        if (done) return controller.close()
        size += value.byteLength
        if (size > limit) {
          leave(reader)
          throw tooLarge(limit)
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/**
 * Reads no further. The stream is not cancelled: Node 24 throws an uncaught error when the body of a form is cancelled
 * while it is being made, and a server ends an unread body by itself.
 */
function leave(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.releaseLock()
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw badRequest("the body is not valid UTF-8")
  }
}

function decodeJSON(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw badRequest("the body is empty, not JSON")
  return parseJSON(decodeText(bytes))
}

/** A Request with another body: the same one where nothing changes. `signal` stands in for its own. */
export function remake(request: Request, body: BodyData, signal?: () => AbortSignal): Request {
  // Deno and workerd hand over the target as it was sent, Bun one without a host for a request without Host.
  const { href } = new URL(request.url, "http://localhost")
  const same = href === request.url && !signal
  if (body === null && same) return request
  // Node asks for `duplex` with a streamed body (fetch standard, RequestInit); its absence from older types is the only reason for the wider type.
  const init: RequestInit & { duplex: "half" } = { duplex: "half" }
  if (body !== null) init.body = body as ResponseBody
  if (same) return new Request(request, init)
  const made = new Request(href, { ...init, method: request.method, headers: request.headers })
  // Whoever asks for the signal gets it; nobody else touches it.
  return Object.defineProperty(made, "signal", { get: signal ?? (() => request.signal) })
}

/** The body of one request. */
export function makeBody(exchange: Exchange, limit: number, mostParts: number): Body {
  return new Body(exchange, limit, mostParts)
}

/** The body of one request. A second reader finds what the first one read. */
export class Body {
  readonly #exchange: Exchange
  readonly #limit: number
  readonly #mostParts: number
  #bytes: Promise<Uint8Array> | undefined
  #form: Promise<FormData> | undefined
  #request: Request | undefined

  constructor(exchange: Exchange, limit: number, mostParts: number) {
    this.#exchange = exchange
    this.#limit = limit
    this.#mostParts = mostParts
  }

  #readOnce(): Promise<Uint8Array> {
    if (!this.#request?.body) return this.#exchange.read(this.#limit)
    // A request that was handed out owns the stream: reading goes through it.
    if (!this.#request.bodyUsed) return readAll(this.#request.body, this.#limit)
    return Promise.reject(
      new TypeError("the body was read through c.request already: read it in one way only"),
    )
  }

  /** All of it. */
  bytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#readOnce()
    return this.#bytes
  }

  /** As UTF-8. @throws HttpError 400 for bytes that are none. */
  text(): Promise<string> {
    return this.bytes().then(decodeText)
  }

  /** Parsed JSON, as a schema has it. @throws HttpError 415 for another content type, 400 for what is no JSON and what the schema refuses. */
  async bind(schema: StandardSchema | undefined): Promise<unknown> {
    if (schema !== undefined) checkSchema(schema)
    const value = await this.#json()
    return schema ? validate(schema, value) : value
  }

  #json(): Promise<unknown> {
    const type = this.#exchange.header("content-type")
    if (isJSONType(type)) return this.bytes().then(decodeJSON)
    const given = type === "" ? "a body without a Content-Type" : `a body of ${mediaType(type)}`
    return Promise.reject(new HttpError(415, `expected application/json, got ${given}`))
  }

  /** The fields of a form. @throws HttpError 415 for another content type, 400 for a broken form. */
  form(): Promise<FormData> {
    this.#form ??= this.#readForm()
    return this.#form
  }

  async #readForm(): Promise<FormData> {
    if (!this.#exchange.hasBody) return new FormData()
    const type = this.#exchange.header("content-type")
    if (!formType(type)) {
      const given = type === "" ? "a body without a Content-Type" : `a body of ${mediaType(type)}`
      throw new HttpError(
        415,
        `expected multipart/form-data or application/x-www-form-urlencoded, got ${given}`,
      )
    }
    const bytes = await this.bytes()
    return bytes.byteLength === 0 ? new FormData() : parseForm(bytes, type, this.#mostParts)
  }

  /** The WHATWG request, made once: its body is the counted stream, or what was read of it, as often as it is asked for. */
  request(): Request {
    if (this.#request && !(this.#bytes && this.#request.bodyUsed)) return this.#request
    const exchange = this.#exchange
    if (!exchange.hasBody) this.#request = exchange.toRequest(null)
    else if (this.#bytes) this.#request = this.#counting(exchange.toRequest(replay(this.#bytes)))
    else this.#request = this.#counting(exchange.toRequest(exchange.stream(this.#limit)))
    return this.#request
  }

  /** The same request, whose `formData()` counts the parts of a form too: its own and that of a clone. */
  #counting(request: Request): Request {
    const type = this.#exchange.header("content-type")
    if (!formType(type)) return request
    const formData = async () => parseForm(new Uint8Array(await request.arrayBuffer()), type, this.#mostParts)
    const clone = () => this.#counting(Request.prototype.clone.call(request))
    return Object.defineProperties(request, { formData: { value: formData }, clone: { value: clone } })
  }
}

/** A stream of bytes that are read already, or are being read. */
function replay(bytes: Promise<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(await bytes)
      controller.close()
    },
  })
}

/** A JSON text that can hold a key which poisons a prototype once it is merged, also when spelled with escapes. */
const suspicious = /"(?:_|\\u005[fF])|"(?:c|\\u0063)(?:o|\\u006[fF])/

/** Parses JSON. @throws HttpError 400, for a key that would poison a prototype too. */
export function parseJSON(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw badRequest(`the body is no valid JSON${jsonPlace(text, cause)}`, { cause })
  }
  if (suspicious.test(text)) refusePoison(value)
  return value
}

/** Where parsing failed, worked out from V8's message, which quotes the body and so is not sent itself. */
function jsonPlace(text: string, cause: unknown): string {
  const at = /at position (\d+)/.exec(String(cause))
  if (!at || Number(at[1]) >= text.length)
    return at || /end of JSON|Unterminated string in JSON/.test(String(cause)) ? ": it breaks off" : ""
  const before = text.slice(0, Number(at[1])).split("\n")
  return ` at line ${before.length}, column ${(before.at(-1) as string).length + 1}`
}

function refusePoison(root: unknown): void {
  const queue: unknown[] = [root]
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== "object" || value === null) continue
    if (Object.hasOwn(value, "__proto__"))
      throw badRequest('the body has a key "__proto__", which is not allowed')
    for (const [key, child] of Object.entries(value)) {
      if (
        key === "constructor" &&
        typeof child === "object" &&
        child !== null &&
        Object.hasOwn(child, "prototype")
      ) {
        throw badRequest('the body has a key "constructor.prototype", which is not allowed')
      }
      if (typeof child === "object" && child !== null) queue.push(child)
    }
  }
}
