/**
 * A stand-in for a Response on Node: it holds status, headers and text, and creates the real Response only
 * when a program accesses more.
 */
import type { HeaderChange } from "../../../lib/answer/caching.ts"
import { cookieLines, standsIn } from "../../../lib/answer/stand-in.ts"
import { type BodyData, changeHeaders, knownSize, type ResponseBody } from "../../../lib/exchange.ts"
import { addToVary } from "../../../lib/request/header-grammar.ts"
import { disguise } from "./disguise.ts"

/** The contents of a stand-in. */
export interface PlainAnswer {
  readonly status: number
  /** The reason phrase, if it is not the usual one. */
  readonly statusText?: string
  /** Names in lower case. A list for `set-cookie`, which cannot be joined. */
  readonly headers: Record<string, string | string[]>
  readonly body: BodyData
}

/** Returns the contents of a stand-in that was not accessed; null for a real Response. */
export let plainAnswer: (response: Response) => PlainAnswer | null

/** Returns the body of a stand-in; undefined for a real Response, and for a stream that the program may have. */
let plainBody: (response: Response) => BodyData | undefined

/** Returns the real Response of a stand-in; a real one is returned as it is. */
export let realResponse: (response: Response) => Response

class NodeResponse {
  readonly #status: number
  readonly #headers: Record<string, string | string[]>
  readonly #body: BodyData
  #real: Response | undefined = undefined
  /** The headers that the program has seen before there was a real Response. Their changes count. */
  #shown: Headers | undefined = undefined

  constructor(status: number, headers: Record<string, string>, body: BodyData) {
    this.#status = status
    this.#headers = headers
    this.#body = body
  }

  get [standsIn](): true {
    return true
  }

  get status(): number {
    return this.#status
  }

  get ok(): boolean {
    return this.#status < 300
  }

  get headers(): Headers {
    if (this.#real && !this.#shown) return this.#real.headers
    this.#shown ??= this.#makeHeaders()
    return this.#shown
  }

  /** Returns the lines of `Set-Cookie`. */
  get [cookieLines](): readonly string[] {
    if (this.#real || this.#shown) return this.headers.getSetCookie()
    return [this.#headers["set-cookie"] ?? []].flat()
  }

  static {
    const isPlain = (response: Response): response is Response & NodeResponse =>
      #real in response && !response.#real && !response.#shown
    plainBody = (response) => {
      if (!(#real in response)) return undefined
      const body: BodyData = response.#body
      return isContent(body) || isPlain(response) ? body : undefined
    }
    plainAnswer = (response) => {
      if (!isPlain(response)) return null
      return { status: response.#status, headers: response.#headers, body: response.#body }
    }
    realResponse = (response) => (#real in response ? response.#become() : response)
  }

  #makeHeaders(): Headers {
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.#headers)) {
      for (const line of Array.isArray(value) ? value : [value]) headers.append(name, line)
    }
    // Fetch standard, "initialize a response".
    if (typeof this.#body === "string" && !headers.has("content-type"))
      headers.set("content-type", "text/plain;charset=UTF-8")
    return headers
  }

  #become(): Response {
    if (this.#real) return this.#shown ? withHeaders(this.#real, this.#shown) : this.#real
    const headers = this.#shown ?? this.#makeHeaders()
    this.#real = new Response(this.#body as ResponseBody | null, { status: this.#status, headers })
    return this.#real
  }
}

/** Sets the headers of a Response to those that the program has. */
function withHeaders(response: Response, shown: Headers): Response {
  const { headers } = response
  for (const name of [...headers.keys()]) headers.delete(name)
  for (const [name, value] of shown) headers.append(name, value)
  return response
}

disguise(NodeResponse.prototype, (standIn) => realResponse(standIn as Response))

/** Creates a stand-in from values that the context has checked. */
export function makeAnswer(status: number, headers: Record<string, string>, body: BodyData): Response {
  return new NodeResponse(status, headers, body) as unknown as Response
}

/** Adds headers to a response; a stand-in stays one. */
export function changeAnswer(response: Response, changes: readonly HeaderChange[]): Response {
  const plain = plainAnswer(response)
  if (!plain) return changeHeaders(response, changes)
  const { headers } = plain
  for (const { name, value, append } of changes) {
    const before = headers[name]
    if (append && name === "vary") headers[name] = addToVary(String(before ?? ""), value)
    else if (!append || before === undefined) headers[name] = name === "set-cookie" ? [value] : value
    else if (Array.isArray(before)) before.push(value)
    else headers[name] = `${before}, ${value}`
  }
  return response
}

/** Returns the size of a response's body if it is known without reading it. */
export function answerSize(response: Response): number | null {
  const body = plainBody(response)
  if (typeof body === "string") return Buffer.byteLength(body)
  if (body instanceof Uint8Array) return body.byteLength
  if (body === undefined) return knownSize(response)
  const length = plainAnswer(response)?.headers["content-length"]
  if (typeof length === "string") return Number(length)
  return body ? null : 0
}

/** Returns a header of a response; `""` if it is missing. */
export function answerHeader(response: Response, name: string): string {
  const plain = plainAnswer(response)
  if (!plain) return response.headers.get(name) ?? ""
  const value = plain.headers[name] ?? ""
  return Array.isArray(value) ? value.join(", ") : value
}

/** Returns the body of a stand-in that is text or bytes. */
export function answerContent(response: Response): string | Uint8Array | null {
  const body = plainBody(response)
  return body !== undefined && isContent(body) ? body : null
}

function isContent(body: BodyData): body is string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array
}
