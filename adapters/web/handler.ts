/**
 * Answers requests on Bun and Deno with the same rules as on Node: which requests are refused, how bodies are framed,
 * and HEAD.
 */
import { changeHeader, type HeaderChange } from "../../lib/answer/caching.ts"
import { isConnectionHeader, listUnsentHeaders, removeHeaders } from "../../lib/answer/connection-headers.ts"
import { type App, dispatch } from "../../lib/app.ts"
import { bugError, type HttpError } from "../../lib/errors.ts"
import { type BodyData, bodilessStatuses, FetchExchange, isStream, readHeader } from "../../lib/exchange.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import { throwBodyError } from "../../lib/request/body-streams.ts"
import { hasElement, readLength } from "../../lib/request/header-grammar.ts"
import { env } from "../disk/env.ts"
import { isKnownOrValidHost } from "../shared/known-host.ts"
import { createHostError, isKnownOrigin, refuseCoding, refuseMethod, refuseTarget } from "../shared/request-line.ts"
import { createOwnResponse, mayHaveConnectionHeaders, type OwnResponse, peekHeaders } from "./own-response.ts"
import type { UpgradeHandler } from "./upgrade-handler.ts"
import type { WebStop } from "./web-stop.ts"

/** Answers a request. Never rejects. */
export function answerWebRequest(app: App, exchange: WebExchange): ResponseOrPromise {
  if (exchange.refusal) return toErrorResponse(exchange.refusal, true)
  try {
    const response = dispatch(app, exchange)
    if (!(response instanceof Promise)) return exchange.send(response)
    exchange.onPending?.()
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

function toErrorResponse(error: HttpError, closesConnection: boolean): Response {
  const response = Response.json(error, {
    status: error.status,
    headers: { "content-type": "application/json" },
  })
  if (closesConnection) response.headers.set("connection", "close")
  return response
}

type FinishResponse = (response: Response) => ResponseOrPromise
const noArguments = [] as const

/** A request on Bun or Deno. Each runtime has a subclass for its differences. */
export class WebExchange extends FetchExchange {
  /** The error of an invalid request. On Bun it may be set later, when the program asks for a header. */
  refusal: HttpError | null
  /** True if {@link followResponse} will send the response. */
  isFollowed = false
  protected readonly stop: WebStop
  /** The headers, if they were read. */
  #headers: Headers | undefined
  /** The Content-Length of the request, if it was read. */
  #bodyLength: string | undefined = undefined
  /** The Content-Length that the program has set for a streamed body; null if there is none. */
  #contentLength: number | null = null
  #stream: ReadableStream | undefined = undefined

  /**
   * Creates an exchange.
   *
   * @param takesHostFromURL true if the runtime puts the host of a request into its URL only if the header Host is
   * valid. A URL with a known origin then needs no further check.
   */
  constructor(request: Request, stop: WebStop, takesHostFromURL = false) {
    // Reading a property of a Request is a call into the runtime, so each is read once. The headers are the most
    // expensive, so they are read only if they can change the result.
    const { url } = request
    super(request, noArguments, url)
    const headers = takesHostFromURL && isKnownOrigin(url) ? undefined : request.headers
    const { method } = this
    this.refusal = refuseMethod(method) ?? (headers ? refuseHeaders(headers) : null) ?? refuseTarget(method, url)
    this.stop = stop
    this.#headers = headers
    stop.noteRequest()
  }

  /** Called for a response that takes time: it is created later, or it is or may be a stream. */
  onPending?(): void

  /** Called when the response is sent or has failed. */
  protected onSent?(): void

  /** Opens connections for upgrades; undefined if there are none. */
  protected get upgradeHandler(): UpgradeHandler | undefined {
    return undefined
  }

  /** Aborts when a caller of `shutdown()` does not wait any longer. Used on a runtime that does not end streams itself then. */
  protected get forceSignal(): AbortSignal | undefined {
    return undefined
  }

  /** False if the Request has a body although the client has sent none. */
  protected get isBodySent(): boolean {
    return true
  }

  /** True if the program listens for a disconnect of the client. It is reported until {@link onSent}. */
  protected get isSignalUsed(): boolean {
    return false
  }

  /** Reports an error for which no response could be sent. */
  protected report(error: unknown): void {
    reportBug(error, env)
  }

  override header(name: string): string {
    const headers = this.#getHeaders()
    if (name !== "content-length") return readHeader(headers, name)
    // The value is needed several times, and each time would be a call into the runtime.
    this.#bodyLength ??= readHeader(headers, name)
    return this.#bodyLength
  }

  /** Returns the headers. @throws HttpError if they are read for the first time, and Host is repeated. */
  #getHeaders(): Headers {
    if (this.#headers) return this.#headers
    const { headers } = this.request
    this.#headers = headers
    this.refusal = refuseHeaders(headers)
    if (this.refusal) throw this.refusal
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
      const finalResponse = finish ? finish(response) : response
      return finalResponse instanceof Promise ? this.sendLater(finalResponse) : this.send(finalResponse)
    } catch (error) {
      return this.fail(error)
    }
  }

  /**
   * Answers a refused request. Any other error means that the app has no response; it is reported, and the answer is a
   * 500.
   */
  fail(error: unknown): Response {
    if (this.refusal && error === this.refusal) return toErrorResponse(this.refusal, true)
    this.report(error)
    return toErrorResponse(bugError, false)
  }

  get stopSignal(): AbortSignal {
    return this.stop.stopSignal
  }

  override waitUntil(promise: Promise<unknown>): void {
    this.stop.waitUntil(promise)
  }

  /** The origin. Bun passes a URL without a host if the client has sent no Host. */
  override get origin(): string {
    this.#getHeaders()
    return new URL(this.request.url, "http://localhost").origin
  }

  override get hasBody(): boolean {
    const { method } = this
    if (method === "GET" || method === "HEAD") return false
    // Reading `body` would create a stream.
    return Number(this.header("content-length")) > 0 || (this.isBodySent && super.hasBody)
  }

  /** Reads a body with a Content-Length as a whole. The runtime itself never reads more than that. */
  override read(limit: number): Promise<Uint8Array> {
    const length = this.header("content-length")
    if (!/^\d+$/.test(length) || Number(length) > limit) return super.read(limit)
    return this.request.arrayBuffer().then((buffer) => new Uint8Array(buffer), throwBodyError)
  }

  override toRequest(body: BodyData): Request {
    this.#getHeaders()
    return super.toRequest(body)
  }

  override respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    this.#stream = isStream(body) ? this.#guardStream(body) : undefined
    if (this.#stream) this.onPending?.()
    this.lastContent = typeof body === "string" || body instanceof Uint8Array ? body : null
    this.lastResponse = createOwnResponse(status, headers, this.#stream ?? body)
    return this.lastResponse
  }

  override addHeaders(response: Response, changes: readonly HeaderChange[]): Response {
    if (response !== this.lastResponse || changes.some(isConnectionHeader)) return super.addHeaders(response, changes)
    const headers = peekHeaders(response)
    for (const change of changes) changeHeader(headers, change)
    return response
  }

  get upgradeCheck(): boolean | HttpError {
    const { upgradeHandler } = this
    return upgradeHandler ? (upgradeHandler.refuse((name) => this.header(name)) ?? true) : false
  }

  /** Returns the response to pass to the runtime. */
  send(appResponse: Response): Response {
    // A response of the context's methods never accepts an upgrade.
    if (appResponse !== this.lastResponse) {
      const upgrade = this.upgradeHandler?.answer(appResponse)
      if (upgrade) return upgrade.response
      // The program has opened the WebSocket itself, through the runtime.
      if (appResponse.status === 101) return appResponse
      this.onPending?.()
    }
    const response = this.#frameResponse(appResponse)
    if (this.method === "HEAD") {
      this.onSent?.()
      return preventContentLength(response)
    }
    if (this.#stream && appResponse === this.lastResponse && response.body) return response
    // A Response that the program created may have a stream as its body. Then only the end of the stream shows that
    // everything was sent.
    if (this.isSignalUsed && response.body && this.getContent(appResponse) === null) {
      return new Response(this.#guardStream(response.body), response)
    }
    this.onSent?.()
    return response
  }

  #frameResponse(appResponse: Response): Response {
    if (
      appResponse === this.lastResponse &&
      !mayHaveConnectionHeaders(appResponse as OwnResponse) &&
      !this.stop.isClosing
    )
      return appResponse
    const { headers } = appResponse
    const declaredLength = headers.get("content-length")
    const connection = headers.get("connection")
    const droppedHeaders = listUnsentHeaders(appResponse)
    // The runtime knows the length of a complete body. For a stream, the value that the program has set is used.
    this.#contentLength = readLength(declaredLength ?? "")
    if (declaredLength !== null && this.#contentLength === null) droppedHeaders.push("content-length")
    const mustClose = this.stop.isClosing || hasElement(connection ?? "", "close")
    if (droppedHeaders.length === 0 && !mustClose) return appResponse
    const framedResponse = removeHeaders(appResponse, ["connection", ...droppedHeaders])
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
    const { forceSignal } = this
    let onForce = () => {}
    const stopListening = () => forceSignal?.removeEventListener("abort", onForce)
    const fail = (error: unknown) => {
      stopListening()
      // The source must stop. Nobody needs to know about its own errors.
      reader.cancel(error).catch(() => {})
    }
    let sentBytes = 0
    const passChunk = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await reader.read()
      if (!done && !(value instanceof Uint8Array))
        throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
      sentBytes += value?.byteLength ?? 0
      const contentLength = this.#contentLength
      if (contentLength !== null && (done ? sentBytes < contentLength : sentBytes > contentLength))
        throw new TypeError(`a streamed body of ${sentBytes} bytes has a Content-Length of ${contentLength}`)
      if (!done) return controller.enqueue(value)
      stopListening()
      this.onSent?.()
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
            await passChunk(controller)
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
