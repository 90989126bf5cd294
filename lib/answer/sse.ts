/** Sends server-sent events (HTML standard, "Server-sent events"). */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { misuse } from "../errors/fault.ts"
import { Html } from "../html/text.ts"
import { isDelay } from "../lifecycle/seconds.ts"
import { checkFields, describeType, hasDeferredBlocks } from "../text.ts"
import type { TypedResponse } from "../types.ts"
import { keepRunning, runEvents } from "./run-events.ts"

/**
 * An event. A client that gets an event without `data` reads the other fields and dispatches nothing.
 *
 * @example
 * const event: ServerSentEvent = { event: "price", id: "42", data: { eur: 9.5 } }
 * app.get("/prices", (c) => c.sse((events) => events.send(event)))
 * const answer = await app.request("/prices")
 * await answer.text() // → 'event: price\nid: 42\ndata: {"eur":9.5}\n\n'
 */
export interface ServerSentEvent {
  /** Text and markup are sent as they are, also over several lines. Anything else is sent as JSON. */
  readonly data?: unknown
  /** The event's type. Default: `message`. */
  readonly event?: string
  /** An id. A client that lost its connection sends the last one back as `Last-Event-ID`. */
  readonly id?: string
  /** Milliseconds that the client waits before it reconnects. */
  readonly retry?: number
}

/**
 * A log of the events of `c.sse()`. A client that lost its connection gets the events that it missed.
 *
 * @example
 * const log: EventLog = eventLog(memoryStore())
 * app.get("/progress", (c) => c.sse((events) => events.send({ data: 100 }), { log, subject: "ada" }))
 */
export interface EventLog {
  /**
   * Opens the log for a request. Returns the function that sends events to the client; undefined if the stream has
   * ended and the client has received all of it.
   */
  open(
    c: Context,
    run: (events: EventStream) => unknown,
    subject: string,
  ): Promise<((client: EventStream) => Promise<void>) | undefined>
}

/**
 * Options of `c.sse()`.
 *
 * @example
 * const options: EventStreamOptions = { heartbeat: 30, retry: 5000 }
 * app.get("/prices", (c) => c.sse((events) => events.closed, options))
 */
export interface EventStreamOptions {
  /** Seconds between comments that keep a silent connection open through proxies; 0 sends none. Default: 15. */
  readonly heartbeat?: number
  /** Milliseconds that clients wait before they reconnect. Sent before the first event. */
  readonly retry?: number
  /**
   * Stores the events; made by `eventLog()` of `fw/store`. Clients that reconnect get what they missed. The function
   * runs once for all clients with the same path and subject. A client that has received everything is answered with
   * 204.
   */
  readonly log?: EventLog
  /**
   * The owner of the events, such as the id of a user. Required with `log`. Nobody gets the events of another subject.
   */
  readonly subject?: string
}

/**
 * An open stream of events, passed to the function of `c.sse()`.
 *
 * @example
 * async function count(events: EventStream) {
 *   for (let n = 1; n <= 3 && !events.signal.aborted; n++) await events.send({ data: n })
 * }
 * app.get("/count", (c) => c.sse(count))
 * const answer = await app.request("/count")
 * await answer.text() // → "data: 1\n\ndata: 2\n\ndata: 3\n\n"
 */
export interface EventStream {
  /**
   * The `id` of the last event that the client received before it lost its connection; `""` for a new client.
   */
  readonly lastEventId: string
  /** The last event in the log, if the function was interrupted and runs again. */
  readonly last?: ServerSentEvent | undefined
  /** Aborts when the stream ends: the client disconnected, the server stops, or {@link close} was called. */
  readonly signal: AbortSignal
  /** Resolves when the stream ends, for functions that only subscribe to something and then wait. */
  readonly closed: Promise<void>
  /**
   * Sends an event, a text, or markup. Resolves when the client has received it. A client that is more than 1 MiB
   * behind is disconnected, and reconnects by itself; this happens only if the program does not await its calls.
   *
   * @throws the signal's reason after the stream has ended, which ends the function and is not reported as a bug.
   * TypeError for a line break or NUL in `event` or `id`, for an invalid `retry`, and for data that JSON cannot
   * represent.
   */
  send(event: string | Html | ServerSentEvent): Promise<void>
  /** Ends the stream. Clients then reconnect; answer with 204 if they should not. */
  close(): void
}

/** Maximum number of bytes that may wait to be sent to a client. */
const maxPendingBytes = 1024 * 1024
const encoder = new TextEncoder()

/** Opens a stream of events. */
export async function openEvents(
  c: Context,
  run: (events: EventStream) => unknown,
  options: EventStreamOptions = {},
): Promise<TypedResponse<200, string, "text/event-stream">> {
  if (typeof run !== "function")
    throw new TypeError(`c.sse() takes a function that sends events, not ${describeType(run)}`)
  checkFields(options, ["heartbeat", "retry", "log", "subject"], "c.sse() takes")
  const { heartbeat = 15, retry, log, subject } = options
  if (!isDelay(heartbeat))
    throw new TypeError(`c.sse() got a heartbeat of ${heartbeat}, which is not a number of seconds`)
  if (log ? typeof subject !== "string" || subject === "" : subject !== undefined)
    throw new TypeError("c.sse() takes log and subject together, and the subject is a text with characters")
  const retryText = retry === undefined ? "" : formatEvent({ retry })
  const sendEvents = log ? await log.open(c, run, subject as string) : run
  if (!sendEvents) return c.noContent() as unknown as TypedResponse<200, string, "text/event-stream">
  const headers = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    // Without this header, nginx and other proxies would hold events back.
    "x-accel-buffering": "no",
  }
  const events = new OpenEventStream(c, sendEvents, heartbeat, retryText)
  return access.respond(c, 200, headers, events.stream) as TypedResponse<200, string, "text/event-stream">
}

class OpenEventStream implements EventStream {
  readonly lastEventId: string
  readonly closed: Promise<void>
  /** The body. The function starts only when this stream is read, which never happens for HEAD. */
  readonly stream: ReadableStream<Uint8Array>
  readonly #abortController = new AbortController()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #delivery: Deferred | undefined

  constructor(c: Context, run: (events: EventStream) => unknown, heartbeat: number, firstText: string) {
    this.lastEventId = decodeUTF8(c.header("last-event-id"))
    this.closed = new Promise((resolve) => this.signal.addEventListener("abort", () => resolve()))
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          this.#delivery?.resolve()
          this.#delivery = undefined
          if (this.#controller) return
          this.#controller = controller
          this.#start(c, run, heartbeat, firstText)
        },
        cancel: (reason) => this.#end(reason),
      },
      { highWaterMark: 0, size: (chunk) => chunk.byteLength },
    )
  }

  get signal(): AbortSignal {
    return this.#abortController.signal
  }

  send(event: string | Html | ServerSentEvent): Promise<void> {
    const delivery = this.#send(isTextOrHtml(event) ? { data: event } : event)
    // A program that sends to many clients without awaiting must not crash when one of them has disconnected.
    delivery.catch(() => {})
    return delivery
  }

  async #send(event: ServerSentEvent): Promise<void> {
    this.signal.throwIfAborted()
    const text = formatEvent(event)
    if (this.#pendingBytes > maxPendingBytes) this.close()
    this.signal.throwIfAborted()
    this.#write(text)
    if (this.#pendingBytes === 0) return
    this.#delivery ??= createDeferred()
    await this.#delivery.promise
  }

  close(): void {
    this.#end(new DOMException("the stream of events was closed", "AbortError"))
  }

  #start(c: Context, run: (events: EventStream) => unknown, heartbeat: number, firstText: string): void {
    if (firstText !== "") this.#write(firstText)
    const beat = () => {
      // If data is waiting, it keeps the connection open and needs no comment.
      if (this.#pendingBytes === 0) this.#write(":\n\n")
    }
    const timer = heartbeat > 0 ? setInterval(beat, heartbeat * 1000) : undefined
    const stopSignals = [c.signal, access.getExchange(c).stopSignal].filter((signal) => signal !== undefined)
    const stop = ({ target }: Event) => this.#end((target as AbortSignal).reason)
    for (const signal of stopSignals) {
      if (signal.aborted) this.#end(signal.reason)
      else signal.addEventListener("abort", stop)
    }
    this.closed.then(() => {
      clearInterval(timer)
      for (const signal of stopSignals) signal.removeEventListener("abort", stop)
    })
    keepRunning(c, this.#run(run))
  }

  /**
   * Runs the function. A bug before the end fails the stream, and the sender reports it. A bug after the end rejects
   * the promise, because nothing else would report it.
   */
  async #run(run: (events: EventStream) => unknown): Promise<void> {
    try {
      await runEvents(run, this)
      this.close()
    } catch (error) {
      if (!this.signal.aborted) this.#end(error, true)
      else if (error !== this.signal.reason && !(error instanceof Error && error.name === "AbortError")) throw error
    }
  }

  #end(reason: unknown, hasFailed = false): void {
    if (this.signal.aborted) return
    this.#abortController.abort(reason)
    this.#delivery?.reject(this.signal.reason)
    try {
      if (hasFailed) this.#controller?.error(reason)
      else this.#controller?.close()
    } catch {
      // The client has cancelled the stream already.
    }
  }

  /** Number of bytes that the client has not received. */
  get #pendingBytes(): number {
    return -(this.#controller?.desiredSize ?? 0)
  }

  #write(text: string): void {
    this.#controller?.enqueue(encoder.encode(text))
  }
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Replaces `Promise.withResolvers()`, which Node 20 does not have. */
function createDeferred(): Deferred {
  let settle: Omit<Deferred, "promise"> | undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...(settle as Omit<Deferred, "promise">) }
}

/** Returns an event as it is sent. @throws TypeError for an event that is not valid. */
export function formatEvent(eventFields: ServerSentEvent): string {
  checkFields(eventFields, ["data", "event", "id", "retry"], "an event is a text or")
  const { data, event, id, retry } = eventFields
  const lines: string[] = []
  if (event !== undefined) lines.push(`event: ${checkFieldText("event", event)}`)
  if (id !== undefined) lines.push(`id: ${checkFieldText("id", id)}`)
  if (retry !== undefined) {
    if (!Number.isSafeInteger(retry) || retry < 0)
      throw new TypeError(`retry is ${retry}, which is not a number of milliseconds`)
    lines.push(`retry: ${retry}`)
  }
  if (data !== undefined) {
    const text: string | undefined = isTextOrHtml(data) ? String(data) : JSON.stringify(data)
    if (text === undefined) throw new TypeError(`an event's data is ${typeof data}, which JSON cannot hold`)
    if (hasDeferredBlocks(data, text)) throw misuse("deferred", "events.send()")
    for (const line of text.split(/\r\n|\r|\n/)) lines.push(`data: ${line}`)
  }
  return `${lines.join("\n")}\n\n`
}

/** Returns true for text and markup, which are sent as they are. */
export function isTextOrHtml(value: unknown): value is string | Html {
  return typeof value === "string" || value instanceof Html
}

/**
 * Checks that a field is one line, so that text from users cannot add fields. NUL is refused because browsers ignore an
 * id that contains it.
 */
function checkFieldText(name: string, value: string): string {
  if (typeof value !== "string" || /[\r\n\0]/.test(value))
    throw new TypeError(`an event's ${name} is text without line breaks and NUL`)
  return value
}

/** Decodes an id: browsers send it in UTF-8, but runtimes read headers as Latin-1. */
function decodeUTF8(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\x20-\xff]/.test(value)) return value
  try {
    const bytes = Uint8Array.from(value, (char) => char.charCodeAt(0))
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return value
  }
}
