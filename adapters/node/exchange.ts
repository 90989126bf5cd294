/**
 * A node:http request in the form in which an app reads it. It uses the standard Headers, Response and streams.
 * `fast/exchange.ts` avoids them as long as the program does not ask for one.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HeaderChange } from "../../lib/answer/caching.ts"
import type { HttpError } from "../../lib/errors.ts"
import {
  type BodyData,
  changeHeaders,
  type Exchange,
  type ResponseBody,
  readHeader,
  readKnownSize,
} from "../../lib/exchange.ts"
import { splitTarget } from "../../lib/path.ts"
import { setSignal } from "../../lib/request/body-streams.ts"
import type { GracefulStop } from "../shared/graceful-stop.ts"
import { streamBody } from "./body.ts"
import { isClientGone, onClientGone } from "./connections.ts"
import { findUnixPeer } from "./unix-peer.ts"

/** An exchange for node:http. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly hasBody: boolean
  /**
   * True if bytes come after the headers. `hasBody` may be false nevertheless: a GET can have a body, but a Request
   * with GET cannot.
   */
  readonly carriesBody: boolean
  protected readonly incoming: IncomingMessage
  readonly #out: ServerResponse
  /** True if the server joins repeated headers (`joinDuplicateHeaders`). */
  protected readonly hasJoinedHeaders: boolean
  #headers: Headers | undefined = undefined
  /** The bodies of responses that are text or bytes. */
  #contents: WeakMap<Response, string | Uint8Array> | undefined = undefined
  readonly #server: Pick<GracefulStop, "waitUntil" | "stopSignal"> | undefined
  /** True if the client waits for `100 Continue` (RFC 9110 §10.1.1). */
  #awaitsContinue: boolean
  #controller: AbortController | undefined = undefined
  /** True if the program has asked for the body. The program may go on reading while its response is streamed. */
  isBodyTouched = false
  /** True if the body has exceeded its limit. */
  hasOverflowed = false
  /** True if the rest of the body is being discarded. */
  isDiscarded = false
  /** The error for a body whose rest the server does not receive. */
  cutOffError: Error | undefined = undefined
  /** Number of promises of {@link waitUntil} that have not settled. */
  #pendingWork = 0
  /** Called when all promises of {@link waitUntil} have settled. */
  #onWorkDone: (() => void) | undefined = undefined

  /**
   * Creates an exchange.
   *
   * @param hasJoinedHeaders true if the server joins repeated headers (`joinDuplicateHeaders`).
   * @param awaitsContinue true if the client waits for `100 Continue`, and it was not sent yet.
   * @param server waits for background work when it stops. Undefined if another program owns the server.
   */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    hasJoinedHeaders: boolean,
    awaitsContinue: boolean,
    server?: Pick<GracefulStop, "waitUntil" | "stopSignal">,
  ) {
    const url = incoming.url as string
    const { headers } = incoming
    const method = incoming.method as string
    this.incoming = incoming
    this.#out = outgoing
    this.hasJoinedHeaders = hasJoinedHeaders
    this.#awaitsContinue = awaitsContinue
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
    // Without both headers there is no body (RFC 9112 §6.3).
    const length = headers["content-length"]
    this.carriesBody = (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined
    this.hasBody = this.carriesBody && method !== "GET" && method !== "HEAD"
  }

  get address(): string {
    return this.incoming.socket.remoteAddress ?? findUnixPeer(this.incoming.socket)
  }

  get stopSignal(): AbortSignal | undefined {
    return this.#server?.stopSignal
  }

  get upgradeCheck(): boolean | HttpError {
    return false
  }

  /** Undefined, because there are no bindings for each request on Node. */
  get env(): undefined {
    return undefined
  }

  waitUntil(promise: Promise<unknown>): void {
    this.#server?.waitUntil(promise)
    this.#pendingWork += 1
    const onSettled = () => {
      this.#pendingWork -= 1
      if (this.#pendingWork > 0) return
      this.#onWorkDone?.()
      this.#onWorkDone = undefined
    }
    promise.then(onSettled, onSettled)
  }

  /** True if background work of {@link waitUntil} may still read the body. */
  get isReading(): boolean {
    return this.isBodyTouched && !this.hasOverflowed && this.#pendingWork > 0
  }

  /** Calls a function when all background work of {@link waitUntil} is done. */
  runAfterWork(run: () => void): void {
    const previous = this.#onWorkDone
    this.#onWorkDone = () => {
      previous?.()
      run()
    }
    if (this.#pendingWork === 0) this.#onWorkDone()
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const controller = new AbortController()
    this.#controller = controller
    const onDisconnect = () => controller.abort(new DOMException("the client went away", "AbortError"))
    if (!isClientGone(this.incoming, this.#out)) onClientGone(this.incoming, this.#out, onDisconnect)
    else if (!this.#out.writableFinished) onDisconnect()
    return controller.signal
  }

  get isAborted(): boolean {
    return this.signal.aborted
  }

  header(name: string): string {
    this.#headers ??= this.#readHeaders()
    return readHeader(this.#headers, name)
  }

  #readHeaders(): Headers {
    const { rawHeaders } = this.incoming
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) {
      headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string)
    }
    return headers
  }

  /**
   * Tells a client that waits for `100 Continue` to send its body. After the response has begun it is too late, because
   * the line would appear in the middle of it.
   */
  askForBody(): void {
    if (!this.#awaitsContinue || this.#out.headersSent) return
    this.#awaitsContinue = false
    this.#out.writeContinue()
  }

  overflow(): void {
    this.hasOverflowed = true
  }

  /**
   * True if the client still waits for `100 Continue`. It will not send its body, and the connection cannot be used for
   * another request.
   */
  get isBodyUnrequested(): boolean {
    return this.#awaitsContinue
  }

  async read(limit: number): Promise<Uint8Array> {
    // A Response reads the stream and passes its errors on.
    const body = new Response(this.stream(limit) as ResponseBody | null)
    return new Uint8Array(await body.arrayBuffer())
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    if (!this.hasBody) return null
    this.isBodyTouched = true
    return streamBody(this.incoming, limit, this)
  }

  get origin(): string {
    const { socket } = this.incoming
    const scheme = "encrypted" in socket && socket.encrypted === true ? "https" : "http"
    return new URL(`${scheme}://${this.#authority()}`).origin
  }

  toRequest(body: BodyData): Request {
    const headers = this.#readHeaders()
    const url = new URL(`${this.origin}${this.path}${this.search}`)
    const init: RequestInit & { duplex: "half" } = {
      method: this.method,
      headers,
      signal: this.signal,
      duplex: "half",
    }
    if (body !== null) init.body = body as ResponseBody
    return setSignal(new Request(url, init), () => this.signal)
  }

  /**
   * Returns host and port. If the request target is an absolute URL, its host takes precedence over the Host header
   * (RFC 9112 §3.2.2).
   */
  #authority(): string {
    const target = this.incoming.url as string
    return (target.startsWith("/") ? this.incoming.headers.host : new URL(target).host) || "localhost"
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    const response = new Response(body as ResponseBody | null, { status, headers })
    if (typeof body === "string" || body instanceof Uint8Array) {
      this.#contents ??= new WeakMap()
      this.#contents.set(response, body)
    }
    return response
  }

  addHeaders(response: Response, changes: readonly HeaderChange[]): Response {
    return changeHeaders(response, changes)
  }

  getSize(response: Response): number | null {
    const content = this.getContent(response)
    if (content === null) return readKnownSize(response)
    return typeof content === "string" ? Buffer.byteLength(content) : content.byteLength
  }

  getResponseHeader(response: Response, name: string): string {
    return response.headers.get(name) ?? ""
  }

  getContent(response: Response): string | Uint8Array | null {
    return this.#contents?.get(response) ?? null
  }
}
