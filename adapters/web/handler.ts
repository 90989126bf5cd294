/**
 * Answers requests on Bun and Deno with the same rules as on Node: which requests are refused, how bodies are framed,
 * and HEAD.
 */
import { changeHeader, type HeaderChange } from "../../lib/answer/caching.ts"
import { isConnectionHeader, listUnsentHeaders, removeHeaders } from "../../lib/answer/connection-headers.ts"
import { type App, dispatch } from "../../lib/app.ts"
import { bugError, type HttpError } from "../../lib/errors.ts"
import { type BodyData, bodilessStatuses, FetchExchange, isStream, readHeader } from "../../lib/exchange.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import { markRejection } from "../../lib/request/allow-unawaited.ts"
import { remakeRequest, throwBodyError } from "../../lib/request/body-streams.ts"
import { hasElement, readLength } from "../../lib/request/header-grammar.ts"
import { isKnownOrValidHost } from "../shared/known-host.ts"
import { createHostError, isKnownOrigin, refuseCoding, refuseMethod, refuseTarget } from "../shared/request-line.ts"
import { createOwnResponse, isUnsearched, type OwnResponse, peekHeaders } from "./own-response.ts"
import type { RuntimeRequest } from "./runtime-request.ts"

/**
 * Answers a request. Never rejects.
 *
 * @param report reports an error for which no response could be sent.
 */
export function answerWebRequest(
  app: App,
  request: Request,
  arrival: RuntimeRequest,
  report: (error: unknown) => void,
): ResponseOrPromise {
  // Reading these is a call into the runtime, so each is read once. Headers are the most expensive, so they are read
  // only if they can change the result.
  const { method, url } = request
  const headers = arrival.takesHostFromURL && isKnownOrigin(url) ? undefined : request.headers
  const refusal = refuseMethod(method) ?? (headers ? refuseHeaders(headers) : null) ?? refuseTarget(method, url)
  if (refusal) return toErrorResponse(refusal, true)
  const exchange = new WebExchange(request, url, headers, arrival, report)
  try {
    const response = dispatch(app, exchange)
    if (!(response instanceof Promise)) return exchange.send(response)
    arrival.onPending?.()
    return exchange.isFollowed ? response : exchange.sendLater(response)
  } catch (error) {
    return exchange.fail(error)
  }
}

/** Returns the error for an invalid Host or Transfer-Encoding; null if both are valid. */
function refuseHeaders(headers: Headers): HttpError | null {
  if (!isKnownOrValidHost(headers.get("host") ?? "")) return createHostError()
  const coding = headers.get("transfer-encoding")
  return coding === null ? null : refuseCoding(coding, headers.get("content-length"))
}

function toErrorResponse(error: HttpError, close: boolean): Response {
  const response = Response.json(error, {
    status: error.status,
    headers: { "content-type": "application/json" },
  })
  if (close) response.headers.set("connection", "close")
  return response
}

type FinishResponse = (response: Response) => ResponseOrPromise
const noArguments = [] as const

class WebExchange extends FetchExchange {
  #headers: Headers | undefined
  /** The error in headers that are read only when the program asks for one. */
  #refusal: HttpError | null = null
  readonly #runtimeRequest: RuntimeRequest
  readonly #report: (error: unknown) => void
  /** The Content-Length that the program has set for a streamed body; null if there is none. */
  #contentLength: number | null = null
  #stream: ReadableStream | undefined = undefined
  handledPromise: Promise<unknown> | undefined = undefined
  /** True if {@link followResponse} will send the response. */
  isFollowed = false
  /** The last response that the context's methods created, and its body if that is not a stream. */
  #ownResponse: OwnResponse | undefined = undefined
  #ownContent: string | Uint8Array | null = null

  constructor(
    request: Request,
    url: string,
    headers: Headers | undefined,
    arrival: RuntimeRequest,
    report: (error: unknown) => void,
  ) {
    super(request, noArguments, url)
    this.#headers = headers
    this.#runtimeRequest = arrival
    this.#report = report
  }

  override header(name: string): string {
    return readHeader(this.#getHeaders(), name)
  }

  /** Returns the headers. @throws HttpError if they are read for the first time, and Host is repeated. */
  #getHeaders(): Headers {
    if (this.#headers) return this.#headers
    const { headers } = this.request
    this.#headers = headers
    this.#refusal = refuseHeaders(headers)
    if (this.#refusal) throw this.#refusal
    return headers
  }

  followResponse(answer: Promise<Response>, finish: FinishResponse): Promise<Response> {
    this.isFollowed = true
    return this.sendLater(answer, finish)
  }

  /** Sends a response when it is ready. Never rejects. */
  sendLater(answer: Promise<Response>, finish?: FinishResponse): Promise<Response> {
    return answer.then(
      (response) => this.#sendFinished(response, finish),
      (error) => this.fail(error),
    )
  }

  #sendFinished(response: Response, finish: FinishResponse | undefined): ResponseOrPromise {
    try {
      const made = finish ? finish(response) : response
      return made instanceof Promise ? this.sendLater(made) : this.send(made)
    } catch (error) {
      return this.fail(error)
    }
  }

  /**
   * Answers a refused request. Any other error means that the app has no response; it is reported, and the answer is a
   * 500.
   */
  fail(error: unknown): Response {
    if (error === this.#refusal) return toErrorResponse(this.#refusal as HttpError, true)
    this.#report(error)
    return toErrorResponse(bugError, false)
  }

  override get address(): string {
    return this.#runtimeRequest.address
  }

  get stopSignal(): AbortSignal | undefined {
    return this.#runtimeRequest.stopSignal
  }

  override waitUntil(promise: Promise<unknown>): void {
    this.#runtimeRequest.waitUntil?.(promise)
  }

  /** The origin. Bun passes a URL without a host if the client has sent no Host. */
  override get origin(): string {
    this.#getHeaders()
    return new URL(this.request.url, "http://localhost").origin
  }

  override get signal(): AbortSignal {
    return this.#runtimeRequest.signal ?? super.signal
  }

  override get isAborted(): boolean {
    return this.#runtimeRequest.isAborted ?? super.isAborted
  }

  override get hasBody(): boolean {
    const { method } = this
    if (method === "GET" || method === "HEAD") return false
    // Reading `body` would create a stream.
    if (Number(this.header("content-length")) > 0) return true
    return this.#runtimeRequest.hasBody !== false && super.hasBody
  }

  /** Reads a body with a Content-Length as a whole. The runtime itself never reads more than that. */
  override read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
    const length = this.header("content-length")
    if (!/^\d+$/.test(length) || Number(length) > limit) return super.read(limit, make)
    // One promise reaction makes the value. If it rejects, a handler for the rejection is set at that moment.
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
        return throwBodyError(cause)
      },
    )
    this.handledPromise = reading
    return reading
  }

  override toRequest(body: BodyData): Request {
    this.#getHeaders()
    return remakeRequest(this.request, body, this.#runtimeRequest.signal && (() => this.signal))
  }

  override respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.#stream = isStream(body) ? this.#guardStream(body) : undefined
    if (this.#stream) this.#runtimeRequest.onPending?.()
    this.#ownContent = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.#ownResponse = createOwnResponse(status, headers, this.#stream ?? body)
    return this.#ownResponse
  }

  override getContent(response: Response): string | Uint8Array | null {
    return response === this.#ownResponse ? this.#ownContent : null
  }

  override addHeaders(response: Response, changes: readonly HeaderChange[]): Response {
    if (response !== this.#ownResponse || changes.some(isConnectionHeader)) return super.addHeaders(response, changes)
    const unshown = peekHeaders(response)
    for (const change of changes) changeHeader(unshown, change)
    return response
  }

  get upgradeCheck(): boolean | HttpError {
    const { upgradeHandler } = this.#runtimeRequest
    return upgradeHandler ? (upgradeHandler.refuse((name) => this.header(name)) ?? true) : false
  }

  /** Returns the response to pass to the runtime. */
  send(made: Response): Response {
    // A response of the context's methods never accepts an upgrade.
    if (made !== this.#ownResponse) {
      const upgraded = this.#runtimeRequest.upgradeHandler?.answer(made)
      if (upgraded) return upgraded.response
      // The program has opened the WebSocket itself, through the runtime.
      if (made.status === 101) return made
      this.#runtimeRequest.onPending?.()
    }
    const response = this.#frameResponse(made)
    if (this.method === "HEAD") {
      this.#runtimeRequest.onSent?.()
      return preventContentLength(response)
    }
    if (this.#stream && made === this.#ownResponse && response.body) return response
    // A Response that the program created may have a stream as its body. Then only the end of the stream shows that
    // everything was sent.
    if (this.#runtimeRequest.isSignalUsed && response.body && this.getContent(made) === null) {
      return new Response(this.#guardStream(response.body), response)
    }
    this.#runtimeRequest.onSent?.()
    return response
  }

  #frameResponse(made: Response): Response {
    if (made === this.#ownResponse && isUnsearched(made) && this.#runtimeRequest.isLast !== true) return made
    const { headers } = made
    const given = headers.get("content-length")
    const connection = headers.get("connection")
    const droppedHeaders = listUnsentHeaders(made)
    // The runtime knows the length of a complete body. For a stream, the value that the program has set is used.
    this.#contentLength = readLength(given ?? "")
    if (given !== null && this.#contentLength === null) droppedHeaders.push("content-length")
    const mustClose = this.#runtimeRequest.isLast === true || hasElement(connection ?? "", "close")
    if (droppedHeaders.length === 0 && !mustClose) return made
    const framedResponse = removeHeaders(made, ["connection", ...droppedHeaders])
    // The Upgrade of a 426 must also be named in `Connection` (RFC 9110 §15.5.22).
    const upgrade = framedResponse.headers.has("upgrade") ? "upgrade" : ""
    const value = [mustClose ? "close" : "", upgrade].filter(Boolean).join(", ")
    if (value !== "") framedResponse.headers.set("connection", value)
    return framedResponse
  }

  /**
   * Returns a stream that checks its chunks: they must be bytes, and together as long as the Content-Length. An error
   * cancels the source and closes the connection, and the runtime reports it.
   */
  #guardStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader()
    const { forceSignal } = this.#runtimeRequest
    let onForce = () => {}
    const stopListening = () => forceSignal?.removeEventListener("abort", onForce)
    const fail = (error: unknown) => {
      stopListening()
      // The source must stop. Nobody needs to know about its own errors.
      reader.cancel(error).catch(() => {})
    }
    let sentBytes = 0
    const pass = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await reader.read()
      if (!done && !(value instanceof Uint8Array))
        throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
      sentBytes += value?.byteLength ?? 0
      const contentLength = this.#contentLength
      if (contentLength !== null && (done ? sentBytes < contentLength : sentBytes > contentLength))
        throw new TypeError(`a streamed body of ${sentBytes} bytes has a Content-Length of ${contentLength}`)
      if (!done) return controller.enqueue(value)
      stopListening()
      this.#runtimeRequest.onSent?.()
      controller.close()
    }
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          onForce = () => {
            controller.error(forceSignal?.reason)
            fail(forceSignal?.reason)
          }
          forceSignal?.addEventListener("abort", onForce)
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
          stopListening()
          return reader.cancel(reason ?? new DOMException("the client went away", "AbortError"))
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/**
 * Prevents the runtime from writing `Content-Length: 0` in an answer to HEAD. The length must be that of the answer to
 * GET, or be missing (RFC 9110 §8.6). With an empty stream as its body, the answer has no length.
 */
function preventContentLength(answer: Response): Response {
  if (answer.body || answer.headers.has("content-length") || bodilessStatuses.includes(answer.status)) return answer
  const empty = new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
  return new Response(empty, answer)
}
