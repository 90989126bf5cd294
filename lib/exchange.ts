/**
 * A request and the way to answer it, as an adapter passes them to the app. Each adapter has its own class;
 * `app.fetch` uses {@link FetchExchange}.
 */

import { changeHeader, type HeaderChange } from "./answer/caching.ts"
import { misuse } from "./errors/fault.ts"
import type { HttpError } from "./errors.ts"
import type { LogRecord } from "./log/record.ts"
import { splitTarget } from "./path.ts"
import { type Around, type FetchArguments, type TestAround, testLines } from "./request/around.ts"
import { limitStream, readAll, remakeRequest } from "./request/body-streams.ts"
import { readLength } from "./request/header-grammar.ts"

/** The body of a response. */
export type BodyData = string | Uint8Array | ReadableStream<Uint8Array> | null

/** The body that `new Response()` accepts, in the types of every runtime. */
export type ResponseBody = NonNullable<ConstructorParameters<typeof Response>[0]>

/** Statuses whose responses have no body, whatever the method (fetch standard, "null body status"). */
export const bodilessStatuses: readonly number[] = [204, 205, 304]

/**
 * Returns true for a body that is a stream: for anything but text and bytes. It does not name its class, which Node would
 * load, and asks for no member, because the body of another package's Response may hide its members from `in`.
 */
export function isStream(body: BodyData): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && !(body instanceof Uint8Array)
}

/** The parts of a request, read on demand, and the creation of responses. */
export interface Exchange {
  readonly method: string
  /** The raw path, not decoded. */
  readonly path: string
  /** The query with its `?`, or `""`. */
  readonly search: string
  /** The peer's address, or `""` if the runtime does not know it. */
  readonly address: string
  /** Scheme and host of the connection, such as `https://shop.example`. */
  readonly origin: string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** True if the signal was read and has aborted. */
  readonly isAborted: boolean
  /** Aborts when the server begins to stop; undefined if the runtime does not report it. */
  readonly stopSignal?: AbortSignal | undefined
  /** True if the response can be upgraded to a WebSocket; an error if the handshake is invalid. */
  readonly upgradeCheck?: boolean | HttpError
  /** Bindings of the runtime: variables and, on workers, other bindings. Undefined if it has none. */
  readonly env: object | undefined
  /**
   * The canonical path that the client requested, if it differs from `path`: an outer app removed a prefix or
   * rewrote it.
   */
  readonly originalPath?: string
  /** True for a request that came through an outer app. */
  readonly isMounted?: boolean
  /**
   * Returns the response if the app has none of its own, instead of a 404 or 405, so that the host continues.
   */
  passToHost?(): Response | undefined
  /** Takes the lines of `c.log` in a test. */
  readonly lines?: LogRecord[] | undefined
  /** Initial values for `c.get()`. */
  readonly values?: Map<string, unknown> | undefined
  /**
   * Returns true if it handles the outcome of the request, which the app then neither logs nor reports.
   * `error` is that of the context, and `pattern` that of the route.
   */
  handleOutcome?(error: unknown, response: Response, pattern: string): boolean
  /**
   * Finishes and sends a response that is not ready yet, with one promise reaction for both. The caller expects nothing
   * else of the promise that it returns.
   */
  followResponse?(
    answer: Promise<Response>,
    finish: (response: Response) => Response | Promise<Response>,
  ): Promise<Response>
  /** Keeps the program alive until a promise settles, also after the response. */
  waitUntil(promise: Promise<unknown>): void
  /** True if a body follows the headers. */
  readonly hasBody: boolean
  /** Returns a request header by its name in lower case; `""` if missing. Several values are joined with `", "`. */
  header(name: string): string
  /**
   * Passes the whole body to a function, and returns its result. The bytes may be a part of a larger buffer. @throws
   * HttpError 413 past `limit` bytes, 400 if it is cut off, and the errors of the function.
   */
  read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T>
  /** A promise of {@link read} that the exchange marks as handled before it rejects. */
  readonly handledPromise?: Promise<unknown> | undefined
  /** Returns the body as a stream, which fails with an HttpError 413 past `limit` bytes. */
  stream(limit: number): ReadableStream<Uint8Array> | null
  /** Returns the request as a WHATWG Request with the given body. */
  toRequest(body: BodyData): Request
  /** Creates a response. `headers` has names in lower case. */
  respond(status: number, headers: Record<string, string>, body: BodyData): Response
  /** Adds headers to a response, in order. Returns another Response if its headers are immutable. */
  addHeaders(response: Response, changes: readonly HeaderChange[]): Response
  /** Returns the size of a response's body if it is known without reading it, otherwise null. */
  getSize(response: Response): number | null
  /** Returns true for a response whose body the host leaves out of the answer to HEAD. */
  omitsBody?(response: Response): boolean
  /** Returns a header of a response by its name in lower case; `""` if missing. */
  getResponseHeader(response: Response, name: string): string
  /**
   * Returns the body of a response that {@link respond} created from text or bytes; null for a stream, no
   * body, and a response of the program's own.
   */
  getContent(response: Response): string | Uint8Array | null
}

/**
 * Functions that create the exchange of a mounted request if its handler is an app. They are stored by request, so it
 * does not matter how an app's `fetch` is wrapped.
 */
export const mountedRequests = new WeakMap<Request, (given: FetchArguments) => Exchange>()

/** The part of an exchange that has the request's body. */
export type BodySource = Pick<Exchange, "hasBody" | "header" | "read" | "handledPromise" | "stream" | "toRequest">

/** An exchange over a Request, for `app.fetch`. Adapters extend it with the data of their runtime. */
export class FetchExchange implements Exchange {
  // Declared without a definition, because the constructor sets them.
  declare readonly request: Request
  declare readonly method: string
  declare readonly path: string
  declare readonly search: string
  declare env: object | undefined
  /** Data of the host about the request. */
  declare protected readonly around: Around | undefined
  /** The last response, and its body if it is not a stream. */
  #lastResponse: Response | undefined
  #lastContent: string | Uint8Array | null = null

  /**
   * Creates an exchange.
   *
   * @param given the arguments of `app.fetch` after the request: an {@link Around}, or bindings and a
   * context.
   * @param url the URL, if the adapter has read it already.
   * @throws TypeError for a value that is not a Request.
   */
  constructor(request: Request, given: FetchArguments = [], url: string = request?.url) {
    if (typeof url !== "string") throw misuse("fetch", request)
    const [host, context] = given
    const isOne = given.length < 2
    this.request = request
    this.around = isOne ? host : context
    this.env = isOne ? host?.env : host
    this.method = request.method
    const { path, search } = splitTarget(url)
    this.path = path
    this.search = search
  }

  get address(): string {
    return this.around?.clientIP ?? ""
  }

  get origin(): string {
    return new URL(this.request.url).origin
  }

  get lines(): LogRecord[] | undefined {
    return (this.around as TestAround | undefined)?.[testLines]
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  get isAborted(): boolean {
    return this.signal.aborted
  }

  waitUntil(promise: Promise<unknown>): void {
    this.around?.waitUntil?.(promise)
  }

  get hasBody(): boolean {
    return this.#body !== null && this.header("content-length") !== "0"
  }

  /** The body. workerd gives a GET one if the client sent it, which no Request elsewhere can have. */
  get #body(): ReadableStream<Uint8Array> | null {
    return this.method === "GET" || this.method === "HEAD" ? null : this.request.body
  }

  header(name: string): string {
    return readHeader(this.request.headers, name)
  }

  read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
    return readAll(this.#body, limit).then(make)
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    return limitStream(this.#body, limit)
  }

  toRequest(body: BodyData): Request {
    return remakeRequest(this.request, body)
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.#lastContent = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.#lastResponse = new Response(body as ResponseBody | null, { status, headers, ...manualEncoding })
    return this.#lastResponse
  }

  addHeaders(response: Response, changes: readonly HeaderChange[]): Response {
    return changeHeaders(response, changes)
  }

  getSize(response: Response): number | null {
    const content = this.getContent(response)
    if (content === null) return readKnownSize(response)
    return (typeof content === "string" ? encoder.encode(content) : content).byteLength
  }

  getResponseHeader(response: Response, name: string): string {
    return response.headers.get(name) ?? ""
  }

  getContent(response: Response): string | Uint8Array | null {
    return response === this.#lastResponse ? this.#lastContent : null
  }
}

/** Returns the value of a header; `""` without one, and for an invalid name. */
export function readHeader(headers: Headers, name: string): string {
  try {
    return headers.get(name) ?? ""
  } catch {
    return ""
  }
}

/** Shows workers that a body already has its Content-Encoding; they would encode it again. */
export const manualEncoding: ResponseInit = { encodeBody: "manual" } as object

const encoder = new TextEncoder()

/**
 * Adds headers to a real Response. One with immutable headers (from `fetch`, `Response.redirect`) is created
 * again.
 */
export function changeHeaders(response: Response, changes: readonly HeaderChange[]): Response {
  try {
    const { headers } = response
    for (const change of changes) changeHeader(headers, change)
    return response
  } catch {
    return changeHeaders(new Response(response.body, response), changes)
  }
}

/** Returns a copy of a Response. One that cannot be copied, such as a WebSocket's 101, is returned as it is. */
export function copyResponse(response: Response): Response {
  // Not every runtime refuses to copy it.
  if (response.status === 101) return response
  try {
    return new Response(response.body, response)
  } catch {
    return response
  }
}

/** Returns the changes for headers that a response does not have yet, because its own take precedence. */
export function findMissingChanges({ headers }: Response, changes: readonly HeaderChange[]): HeaderChange[] {
  return changes.filter(({ name, value, append }) => {
    if (!append) return !headers.has(name)
    if (name === "set-cookie") return !headers.getSetCookie().includes(value)
    // A name that `Vary` already has changes nothing.
    if (name === "vary") return true
    return !`, ${headers.get(name)}, `.includes(`, ${value}, `)
  })
}

/** Returns the response to HEAD: that of GET without its body (RFC 9110 §9.3.2). */
export function toHeadResponse(exchange: Exchange, response: Response): Response {
  if (exchange.omitsBody?.(response)) return response
  const size = exchange.getSize(response)
  // The response is not sent, so an error of its source does not matter.
  response.body?.cancel().catch(() => {})
  const answer = new Response(null, response)
  const { status, headers } = answer
  // RFC 9110 §8.6, §15.3.6: a 204 has no length, that of a 205 is 0, and that of a 304 belongs to another answer.
  if (status === 204) headers.delete("content-length")
  else if (status === 205) headers.set("content-length", "0")
  // Another server's answer to HEAD has no body even if its answer to GET has one, so 0 may be wrong.
  else if (size && status !== 304) headers.set("content-length", String(size))
  return answer
}

/** Returns the length that a real Response states. */
export function readKnownSize(response: Response): number | null {
  const length = readLength(response.headers.get("content-length") ?? "")
  return length ?? (response.body ? null : 0)
}
