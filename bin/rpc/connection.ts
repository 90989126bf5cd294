/** A JSON-RPC 2.0 connection, on which both programs can call each other. */

import type { Readable, Writable } from "node:stream"
import { encodeMessage, type Message, MessageReader } from "./messages.ts"

/** The error in an answer. */
export class ResponseError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = "ResponseError"
    this.code = code
  }
}

/** Error codes (JSON-RPC 2.0 §5.1; LSP 3.17, ErrorCodes). */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
  notInitialized: -32002,
} as const

/** Functions that handle the received messages. */
export interface Handlers {
  /**
   * Answers a request. The signal aborts when the other program cancels it.
   *
   * @throws ResponseError to answer with its code.
   */
  request(method: string, params: unknown, signal: AbortSignal): unknown
  /** Handles a notification, which has no answer. */
  handleNotification(method: string, params: unknown): void
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** One end of a connection. */
export class Connection {
  readonly #output: Writable
  readonly #handlers: Handlers
  readonly #reader = new MessageReader()
  readonly #pendingRequests = new Map<number, PendingRequest>()
  readonly #runningRequests = new Map<number | string, AbortController>()
  #lastID = 0
  #isClosed = false
  /** Resolves when the other program has closed its end. */
  readonly ended: Promise<void>

  /** Creates a connection and starts reading. */
  constructor(input: Readable, output: Writable, handlers: Handlers) {
    this.#output = output
    this.#handlers = handlers
    // The other program may have ended before it has read everything.
    output.on("error", () => this.#close())
    input.on("data", (chunk: Buffer) => this.#readChunk(chunk))
    this.ended = new Promise((resolve) => {
      for (const event of ["end", "close", "error"]) input.once(event, () => resolve(this.#close()))
    })
  }

  /**
   * Calls a method of the other program.
   *
   * @throws ResponseError if the answer is an error, or with the code `internal` if the connection ends.
   */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(createClosedError())
    const id = ++this.#lastID
    const answer = new Promise<unknown>((resolve, reject) => this.#pendingRequests.set(id, { resolve, reject }))
    this.#write({ id, method, params })
    signal?.addEventListener("abort", () => {
      if (this.#pendingRequests.has(id)) this.notify("$/cancelRequest", { id })
    })
    return answer
  }

  /** Sends a notification, which has no answer. */
  notify(method: string, params: unknown): void {
    this.#write({ method, params })
  }

  #write(message: Message): void {
    if (!this.#isClosed) this.#output.write(encodeMessage(message))
  }

  #readChunk(chunk: Buffer): void {
    if (this.#isClosed) return
    try {
      for (const message of this.#reader.read(chunk)) this.#handleMessage(message)
    } catch {
      // After an invalid header, the start of the next message cannot be found.
      this.#close()
    }
  }

  #handleMessage(message: Message | undefined): void {
    if (!message) {
      this.#write({
        id: null,
        error: { code: errorCodes.parse, message: "the message is not a JSON object" },
      })
      return
    }
    const { id, method } = message
    if (typeof method !== "string") this.#handleResponse(message)
    else if (id !== undefined && id !== null) void this.#handleRequest(id, method, message.params)
    else if (method === "$/cancelRequest") this.#cancel(message.params)
    else this.#handleNotification(method, message.params)
  }

  #handleNotification(method: string, params: unknown): void {
    try {
      this.#handlers.handleNotification(method, params)
    } catch {
      // A notification has no answer in which to report an error. Later ones may succeed.
    }
  }

  #cancel(params: unknown): void {
    const id = (params as { id?: number | string } | null)?.id
    if (id !== undefined) this.#runningRequests.get(id)?.abort()
  }

  #handleResponse({ id, result, error }: Message): void {
    if (typeof id !== "number") return
    const pendingRequest = this.#pendingRequests.get(id)
    this.#pendingRequests.delete(id)
    if (error) pendingRequest?.reject(new ResponseError(error.code, error.message))
    else pendingRequest?.resolve(result)
  }

  async #handleRequest(id: number | string, method: string, params: unknown): Promise<void> {
    const controller = new AbortController()
    this.#runningRequests.set(id, controller)
    try {
      const result = (await this.#handlers.request(method, params, controller.signal)) ?? null
      this.#write({ id, result })
    } catch (error) {
      const isCancelled = controller.signal.aborted
      const code = isCancelled
        ? errorCodes.cancelled
        : error instanceof ResponseError
          ? error.code
          : errorCodes.internal
      this.#write({ id, error: { code, message: error instanceof Error ? error.message : String(error) } })
    } finally {
      this.#runningRequests.delete(id)
    }
  }

  #close(): void {
    this.#isClosed = true
    for (const { reject } of this.#pendingRequests.values()) reject(createClosedError())
    this.#pendingRequests.clear()
  }
}

function createClosedError(): ResponseError {
  return new ResponseError(errorCodes.internal, "the connection is closed")
}
