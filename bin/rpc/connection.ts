/** A connection over which two programs call each other: JSON-RPC 2.0, in both directions. */

import type { Readable, Writable } from "node:stream"
import { frame, type Message, MessageReader } from "./messages.ts"

/** An answer that is an error. */
export class ResponseError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = "ResponseError"
    this.code = code
  }
}

/** Codes of errors (JSON-RPC 2.0 §5.1; LSP 3.17, ErrorCodes). */
export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
  notInitialized: -32002,
} as const

/** The reaction of a program to the messages that it receives. */
export interface Handlers {
  /**
   * Answers a request. The signal aborts when the other program cancels it.
   *
   * @throws ResponseError to answer with an error of this code.
   */
  request(method: string, params: unknown, signal: AbortSignal): unknown
  /** Takes a message that has no answer. */
  notification(method: string, params: unknown): void
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** One end of a connection. */
export class Connection {
  readonly #output: Writable
  readonly #handlers: Handlers
  readonly #reader = new MessageReader()
  readonly #waiting = new Map<number, Waiting>()
  readonly #running = new Map<number | string, AbortController>()
  #id = 0
  #ended = false
  /** Resolves when the other program has closed its end. */
  readonly ended: Promise<void>

  /** Creates a connection that reads at once. */
  constructor(input: Readable, output: Writable, handlers: Handlers) {
    this.#output = output
    this.#handlers = handlers
    // The other program may be gone before it has read everything.
    output.on("error", () => this.#end())
    input.on("data", (chunk: Buffer) => this.#data(chunk))
    this.ended = new Promise((resolve) => {
      for (const event of ["end", "close", "error"]) input.once(event, () => resolve(this.#end()))
    })
  }

  /**
   * Calls a method of the other program.
   *
   * @throws ResponseError that it answers with, or with the code `internal` if the connection ends.
   */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#ended) return Promise.reject(closed())
    const id = ++this.#id
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#write({ id, method, params })
    signal?.addEventListener("abort", () => {
      if (this.#waiting.has(id)) this.notify("$/cancelRequest", { id })
    })
    return answer
  }

  /** Sends a message that has no answer. */
  notify(method: string, params: unknown): void {
    this.#write({ method, params })
  }

  #write(message: Message): void {
    if (!this.#ended) this.#output.write(frame(message))
  }

  #data(chunk: Buffer): void {
    if (this.#ended) return
    try {
      for (const message of this.#reader.read(chunk)) this.#take(message)
    } catch {
      // Without a header, the place of the next message is unknown.
      this.#end()
    }
  }

  #take(message: Message | undefined): void {
    if (!message) {
      this.#write({ id: null, error: { code: codes.parse, message: "the message is not a JSON object" } })
      return
    }
    const { id, method } = message
    if (typeof method !== "string") this.#answered(message)
    else if (id !== undefined && id !== null) void this.#answer(id, method, message.params)
    else if (method === "$/cancelRequest") this.#cancel(message.params)
    else this.#note(method, message.params)
  }

  #note(method: string, params: unknown): void {
    try {
      this.#handlers.notification(method, params)
    } catch {
      // There is nobody to answer, and the next message can be right.
    }
  }

  #cancel(params: unknown): void {
    const id = (params as { id?: number | string } | null)?.id
    if (id !== undefined) this.#running.get(id)?.abort()
  }

  #answered({ id, result, error }: Message): void {
    if (typeof id !== "number") return
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new ResponseError(error.code, error.message))
    else waiting?.resolve(result)
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = (await this.#handlers.request(method, params, controller.signal)) ?? null
      this.#write({ id, result })
    } catch (error) {
      const cancelled = controller.signal.aborted
      const code = cancelled ? codes.cancelled : error instanceof ResponseError ? error.code : codes.internal
      this.#write({ id, error: { code, message: error instanceof Error ? error.message : String(error) } })
    } finally {
      this.#running.delete(id)
    }
  }

  #end(): void {
    this.#ended = true
    for (const { reject } of this.#waiting.values()) reject(closed())
    this.#waiting.clear()
  }
}

function closed(): ResponseError {
  return new ResponseError(codes.internal, "the connection is closed")
}
