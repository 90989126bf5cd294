/** A request of node:http as the app reads it: straight from `IncomingMessage`. Made by `node.ts`, one a request. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { concat, tooLarge } from "../lib/body.ts"
import { badRequest } from "../lib/errors.ts"
import type { BodyData, Exchange, HeaderChange, ResponseBody } from "../lib/exchange.ts"
import { splitTarget } from "../lib/path.ts"
import { answerSize, changeAnswer, makeAnswer } from "./node-response.ts"

/** What the server behind a request does. */
export interface ExchangeOptions {
  /** The client waits for `100 Continue`, which nobody has sent. */
  readonly waiting: boolean
  /** Repeated headers come joined (`joinDuplicateHeaders`). */
  readonly joined: boolean
}

/** The request's parts over node:http. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly hasBody: boolean
  readonly #in: IncomingMessage
  readonly #out: ServerResponse
  readonly #joined: boolean
  #abort: AbortController | undefined
  /** Whether the client waits for `100 Continue` (RFC 9110 §10.1.1). */
  #waiting: boolean
  /** Whether anything has asked for the body. */
  bodyTouched = false

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, options: ExchangeOptions) {
    const { path, search } = splitTarget(incoming.url as string)
    this.#in = incoming
    this.#out = outgoing
    this.#waiting = options.waiting
    this.#joined = options.joined
    this.method = incoming.method as string
    this.path = path
    this.search = search
    const { headers } = incoming
    // RFC 9112 §6.3: without either there is no body.
    this.hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"
  }

  get address(): string {
    return this.#in.socket.remoteAddress ?? ""
  }

  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal
    const abort = new AbortController()
    this.#abort = abort
    const out = this.#out
    const gone = () => {
      if (!out.writableFinished) abort.abort(new DOMException("the client went away", "AbortError"))
    }
    if (out.destroyed || this.#in.socket.destroyed) gone()
    else out.once("close", gone)
    return abort.signal
  }

  header(name: string): string {
    // Without `joinDuplicateHeaders`, `headers` drops repeated Authorization and Content-Type lines; `headersDistinct` keeps all, as WHATWG Headers do.
    const { headers } = this.#in
    const value = headers[name]
    if (value === undefined) return ""
    if (Array.isArray(value)) return value.join(", ")
    return !this.#joined && dropped.has(name) ? (this.#in.headersDistinct[name]?.join(", ") ?? value) : value
  }

  /** Tells a waiting client to send its body. */
  #begin(): void {
    this.bodyTouched = true
    if (!this.#waiting) return
    this.#waiting = false
    this.#out.writeContinue()
  }

  /** Whether the client still waits to be told to send its body: then it will not, and the connection cannot go on. */
  get unasked(): boolean {
    return this.#waiting
  }

  read(limit: number): Promise<Uint8Array> {
    this.#begin()
    const incoming = this.#in
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = []
      let size = 0
      const stop = (error: Error) => {
        incoming.off("data", take)
        // The rest is drained or cut off when the answer is sent.
        incoming.pause()
        reject(error)
      }
      const take = (chunk: Buffer) => {
        size += chunk.byteLength
        if (size > limit) stop(tooLarge(limit))
        else chunks.push(chunk)
      }
      if (incoming.readableEnded) return reject(new TypeError("the body was read before the app got the request"))
      if (incoming.destroyed) return reject(broken())
      incoming.on("data", take)
      incoming.once("end", () => resolve(concat(chunks, size)))
      incoming.once("error", (cause) => reject(broken(cause)))
      incoming.once("close", () => {
        if (!incoming.complete) reject(broken())
      })
    })
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    if (!this.hasBody) return null
    const incoming = this.#in
    let size = 0
    const begin = () => this.#begin()
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const close = () => {
            if (!incoming.complete) controller.error(broken())
          }
          incoming.on("data", (chunk: Buffer) => {
            size += chunk.byteLength
            if (size > limit) {
              incoming.removeAllListeners("data")
              incoming.off("close", close)
              incoming.pause()
              controller.error(tooLarge(limit))
              return
            }
            // A copy of its own: Node reuses the pool that small buffers share.
            controller.enqueue(new Uint8Array(chunk))
            if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
          })
          incoming.once("end", () => {
            incoming.off("close", close)
            controller.close()
          })
          incoming.once("close", close)
          incoming.once("error", (cause) => controller.error(broken(cause)))
          incoming.pause()
        },
        pull() {
          begin()
          incoming.resume()
        },
        cancel() {
          incoming.removeAllListeners("data")
          incoming.removeAllListeners("end")
          incoming.removeAllListeners("close")
          incoming.pause()
        },
      },
      { highWaterMark: 0 },
    )
  }

  toRequest(body: BodyData): Request {
    const incoming = this.#in
    const headers = new Headers()
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      headers.append(incoming.rawHeaders[i] as string, incoming.rawHeaders[i + 1] as string)
    }
    const secure = "encrypted" in incoming.socket && incoming.socket.encrypted === true
    const url = new URL(`${secure ? "https" : "http"}://${incoming.headers.host || "localhost"}${this.path}${this.search}`)
    const init: RequestInit & { duplex: "half" } = { method: this.method, headers, signal: this.signal, duplex: "half" }
    if (body !== null) init.body = body as ResponseBody
    return new Request(url, init)
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
}

/** Headers of which Node keeps the first line only (node:http, `message.headers`). */
const dropped = new Set(
  ("age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since " +
    "last-modified location max-forwards proxy-authorization referer retry-after server user-agent").split(" "),
)

function broken(cause?: unknown) {
  return badRequest("the body broke off before its end", { cause })
}
