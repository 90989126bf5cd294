/**
 * Answers a Request with the rules of the server on Node: refused requests, framing, HEAD. Used on Bun and
 * Deno.
 */
import { changeHeader, type HeaderChange } from "../../lib/answer/caching.ts"
import { isOfConnection, unsentHeaders, withoutHeaders } from "../../lib/answer/connection-headers.ts"
import { type App, dispatch } from "../../lib/app.ts"
import { bugError, type HttpError } from "../../lib/errors.ts"
import { type BodyData, bodilessStatuses, FetchExchange, isStream } from "../../lib/exchange.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import { breakOff, remake } from "../../lib/request/body-streams.ts"
import { hasElement, readLength } from "../../lib/request/header-grammar.ts"
import { markRejection } from "../../lib/request/unawaited.ts"
import { isHost } from "../shared/known-host.ts"
import { badHost, refuseCoding, refuseMethod, refuseTarget } from "../shared/target.ts"
import { endTrace, type RequestTrace, runTraced, traceOf } from "../shared/trace.ts"
import type { Arrival } from "./arrival.ts"
import { isUnsearched, makeOwn, type OwnResponse, unshownHeaders } from "./own-response.ts"

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
  // Each is a call into the runtime, so they are read once.
  const { headers, method, url } = request
  const coding = headers.get("transfer-encoding")
  const refused =
    refuseMethod(method) ??
    (isHost(headers.get("host") ?? "") ? null : badHost()) ??
    (coding === null ? null : refuseCoding(coding, headers.get("content-length"))) ??
    refuseTarget(method, url)
  if (refused) return plainError(refused, true)
  const exchange = new WebExchange(request, url, headers, arrival, report)
  const trace = traceOf(exchange)
  exchange.trace = trace
  try {
    const response = trace ? runTraced(trace, () => dispatch(app, exchange)) : dispatch(app, exchange)
    if (!(response instanceof Promise)) return exchange.send(response)
    return exchange.isFollowed ? response : exchange.sendLater(response)
  } catch (error) {
    return exchange.fail(error)
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

type Finish = (response: Response) => ResponseOrPromise
const nothingGiven = [] as const

class WebExchange extends FetchExchange {
  readonly #headers: Headers
  readonly #arrival: Arrival
  readonly #report: (error: unknown) => void
  /** The Content-Length of the response, if its body is a stream. */
  #declared: number | null = null
  #stream: ReadableStream | undefined = undefined
  /** The message for programs that watch the request. */
  trace: RequestTrace | undefined = undefined
  marked: Promise<unknown> | undefined = undefined
  /** True if {@link follow} sends the response. */
  isFollowed = false
  /** The latest response of the context's methods, and its body if it is not a stream. */
  #made: OwnResponse | undefined = undefined
  #plain: string | Uint8Array | null = null

  constructor(
    request: Request,
    url: string,
    headers: Headers,
    arrival: Arrival,
    report: (error: unknown) => void,
  ) {
    super(request, nothingGiven, url)
    this.#headers = headers
    this.#arrival = arrival
    this.#report = report
  }

  override header(name: string): string {
    try {
      return this.#headers.get(name) ?? ""
    } catch {
      // An invalid header name has no value.
      return ""
    }
  }

  follow(answer: Promise<Response>, finish: Finish): Promise<Response> {
    this.isFollowed = true
    return this.sendLater(answer, finish)
  }

  /** Sends a response when it is there. Never rejects. */
  sendLater(answer: Promise<Response>, finish?: Finish): Promise<Response> {
    return answer.then(
      (response) => this.#sendFinished(response, finish),
      (error) => this.fail(error),
    )
  }

  #sendFinished(response: Response, finish: Finish | undefined): ResponseOrPromise {
    try {
      const made = finish ? finish(response) : response
      return made instanceof Promise ? this.sendLater(made) : this.send(made)
    } catch (error) {
      return this.fail(error)
    }
  }

  /** Reports an error for which the app has no response, and answers with a 500. */
  fail(error: unknown): Response {
    this.#report(error)
    return plainError(bugError, false)
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
    if (method === "GET" || method === "HEAD") return false
    // Asking for the body itself would make a stream of it.
    if (Number(this.header("content-length")) > 0) return true
    return this.#arrival.hasBody !== false && super.hasBody
  }

  /** Reads a body of a known length in one piece: the runtime reads no further than its Content-Length. */
  override read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
    const length = this.header("content-length")
    if (!/^\d+$/.test(length) || Number(length) > limit) return super.read(limit, make)
    // One reaction makes the value, and marks the promise as handled only if it rejects.
    const reading: Promise<T> = this.request.arrayBuffer().then(
      (buffer) => {
        try {
          return make(new Uint8Array(buffer))
        } catch (error) {
          markRejection(reading)
          throw error
        }
      },
      (cause) => {
        markRejection(reading)
        return breakOff(cause)
      },
    )
    this.marked = reading
    return reading
  }

  override toRequest(body: BodyData): Request {
    return remake(this.request, body, this.#arrival.signal && (() => this.signal))
  }

  override respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.#stream = isStream(body) ? this.#guarded(body) : undefined
    this.#plain = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.#made = makeOwn(status, headers, this.#stream ?? body)
    return this.#made
  }

  override contentOf(response: Response): string | Uint8Array | null {
    return response === this.#made ? this.#plain : null
  }

  override change(response: Response, changes: readonly HeaderChange[]): Response {
    if (response !== this.#made || changes.some(isOfConnection)) return super.change(response, changes)
    const unshown = unshownHeaders(response)
    for (const change of changes) changeHeader(unshown, change)
    return response
  }

  get upgrades(): boolean | HttpError {
    const { upgrading } = this.#arrival
    return upgrading ? (upgrading.refuse((name) => this.header(name)) ?? true) : false
  }

  /** Returns the response for the runtime. */
  send(made: Response): Response {
    // What the context's methods made accepts no upgrade.
    if (made !== this.#made) {
      const upgraded = this.#arrival.upgrading?.answer(made)
      if (upgraded) return upgraded.response
      // The runtime handles a WebSocket of the program.
      if (made.status === 101) return made
    }
    const response = this.#framed(made)
    if (this.method === "HEAD") {
      this.#arrival.sent?.()
      return withoutLength(response)
    }
    if (this.#stream && made === this.#made && response.body) return response
    // The body of the program's own Response may be a stream, so only its end shows that all of it is sent.
    if (this.#arrival.heard && response.body && this.contentOf(made) === null) {
      return new Response(this.#guarded(response.body), response)
    }
    this.#arrival.sent?.()
    return response
  }

  #framed(made: Response): Response {
    if (made === this.#made && isUnsearched(made) && this.#arrival.last !== true) return made
    const { headers } = made
    const given = headers.get("content-length")
    const connection = headers.get("connection")
    const drop = unsentHeaders(made)
    // The runtime knows the length of a complete body; for a stream, the program's value is used.
    this.#declared = readLength(given ?? "")
    if (given !== null && this.#declared === null) drop.push("content-length")
    const close = this.#arrival.last === true || hasElement(connection ?? "", "close")
    if (drop.length === 0 && !close) return made
    const changed = withoutHeaders(made, ["connection", ...drop])
    // RFC 9110 §15.5.22: the Upgrade of a 426 is a header of the connection.
    const upgrade = changed.headers.has("upgrade") ? "upgrade" : ""
    const value = [close ? "close" : "", upgrade].filter(Boolean).join(", ")
    if (value !== "") changed.headers.set("connection", value)
    return changed
  }

  /**
   * Returns the stream with a check that its chunks are bytes and its length is the Content-Length. An error
   * cancels it and closes the connection; the runtime reports it.
   */
  #guarded(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader()
    const { cutting } = this.#arrival
    let cut = () => {}
    const over = () => cutting?.removeEventListener("abort", cut)
    const fail = (error: unknown) => {
      over()
      // Stops the source. Its own errors no longer matter.
      reader.cancel(error).catch(() => {})
    }
    let sent = 0
    const pass = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await reader.read()
      if (!done && !(value instanceof Uint8Array))
        throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
      sent += value?.byteLength ?? 0
      const declared = this.#declared
      if (declared !== null && (done ? sent < declared : sent > declared))
        throw new TypeError(`a streamed body of ${sent} bytes has a Content-Length of ${declared}`)
      if (!done) return controller.enqueue(value)
      over()
      this.#arrival.sent?.()
      controller.close()
    }
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          cut = () => {
            controller.error(cutting?.reason)
            fail(cutting?.reason)
          }
          cutting?.addEventListener("abort", cut)
        },
        pull: async (controller) => {
          try {
            await pass(controller)
          } catch (error) {
            fail(error)
            throw error
          }
        },
        cancel(reason) {
          over()
          return reader.cancel(reason ?? new DOMException("the client went away", "AbortError"))
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/**
 * Keeps the runtime from writing `Content-Length: 0` in an answer to HEAD, which must be the length that GET has, or
 * missing (RFC 9110 §8.6). A stream has no length, and this one has nothing to read either.
 */
function withoutLength(answer: Response): Response {
  if (answer.body || answer.headers.has("content-length") || bodilessStatuses.includes(answer.status))
    return answer
  const empty = new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
  return new Response(empty, answer)
}
