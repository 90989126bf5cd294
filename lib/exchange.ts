/**
 * A request and the way to answer it, as an adapter passes them to the app. Each adapter has a class for it;
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

/** Statuses that never have a body, whatever the method (fetch standard, "null body status"). */
export const bodilessStatuses: readonly number[] = [204, 205, 304]

/**
 * Returns true for a body that is a stream, which is anything but text and bytes. `instanceof ReadableStream` would
 * make Node load that class. `in` does not work, because the body of another package's Response may hide its members.
 */
export function isStream(body: BodyData): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && !(body instanceof Uint8Array)
}

/** A request whose parts are read on demand, and the operations that create and inspect its responses. */
export interface Exchange {
  readonly method: string
  /** The raw path, not decoded. */
  readonly path: string
  /** The query with its `?`, or `""`. */
  readonly search: string
  /** The address of the other end of the connection, or `""` if the runtime does not know it. */
  readonly address: string
  /** Scheme and host of the connection, such as `https://shop.example`. */
  readonly origin: string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** True if `signal` was read and has aborted. */
  readonly isAborted: boolean
  /** Aborts when the server begins to stop; undefined if the runtime does not report it. */
  readonly stopSignal?: AbortSignal | undefined
  /** True if the request can become a WebSocket; an error if its handshake is invalid. */
  readonly upgradeCheck?: boolean | HttpError
  /** Bindings of the runtime: variables and, on workers, other bindings. Undefined if it has none. */
  readonly env: object | undefined
  /**
   * The canonical path that the client requested. Set only if it differs from `path`, because an outer app has removed
   * a prefix or rewritten it.
   */
  readonly originalPath?: string
  /** True for a request that an outer app has passed on. */
  readonly isMounted?: boolean
  /**
   * Returns a response that makes the host continue with its own routes. The app uses it in place of a 404 or 405.
   */
  passToHost?(): Response | undefined
  /** In a test, the list to which the lines of `c.log` are added. */
  readonly lines?: LogRecord[] | undefined
  /** Initial values for `c.get()`. */
  readonly values?: Map<string, unknown> | undefined
  /**
   * Tells the exchange how the request ended. Returns true if the exchange takes care of it; then the app neither logs
   * the request nor reports its error. `error` is `c.error`, and `pattern` is that of the route.
   */
  handleOutcome?(error: unknown, response: Response, pattern: string): boolean
  /**
   * Waits for a response, finishes it with `finish` and sends it, with one promise reaction for all three. The core only
   * passes the returned promise on.
   */
  followResponse?(
    answer: Promise<Response>,
    finish: (response: Response) => Response | Promise<Response>,
  ): Promise<Response>
  /** Keeps the program alive until a promise settles, even after the response. */
  waitUntil(promise: Promise<unknown>): void
  /** True if a body follows the headers. */
  readonly hasBody: boolean
  /** Returns a request header by its name in lower case; `""` if missing. Several values are joined with `", "`. */
  header(name: string): string
  /**
   * Reads the whole body. The bytes may be a view of a larger buffer. @throws HttpError 413 for more than `limit` bytes,
   * 400 for a body that is cut off.
   */
  read(limit: number): Promise<Uint8Array>
  /** Returns the body as a stream, which fails with an HttpError 413 after `limit` bytes. */
  stream(limit: number): ReadableStream<Uint8Array> | null
  /** Returns the request as a WHATWG Request with the given body. */
  toRequest(body: BodyData): Request
  /** Creates a response. `headers` has names in lower case. */
  respond(status: number, headers: Record<string, string>, body: BodyData): Response
  /** Adds headers to a response, in order. Returns another Response if its headers are immutable. */
  addHeaders(response: Response, changes: readonly HeaderChange[]): Response
  /** Returns the size of a response's body if it is known without reading it, otherwise null. */
  getSize(response: Response): number | null
  /** Returns true for a response to HEAD whose body the host itself leaves out. */
  omitsBody?(response: Response): boolean
  /** Returns a header of a response by its name in lower case; `""` if missing. */
  getResponseHeader(response: Response, name: string): string
  /**
   * Returns the text or the bytes that {@link respond} created a response from. Null for a stream, for a response
   * without a body, and for a response that the program created itself.
   */
  getContent(response: Response): string | Uint8Array | null
}

/**
 * Functions that create the exchange of a request that is passed to a mounted app. They are found by the request, so
 * the program may wrap the `fetch` of the app in other functions.
 */
export const exchangeFactories = new WeakMap<Request, (args: FetchArguments) => Exchange>()

/** The members of an exchange that are about the request's body. */
export type BodySource = Pick<Exchange, "hasBody" | "header" | "read" | "stream" | "toRequest">

/** An exchange for a `Request`, as `app.fetch` gets it. Adapters extend it with the data of their runtime. */
export class FetchExchange implements Exchange {
  // Declared without a definition, because the constructor sets them.
  declare readonly request: Request
  declare readonly method: string
  declare readonly path: string
  declare readonly search: string
  declare env: object | undefined
  /** What the host knows about the request. */
  declare protected readonly around: Around | undefined
  /** The last response that {@link respond} created, and its body if that is not a stream. */
  protected lastResponse: Response | undefined = undefined
  protected lastContent: string | Uint8Array | null = null

  /**
   * Creates an exchange.
   *
   * @param args the arguments of `app.fetch` after the request: an {@link Around}, or bindings and a context.
   * @param url the URL, if the adapter has read it already.
   * @throws TypeError for a value that is not a Request.
   */
  constructor(request: Request, args: FetchArguments = [], url: string = request?.url) {
    if (typeof url !== "string") throw misuse("fetch", request)
    const [host, context] = args
    const isAround = args.length < 2
    this.request = request
    this.around = isAround ? host : context
    this.env = isAround ? host?.env : host
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

  /**
   * The body; null for GET and HEAD. workerd passes the body of a GET, but a `Request` with one cannot be created
   * anywhere else.
   */
  get #body(): ReadableStream<Uint8Array> | null {
    return this.method === "GET" || this.method === "HEAD" ? null : this.request.body
  }

  header(name: string): string {
    return readHeader(this.request.headers, name)
  }

  read(limit: number): Promise<Uint8Array> {
    return readAll(this.#body, limit)
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    return limitStream(this.#body, limit)
  }

  toRequest(body: BodyData): Request {
    return remakeRequest(this.request, body)
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.lastContent = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.lastResponse = new Response(body as ResponseBody | null, { status, headers, ...manualEncoding })
    return this.lastResponse
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
    return response === this.lastResponse ? this.lastContent : null
  }
}

/** Returns the value of a header; `""` if it is missing or its name is not valid. */
export function readHeader(headers: Headers, name: string): string {
  try {
    return headers.get(name) ?? ""
  } catch {
    return ""
  }
}

/** Tells workerd that a body already has its Content-Encoding. Otherwise it would encode the body again. */
export const manualEncoding: ResponseInit = { encodeBody: "manual" } as object

const encoder = new TextEncoder()

/**
 * Adds headers to a WHATWG Response. If its headers are immutable, as those of `fetch()` and `Response.redirect()` are,
 * returns a new Response.
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

/**
 * Returns a copy of a Response. A response that cannot be copied, such as the 101 of a WebSocket, is returned itself.
 */
export function copyResponse(response: Response): Response {
  // Some runtimes would create a copy that has lost its connection.
  if (response.status === 101) return response
  try {
    return new Response(response.body, response)
  } catch {
    return response
  }
}

/** Returns the changes for headers that a response does not have yet. Its own headers take precedence. */
export function findMissingChanges({ headers }: Response, changes: readonly HeaderChange[]): HeaderChange[] {
  return changes.filter(({ name, value, append }) => {
    if (!append) return !headers.has(name)
    if (name === "set-cookie") return !headers.getSetCookie().includes(value)
    // `changeHeader()` adds no name that `Vary` already has.
    if (name === "vary") return true
    return !`, ${headers.get(name)}, `.includes(`, ${value}, `)
  })
}

/** Returns the response to HEAD: the response to GET without its body (RFC 9110 §9.3.2). */
export function toHeadResponse(exchange: Exchange, response: Response): Response {
  if (exchange.omitsBody?.(response)) return response
  const size = exchange.getSize(response)
  // The body is not sent, so nobody needs to know about an error of its source.
  response.body?.cancel().catch(() => {})
  const answer = new Response(null, response)
  const { status, headers } = answer
  // RFC 9110 §8.6, §15.3.6: a 204 has no length, a 205 has the length 0, and a 304 would state the length of another
  // answer.
  if (status === 204) headers.delete("content-length")
  else if (status === 205) headers.set("content-length", "0")
  // If another server has answered HEAD, the body is empty although that of GET may not be. So a length of 0 may be
  // wrong.
  else if (size && status !== 304) headers.set("content-length", String(size))
  return answer
}

/** Returns the `Content-Length` of a WHATWG Response. Without that header: 0 if there is no body, otherwise null. */
export function readKnownSize(response: Response): number | null {
  const length = readLength(response.headers.get("content-length") ?? "")
  return length ?? (response.body ? null : 0)
}
