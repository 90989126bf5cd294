/**
 * Answers a Request with the rules of the server on Node: refused requests, framing, HEAD. Used on Bun and
 * Deno.
 */
import { type App, dispatch } from "../../lib/app.ts"
import { bugError, type HttpError } from "../../lib/errors.ts"
import { type BodyData, FetchExchange, type HeaderChange, type ResponseBody } from "../../lib/exchange.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import { breakOff, remake } from "../../lib/request/body.ts"
import { connectionHeaders } from "../shared/connection-headers.ts"
import { isHost } from "../shared/known-host.ts"
import { badHost, refuseCoding, refuseMethod, refuseTarget } from "../shared/target.ts"
import { endTrace, type RequestTrace, runTraced, traceOf } from "../shared/trace.ts"
import type { Upgrades } from "./upgrade.ts"

/** An adapter's data about a request. */
export interface Arrival {
  /** The peer's address. */
  readonly address: string
  /** Aborts when the server begins to stop. */
  readonly closing?: AbortSignal
  waitUntil?(promise: Promise<unknown>): void
  /** The signal of the exchange, if that of the Request does not meet its requirements. */
  readonly signal?: AbortSignal
  readonly aborted?: boolean
  /** False if no body was sent although the Request has one. */
  readonly hasBody?: boolean
  /** True if the server is closing, so that the response ends its connection. */
  readonly last?: boolean
  /** Opens connections for upgrades; undefined if there are none. */
  readonly upgrading?: Upgrades | undefined
  /** True if the program listens for the client's disconnecting, which is reported until {@link sent}. */
  readonly heard?: boolean
  /** Called when the response is sent or has failed. */
  sent?(): void
}

/**
 * Answers a request. Never rejects.
 *
 * @param report reports an error for which no response could be sent.
 */
export function answer(
  app: App,
  request: Request,
  arrival: Arrival,
  report: (error: unknown) => void,
): ResponseOrPromise {
  const { headers } = request
  const coding = headers.get("transfer-encoding")
  const refused =
    refuseMethod(request.method) ??
    (isHost(headers.get("host") ?? "") ? null : badHost()) ??
    (coding === null ? null : refuseCoding(coding, headers.get("content-length"))) ??
    refuseTarget(request.method, request.url)
  if (refused) return plainError(refused, true)
  const exchange = new WebExchange(request, arrival)
  const fail = (error: unknown) => {
    report(error)
    return plainError(bugError, false)
  }
  const trace = traceOf(exchange)
  exchange.trace = trace
  try {
    const response = trace ? runTraced(trace, () => dispatch(app, exchange)) : dispatch(app, exchange)
    if (!(response instanceof Promise)) return exchange.send(response)
    return response.then((made) => exchange.send(made)).catch(fail)
  } catch (error) {
    return fail(error)
  }
}

function plainError(error: HttpError, close: boolean): Response {
  const response = Response.json(error, {
    status: error.status,
    headers: { "content-type": "application/json" },
  })
  if (close) response.headers.set("connection", "close")
  return response
}

/** Headers that are removed from every response. `Connection` and `Content-Length` are read first. */
const dropped = [...connectionHeaders].filter((name) => name !== "connection" && name !== "content-length")

class WebExchange extends FetchExchange {
  readonly #arrival: Arrival
  /** The Content-Length of the response, if its body is a stream. */
  #declared: number | null = null
  #stream: ReadableStream | undefined
  /** The message for programs that watch the request. */
  trace: RequestTrace | undefined
  /** The latest response of the context's methods, and its body if it is not a stream. */
  #made: OwnResponse | undefined
  #plain: string | Uint8Array | null = null

  constructor(request: Request, arrival: Arrival) {
    super(request)
    this.#arrival = arrival
  }

  override get address(): string {
    return this.#arrival.address
  }

  get closing(): AbortSignal | undefined {
    return this.#arrival.closing
  }

  override waitUntil(promise: Promise<unknown>): void {
    this.#arrival.waitUntil?.(promise)
  }

  ended(error: unknown, response: Response, pattern: string): boolean {
    if (this.trace) endTrace(this.trace, error, response.status, pattern)
    return false
  }

  /** Returns the origin. Bun passes a target without a host if the client sent none. */
  override get origin(): string {
    return new URL(this.request.url, "http://localhost").origin
  }

  override get signal(): AbortSignal {
    return this.#arrival.signal ?? super.signal
  }

  override get aborted(): boolean {
    return this.#arrival.aborted ?? super.aborted
  }

  override get hasBody(): boolean {
    const { method } = this
    if (method === "GET" || method === "HEAD" || this.#arrival.hasBody === false) return false
    // Asking for the body itself would make a stream of it.
    return Number(this.header("content-length")) > 0 || super.hasBody
  }

  /** Reads a body of a known length in one piece: the runtime reads no further than its Content-Length. */
  override read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
    const length = this.header("content-length")
    if (!/^\d+$/.test(length) || Number(length) > limit) return super.read(limit, make)
    return this.request
      .arrayBuffer()
      .catch(breakOff)
      .then((buffer) => make(new Uint8Array(buffer)))
  }

  override toRequest(body: BodyData): Request {
    return remake(this.request, body, this.#arrival.signal && (() => this.signal))
  }

  override respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.#stream = isStream(body) ? this.#guarded(body) : undefined
    this.#plain = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.#made = new OwnResponse(status, headers, this.#stream ?? body)
    return this.#made
  }

  override contentOf(response: Response): string | Uint8Array | null {
    return response === this.#made ? this.#plain : null
  }

  override change(response: Response, changes: readonly HeaderChange[]): Response {
    if (response !== this.#made || changes.some(isOfConnection)) return super.change(response, changes)
    const { unshown } = this.#made
    for (const { name, value, append } of changes)
      append ? unshown.append(name, value) : unshown.set(name, value)
    return response
  }

  get upgrades(): boolean | HttpError {
    const { upgrading } = this.#arrival
    return upgrading ? (upgrading.refuse((name) => this.header(name)) ?? true) : false
  }

  /** Returns the response for the runtime. */
  send(made: Response): Response {
    const upgraded = this.#arrival.upgrading?.answer(made)
    if (upgraded) return upgraded.response
    // The runtime handles a WebSocket of the program.
    if (made.status === 101) return made
    const response = this.#framed(made)
    if (this.#stream && response.body) return response
    // The body of the program's own Response may be a stream, so only its end shows that all of it is sent.
    if (this.#arrival.heard && response.body && this.contentOf(made) === null) {
      return new Response(this.#guarded(response.body), response)
    }
    this.#arrival.sent?.()
    return response
  }

  #framed(made: Response): Response {
    if (made === this.#made && this.#made.isOurs && this.#arrival.last !== true) return made
    const { headers, status } = made
    const given = headers.get("content-length")
    // The runtime knows the length of a complete body; for a stream, the program's value is used.
    const drop = dropped.filter((name) => headers.has(name) && !(name === "upgrade" && status === 426))
    if (given !== null && /^\d{1,15}$/.test(given)) this.#declared = Number(given)
    else if (given !== null) drop.push("content-length")
    const connection = headers.get("connection")
    const close = this.#arrival.last === true || /\bclose\b/i.test(connection ?? "")
    if (drop.length === 0 && connection === null && !close) return made
    const changed = mutable(made)
    for (const name of [...drop, "connection"]) changed.headers.delete(name)
    // RFC 9110 §15.5.22: a 426 names the protocol to upgrade to, in a header of the connection.
    const upgrade = headers.has("upgrade") ? "upgrade" : ""
    const value = [close ? "close" : "", upgrade].filter(Boolean).join(", ")
    if (value !== "") changed.headers.set("connection", value)
    return changed
  }

  /**
   * Returns the stream with a check that its chunks are bytes and its length is the Content-Length. An error
   * closes the connection; the runtime reports it.
   */
  #guarded(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader()
    let sent = 0
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read()
          if (!done && !(value instanceof Uint8Array))
            throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
          sent += value?.byteLength ?? 0
          const declared = this.#declared
          if (declared !== null && (done ? sent < declared : sent > declared))
            throw new TypeError(`a streamed body of ${sent} bytes has a Content-Length of ${declared}`)
          if (!done) return controller.enqueue(value)
          this.#arrival.sent?.()
          controller.close()
        },
        cancel: (reason) => reader.cancel(reason ?? new DOMException("the client went away", "AbortError")),
      },
      { highWaterMark: 0 },
    )
  }
}

/** True for a header that only the server sets. */
function isOfConnection({ name }: { readonly name: string }): boolean {
  return connectionHeaders.has(name.toLowerCase())
}

/** The accessor that every Response inherits. */
const headersOf = Object.getOwnPropertyDescriptor(Response.prototype, "headers")?.get as (
  this: Response,
) => Headers

/** A response of the context's methods. It notices if the program looks at its headers, as it may change them then. */
class OwnResponse extends Response {
  #isOurs: boolean

  constructor(status: number, headers: Record<string, string>, body: BodyData) {
    super(body as ResponseBody | null, { status, headers })
    this.#isOurs = !Object.keys(headers).some((name) => connectionHeaders.has(name))
  }

  static {
    // TypeScript has a property there, which an accessor cannot override.
    Object.defineProperty(OwnResponse.prototype, "headers", {
      configurable: true,
      get(this: OwnResponse) {
        this.#isOurs = false
        return headersOf.call(this)
      },
    })
  }

  /** True if it has no header of the connection, for which its headers need not be searched. */
  get isOurs(): boolean {
    return this.#isOurs
  }

  /** The headers, for changes that have no header of the connection. */
  get unshown(): Headers {
    return headersOf.call(this)
  }
}

/** Returns a copy of a Response whose headers cannot be changed, as after `fetch`. */
function mutable(response: Response): Response {
  try {
    response.headers.delete("connection")
    return response
  } catch {
    return new Response(response.body, response)
  }
}

function isStream(body: BodyData): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && "getReader" in body
}
