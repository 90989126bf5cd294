/**
 * A stand-in for a Response on Node. It holds status, headers and body, and creates the real Response only if the
 * program accesses anything else.
 */
import type { HeaderChange } from "../../../lib/answer/caching.ts"
import { cookieLines, isStandIn } from "../../../lib/answer/stand-in.ts"
import { type BodyData, changeHeaders, type ResponseBody, readKnownSize } from "../../../lib/exchange.ts"
import { addToVary } from "../../../lib/request/header-grammar.ts"
import { imitateResponse } from "./imitate-response.ts"

/** The content of a stand-in for a Response. */
export interface ResponseContents {
  readonly status: number
  /** The reason phrase, if it is not the usual one for the status. */
  readonly statusText?: string
  /** The headers, with names in lower case. `set-cookie` is a list, because its lines cannot be joined. */
  readonly headers: Record<string, string | string[]>
  readonly body: BodyData
}

/** Returns the content of a stand-in. Returns null for a real Response, and for a stand-in that has already created one. */
export let getContents: (response: Response) => ResponseContents | null

/**
 * Returns the body of a stand-in. Returns undefined for a real Response, and for a stream that the program may use too.
 */
let getPlainBody: (response: Response) => BodyData | undefined

/** Returns the real Response for a stand-in. A real Response is returned unchanged. */
export let toRealResponse: (response: Response) => Response

class FastResponse {
  readonly #status: number
  readonly #headers: Record<string, string | string[]>
  readonly #body: BodyData
  #realResponse: Response | undefined = undefined
  /** The Headers that the program has got from the stand-in. If it changes them, the response changes. */
  #programHeaders: Headers | undefined = undefined

  constructor(status: number, headers: Record<string, string>, body: BodyData) {
    this.#status = status
    this.#headers = headers
    this.#body = body
  }

  get [isStandIn](): true {
    return true
  }

  get status(): number {
    return this.#status
  }

  get ok(): boolean {
    return this.#status < 300
  }

  get headers(): Headers {
    if (this.#realResponse && !this.#programHeaders) return this.#realResponse.headers
    this.#programHeaders ??= this.#makeHeaders()
    return this.#programHeaders
  }

  /** The lines of `Set-Cookie`. */
  get [cookieLines](): readonly string[] {
    if (this.#realResponse || this.#programHeaders) return this.headers.getSetCookie()
    return [this.#headers["set-cookie"] ?? []].flat()
  }

  static {
    const isPlain = (response: Response): response is Response & FastResponse =>
      #realResponse in response && !response.#realResponse && !response.#programHeaders
    getPlainBody = (response) => {
      if (!(#realResponse in response)) return undefined
      const body: BodyData = response.#body
      return isContent(body) || isPlain(response) ? body : undefined
    }
    getContents = (response) => {
      if (!isPlain(response)) return null
      return { status: response.#status, headers: response.#headers, body: response.#body }
    }
    toRealResponse = (response) => (#realResponse in response ? response.#toResponse() : response)
  }

  #makeHeaders(): Headers {
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.#headers)) {
      for (const line of Array.isArray(value) ? value : [value]) headers.append(name, line)
    }
    // A Response with text has this type by default (fetch standard, "initialize a response").
    if (typeof this.#body === "string" && !headers.has("content-type"))
      headers.set("content-type", "text/plain;charset=UTF-8")
    return headers
  }

  #toResponse(): Response {
    if (this.#realResponse)
      return this.#programHeaders ? replaceHeaders(this.#realResponse, this.#programHeaders) : this.#realResponse
    const headers = this.#programHeaders ?? this.#makeHeaders()
    this.#realResponse = new Response(this.#body as ResponseBody | null, { status: this.#status, headers })
    return this.#realResponse
  }
}

/** Gives a Response the headers that the program has got and may have changed. */
function replaceHeaders(response: Response, programHeaders: Headers): Response {
  const { headers } = response
  for (const name of [...headers.keys()]) headers.delete(name)
  for (const [name, value] of programHeaders) headers.append(name, value)
  return response
}

imitateResponse(FastResponse.prototype, (standIn) => toRealResponse(standIn as Response))

/** Creates a stand-in. The context has already checked the values. */
export function createFastResponse(status: number, headers: Record<string, string>, body: BodyData): Response {
  return new FastResponse(status, headers, body) as unknown as Response
}

/** Adds headers to a response. A stand-in stays a stand-in. */
export function changeFastHeaders(response: Response, changes: readonly HeaderChange[]): Response {
  const contents = getContents(response)
  if (!contents) return changeHeaders(response, changes)
  const { headers } = contents
  for (const { name, value, append } of changes) {
    const existing = headers[name]
    if (append && name === "vary") headers[name] = addToVary(String(existing ?? ""), value)
    else if (!append || existing === undefined) headers[name] = name === "set-cookie" ? [value] : value
    else if (Array.isArray(existing)) existing.push(value)
    else headers[name] = `${existing}, ${value}`
  }
  return response
}

/** Returns the size of a response's body, if it is known without reading the body; otherwise null. */
export function getResponseSize(response: Response): number | null {
  const body = getPlainBody(response)
  if (typeof body === "string") return Buffer.byteLength(body)
  if (body instanceof Uint8Array) return body.byteLength
  if (body === undefined) return readKnownSize(response)
  const length = getContents(response)?.headers["content-length"]
  if (typeof length === "string") return Number(length)
  return body ? null : 0
}

/** Returns a header of a response; `""` if it is missing. */
export function getResponseHeader(response: Response, name: string): string {
  const contents = getContents(response)
  if (!contents) return response.headers.get(name) ?? ""
  const value = contents.headers[name] ?? ""
  return Array.isArray(value) ? value.join(", ") : value
}

/** Returns the body of a stand-in if it is text or bytes; otherwise null. */
export function getResponseContent(response: Response): string | Uint8Array | null {
  const body = getPlainBody(response)
  return body !== undefined && isContent(body) ? body : null
}

function isContent(body: BodyData): body is string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array
}
