/** A request of node:http as the app reads it: directly from `IncomingMessage`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HttpError } from "../../lib/errors.ts"
import {
  type BodyData,
  type Exchange,
  type HeaderChange,
  isStream,
  type ResponseBody,
} from "../../lib/exchange.ts"
import { splitTarget } from "../../lib/path.ts"
import type { Stop } from "../shared/stop.ts"
import { endTrace, type RequestTrace } from "../shared/trace.ts"
import { readBody, streamBody } from "./body.ts"
import {
  answerContent,
  answerHeader,
  answerSize,
  changeAnswer,
  makeAnswer,
  plainAnswer,
} from "./fast/response.ts"
import { isGone, onGone } from "./gone.ts"
import { peerWithoutAddress } from "./peer.ts"

/** The parts of a request, over node:http. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly hasBody: boolean
  /**
   * True if bytes follow the headers, even if `hasBody` is false: a GET may have a body, which a Request
   * cannot.
   */
  readonly carriesBody: boolean
  readonly #in: IncomingMessage
  readonly #out: ServerResponse
  readonly #joined: boolean
  readonly #server: Pick<Stop, "waitUntil" | "leaving"> | undefined
  /** True if the client waits for `100 Continue` (RFC 9110 §10.1.1). */
  #waiting: boolean
  #abort: AbortController | undefined = undefined
  /** True if the program has accessed the body, which it may read while its response streams. */
  bodyTouched = false
  /** True if the body has exceeded its limit. */
  overflowed = false
  /** True if what is left of the body is read and discarded. */
  isDiscarded = false
  /** The reason why the rest of the body is not received. */
  cutOff: Error | undefined = undefined
  /** Number of promises of {@link waitUntil} that have not settled. */
  #working = 0
  /** Called when the last of them has settled. */
  #afterWork: (() => void) | undefined = undefined
  marked: Promise<unknown> | undefined = undefined
  /** The message for programs that watch the request. */
  trace: RequestTrace | undefined = undefined

  /**
   * Creates an exchange.
   *
   * @param joined repeated headers come joined (`joinDuplicateHeaders`).
   * @param waiting the client waits for `100 Continue`, which was not sent yet.
   * @param server waits for background work when it stops; undefined if another program owns the server.
   */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    joined: boolean,
    waiting: boolean,
    server?: Pick<Stop, "waitUntil" | "leaving">,
  ) {
    const url = incoming.url as string
    const { headers } = incoming
    const method = incoming.method as string
    this.#in = incoming
    this.#out = outgoing
    this.#joined = joined
    this.#waiting = waiting
    this.#server = server
    this.method = method
    if (url.startsWith("/") && !url.includes("#")) {
      const query = url.indexOf("?")
      this.path = query < 0 ? url : url.slice(0, query)
      this.search = query < 0 ? "" : url.slice(query)
    } else {
      const { path, search } = splitTarget(url)
      this.path = path
      this.search = search
    }
    // RFC 9112 §6.3: without either there is no body.
    const length = headers["content-length"]
    this.carriesBody = (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined
    this.hasBody = this.carriesBody && method !== "GET" && method !== "HEAD"
  }

  get address(): string {
    return this.#in.socket.remoteAddress ?? peerWithoutAddress(this.#in.socket)
  }

  get closing(): AbortSignal | undefined {
    return this.#server?.leaving
  }

  ended(error: unknown, response: Response, pattern: string): boolean {
    if (this.trace) endTrace(this.trace, error, response.status, pattern)
    return false
  }

  get upgrades(): boolean | HttpError {
    return false
  }

  /** Undefined: a request has no bindings, only the process has. */
  get env(): undefined {
    return undefined
  }

  waitUntil(promise: Promise<unknown>): void {
    this.#server?.waitUntil(promise)
    this.#working += 1
    const done = () => {
      this.#working -= 1
      if (this.#working > 0) return
      this.#afterWork?.()
      this.#afterWork = undefined
    }
    promise.then(done, done)
  }

  /** True if work of {@link waitUntil} may still read the body. */
  get isReading(): boolean {
    return this.bodyTouched && !this.overflowed && this.#working > 0
  }

  /** Calls a function when the work of {@link waitUntil} is done. */
  afterWork(run: () => void): void {
    const before = this.#afterWork
    this.#afterWork = () => {
      before?.()
      run()
    }
    if (this.#working === 0) this.#afterWork()
  }

  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal
    const abort = new AbortController()
    this.#abort = abort
    const gone = () => abort.abort(new DOMException("the client went away", "AbortError"))
    if (!isGone(this.#in, this.#out)) onGone(this.#in, this.#out, gone)
    else if (!this.#out.writableFinished) gone()
    return abort.signal
  }

  get aborted(): boolean {
    return this.signal.aborted
  }

  header(name: string): string {
    const value = this.#in.headers[name]
    if (typeof value === "string") {
      // Without `joinDuplicateHeaders`, `headers` drops repeated Authorization and Content-Type lines;
      // `headersDistinct` keeps all, as WHATWG Headers do.
      return this.#joined || !dropped.has(name)
        ? value
        : (this.#in.headersDistinct[name]?.join(", ") ?? value)
    }
    // Anything but a list is inherited: `headers` has a prototype, and `constructor` is also a valid header
    // name.
    return Array.isArray(value) ? value.join(", ") : ""
  }

  /**
   * Asks a waiting client to send its body. After the response has begun it is too late, because
   * `100 Continue` would be in the middle of it.
   */
  begin(): void {
    if (!this.#waiting || this.#out.headersSent) return
    this.#waiting = false
    this.#out.writeContinue()
  }

  overflow(): void {
    this.overflowed = true
  }

  /**
   * True if the client still waits for permission to send its body: it will not send it, and the connection
   * cannot be used again.
   */
  get isBodyUnrequested(): boolean {
    return this.#waiting
  }

  read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
    this.bodyTouched = true
    if (this.hasBody) return readBody(this.#in, limit, this, make)
    return new Promise((resolve) => resolve(make(new Uint8Array())))
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    if (!this.hasBody) return null
    this.bodyTouched = true
    return streamBody(this.#in, limit, this)
  }

  get origin(): string {
    const { socket } = this.#in
    const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http"
    return new URL(`${scheme}://${this.#authority()}`).origin
  }

  toRequest(body: BodyData): Request {
    const { rawHeaders } = this.#in
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) {
      headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string)
    }
    const url = new URL(`${this.origin}${this.path}${this.search}`)
    const init: RequestInit & { duplex: "half" } = {
      method: this.method,
      headers,
      signal: this.signal,
      duplex: "half",
    }
    if (body !== null) init.body = body as ResponseBody
    return new Request(url, init)
  }

  /** Returns host and port: those of an absolute-form target override the Host header (RFC 9112 §3.2.2). */
  #authority(): string {
    const target = this.#in.url as string
    return (target.startsWith("/") ? this.#in.headers.host : new URL(target).host) || "localhost"
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    return makeAnswer(status, headers, body)
  }

  change(response: Response, changes: readonly HeaderChange[]): Response {
    return changeAnswer(response, changes)
  }

  size(response: Response): number | null {
    return answerSize(response)
  }

  omitsBody(response: Response): boolean {
    const plain = plainAnswer(response)
    return plain !== null && !isStream(plain.body)
  }

  headerOf(response: Response, name: string): string {
    return answerHeader(response, name)
  }

  contentOf(response: Response): string | Uint8Array | null {
    return answerContent(response)
  }
}

/** Headers of which Node keeps only the first line (node:http, `message.headers`). */
const dropped = new Set(
  (
    "age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since " +
    "last-modified location max-forwards proxy-authorization referer retry-after server user-agent"
  ).split(" "),
)
