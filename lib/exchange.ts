/** One request and the way to answer it, as an adapter hands them to the app. Each adapter has one; `app.fetch` uses {@link FetchExchange}. */

import type { HttpError } from "./errors.ts"
import { misuse } from "./fault.ts"
import { leftOut } from "./left-out.ts"
import { splitTarget } from "./path.ts"
import type { Around, Given } from "./request/around.ts"
import { limited, readAll, remake } from "./request/body.ts"

declare const FW_BODY: boolean

/** A body in the forms that an answer can have. */
export type BodyData = string | Uint8Array | ReadableStream<Uint8Array> | null

/** What `new Response()` takes, under the types of every runtime. */
export type ResponseBody = NonNullable<ConstructorParameters<typeof Response>[0]>

/** One header to put on an answer: `append` keeps what is there. */
export interface HeaderChange {
  readonly name: string
  readonly value: string
  readonly append: boolean
}

/** The request's parts, read on demand, and the making of answers. */
export interface Exchange {
  readonly method: string
  /** The raw path, not decoded. */
  readonly path: string
  /** The query with its `?`, or `""`. */
  readonly search: string
  /** The peer's address, or `""` where the runtime gives none. */
  readonly address: string
  /** Scheme and host of the connection, as `https://shop.example`. */
  readonly origin: string
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** Whether that has happened, as far as anyone has asked for the signal. */
  readonly aborted: boolean
  /** Aborts when the server begins to stop; undefined where the runtime tells of no such thing. */
  readonly closing?: AbortSignal | undefined
  /** Whether who sends the answer can make a WebSocket of it; an error where the request's handshake is wrong. */
  readonly upgrades?: boolean | HttpError
  /** What the runtime binds to the program: its variables and, on workers, their bindings. Undefined where it brings none of its own. */
  readonly env: object | undefined
  /** The canonical path that the client asked for, where it is another than `path`: what stands around the app took a prefix off, or rewrote it. */
  readonly asked?: string
  /** What is answered where nothing of the app answers, in place of its own 404 and 405: the host goes on by itself. */
  pass?(): Response | undefined
  /** What `c.get()` has from the start. */
  readonly values?: Map<string, unknown> | undefined
  /** Takes over what became of the request, and true says so: then the app neither logs nor reports it. `error` is that of the context. */
  ended?(error: unknown, response: Response): boolean
  /** Keeps the program alive until a promise settles, beyond the answer. */
  waitUntil(promise: Promise<unknown>): void
  /** Whether a body follows the headers. */
  readonly hasBody: boolean
  /** A request header by its lower-case name; `""` when absent, `", "` between several. */
  header(name: string): string
  /** The whole body. @throws HttpError 413 past `limit` bytes, 400 when it breaks off. */
  read(limit: number): Promise<Uint8Array>
  /** The body as it arrives, counted: the stream errors with an HttpError 413 past `limit` bytes. */
  stream(limit: number): ReadableStream<Uint8Array> | null
  /** The request as a WHATWG Request with the given body. */
  toRequest(body: BodyData): Request
  /** Makes an answer. `headers` has lower-case names. */
  respond(status: number, headers: Record<string, string>, body: BodyData): Response
  /** Puts headers on an answer, in order. Gives another Response where this one's headers are immutable. */
  change(response: Response, changes: readonly HeaderChange[]): Response
  /** Bytes of an answer's body where they are known without reading it, else null. */
  size(response: Response): number | null
  /** A header of an answer by its lower-case name; `""` when absent. */
  headerOf(response: Response, name: string): string
  /** The body of an answer that {@link respond} made of text or bytes; null for a stream, none, and an answer of the program's own. */
  contentOf(response: Response): string | Uint8Array | null
}

/** An exchange over a Request: what `app.fetch` gets. An adapter extends it by what its runtime knows beside the Request. */
export class FetchExchange implements Exchange {
  // Declared and not defined: the constructor gives them.
  declare readonly request: Request
  declare readonly method: string
  declare readonly path: string
  declare readonly search: string
  declare env: object | undefined
  /** What the host knows besides the request and the bindings. */
  declare protected readonly around: Around | undefined
  /** The answer made last, and its body where that is no stream. */
  #made: Response | undefined
  #plain: string | Uint8Array | null = null

  /**
   * @param given what `app.fetch` was given after the request: an {@link Around}, or bindings and a context.
   * @throws TypeError for what is not a Request.
   */
  constructor(request: Request, given: Given = []) {
    if (typeof request?.url !== "string") throw misuse("fetch", request)
    const [host, context] = given
    const isOne = given.length < 2
    this.request = request
    this.around = isOne ? host : context
    this.env = isOne ? host?.env : host
    this.method = request.method
    Object.assign(this, splitTarget(request.url))
  }

  get address(): string {
    return this.around?.clientIP ?? ""
  }

  get origin(): string {
    return new URL(this.request.url).origin
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  get aborted(): boolean {
    return this.signal.aborted
  }

  waitUntil(promise: Promise<unknown>): void {
    this.around?.waitUntil?.(promise)
  }

  get hasBody(): boolean {
    // workerd gives a GET a body where the client sent one; no Request elsewhere can have it.
    if (this.method === "GET" || this.method === "HEAD") return false
    return this.request.body !== null && this.header("content-length") !== "0"
  }

  header(name: string): string {
    try {
      return this.request.headers.get(name) ?? ""
    } catch {
      // What no header can be called, none is.
      return ""
    }
  }

  read(limit: number): Promise<Uint8Array> {
    return typeof FW_BODY === "undefined" || FW_BODY ? readAll(this.request.body, limit) : leftOut("BODY")
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    return typeof FW_BODY === "undefined" || FW_BODY ? limited(this.request.body, limit) : leftOut("BODY")
  }

  toRequest(body: BodyData): Request {
    return typeof FW_BODY === "undefined" || FW_BODY ? remake(this.request, body) : leftOut("BODY")
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.#plain = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.#made = new Response(body as ResponseBody | null, { status, headers, ...manual })
    return this.#made
  }

  change(response: Response, changes: readonly HeaderChange[]): Response {
    return changeHeaders(response, changes)
  }

  size(response: Response): number | null {
    const content = this.contentOf(response)
    if (content === null) return knownSize(response)
    return (typeof content === "string" ? encoder.encode(content) : content).byteLength
  }

  headerOf(response: Response, name: string): string {
    return response.headers.get(name) ?? ""
  }

  contentOf(response: Response): string | Uint8Array | null {
    return response === this.#made ? this.#plain : null
  }
}

/** Says that a body is in its Content-Encoding already: workers would encode it once more. */
export const manual: ResponseInit = { encodeBody: "manual" } as object

const encoder = new TextEncoder()

/** Puts headers on a real Response; one with immutable headers (from `fetch`, `Response.redirect`) is made anew. */
export function changeHeaders(response: Response, changes: readonly HeaderChange[]): Response {
  try {
    const { headers } = response
    for (const { name, value, append } of changes)
      append ? headers.append(name, value) : headers.set(name, value)
    return response
  } catch {
    return changeHeaders(new Response(response.body, response), changes)
  }
}

/** A Response of its own with the same content. One that cannot be copied, such as a WebSocket's 101, is given back. */
export function copyOf(response: Response): Response {
  // Not every runtime refuses to.
  if (response.status === 101) return response
  try {
    return new Response(response.body, response)
  } catch {
    return response
  }
}

/** Those of the changes that an answer does not carry already: what it says of a header itself stays. */
export function missingFrom({ headers }: Response, changes: readonly HeaderChange[]): HeaderChange[] {
  return changes.filter(({ name, value, append }) => {
    if (!append) return !headers.has(name)
    if (name === "set-cookie") return !headers.getSetCookie().includes(value)
    return !`, ${headers.get(name)}, `.includes(`, ${value}, `)
  })
}

/** The answer to HEAD: what the one to GET would have been, without its body (RFC 9110 §9.3.2). */
export function withoutBody(exchange: Exchange, response: Response): Response {
  const size = exchange.size(response)
  // A source that fails to stop concerns nobody: its answer is not sent.
  response.body?.cancel().catch(() => {})
  const answer = new Response(null, response)
  if (size) answer.headers.set("content-length", String(size))
  return answer
}

/** What a real Response says of its length. */
export function knownSize(response: Response): number | null {
  const length = response.headers.get("content-length")
  if (length !== null) return Number(length)
  return response.body ? null : 0
}
