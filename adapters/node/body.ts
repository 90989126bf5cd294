/** Reads the body of a node:http request, as a whole or as a stream, always with a size limit. */
import type { IncomingMessage } from "node:http"
import { badRequest, payloadTooLarge } from "../../lib/errors.ts"
import { markRejection } from "../../lib/request/allow-unawaited.ts"
import { concatBytes, toOwnBytes } from "../../lib/request/bytes.ts"
import { type BodyReader, LazyMessage } from "./fast/lazy-message.ts"
import { isBodyRead, restoreBody } from "./restore-body.ts"

/** The members of an exchange that reading its body needs. */
export interface BodyEvents {
  /** Called when the body is needed. A client that waits for `100 Continue` may then send it. */
  askForBody(): void
  /** Called when the body exceeds its limit. */
  overflow(): void
  /** A promise for the body. A handler for its rejection is set just before it rejects. */
  handledPromise: Promise<unknown> | undefined
  /**
   * True if the rest of the body is being discarded. That begins after the response and its background work. If
   * nothing has asked for the body, it begins together with the response.
   */
  readonly isDiscarded: boolean
  /** The error for a body whose rest the server does not receive. Undefined if the client has cut the body off. */
  readonly cutOffError: Error | undefined
}

/**
 * Reads the whole body, passes it to a function, and returns the function's result. @throws HttpError 413 for more than
 * `limit` bytes, 400 if the body is cut off, and the errors of the function.
 */
export function readBody<T>(
  incoming: IncomingMessage,
  limit: number,
  events: BodyEvents,
  convert: (bytes: Uint8Array) => T,
): Promise<T> {
  let wholeBody: WholeBody<T> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    if (isBodyRead(incoming)) return resolve(convert(restoreLimitedBody(incoming, limit, events)))
    if (isBodyBroken(incoming)) throw createBrokenBodyError()
    events.askForBody()
    const body = new WholeBody(incoming, limit, events, convert, resolve, reject)
    body.start()
    wholeBody = body
  })
  if (wholeBody?.isWaiting) {
    wholeBody.promise = promise
    events.handledPromise = promise
  }
  return promise
}

/** Reads a body as a whole. */
class WholeBody<T> implements BodyReader {
  readonly #incoming: IncomingMessage
  readonly #limit: number
  readonly #events: BodyEvents
  readonly #convert: (bytes: Uint8Array) => T
  readonly #resolve: (value: T) => void
  readonly #reject: (error: unknown) => void
  /** The promise of the result. It is set only if the body has not completely arrived yet. */
  promise: Promise<T> | undefined = undefined
  #first: Uint8Array | undefined
  #more: Uint8Array[] | undefined
  #size = 0
  #isOver = false
  #listener: ((chunk: Uint8Array) => void) | undefined

  constructor(
    incoming: IncomingMessage,
    limit: number,
    events: BodyEvents,
    convert: (bytes: Uint8Array) => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#incoming = incoming
    this.#limit = limit
    this.#events = events
    this.#convert = convert
    this.#resolve = resolve
    this.#reject = reject
  }

  /** True until the promise has settled. */
  get isWaiting(): boolean {
    return !this.#isOver
  }

  start(): void {
    const incoming = this.#incoming
    if (incoming instanceof LazyMessage && !incoming.isStream) incoming.passTo(this)
    else if (incoming.destroyed) this.onClose()
    else this.#listen(incoming)
  }

  #listen(incoming: IncomingMessage): void {
    this.#listener = (chunk) => this.onData(chunk)
    incoming.on("data", this.#listener)
    // These listeners need not be removed: they are freed with the request, and a settled promise does not change.
    incoming.on("end", () => this.onEnd())
    incoming.on("close", () => this.onClose())
  }

  onData(chunk: Uint8Array): void {
    if (this.#isOver) return
    this.#size += chunk.byteLength
    if (this.#size > this.#limit) this.#overflow()
    else if (!this.#first) this.#first = chunk
    else if (this.#more) this.#more.push(chunk)
    else this.#more = [this.#first, chunk]
  }

  #overflow(): void {
    const incoming = this.#incoming
    this.#isOver = true
    if (this.#listener) incoming.off("data", this.#listener)
    else if (incoming instanceof LazyMessage) incoming.stopPassing()
    incoming.pause()
    this.#events.overflow()
    this.#fail(payloadTooLarge(this.#limit))
  }

  onEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    try {
      this.#resolve(this.#convert(this.#bytes()))
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (this.promise) markRejection(this.promise)
    this.#reject(error)
  }

  #bytes(): Uint8Array {
    if (this.#more) return concatBytes(this.#more, this.#size)
    return this.#first ?? new Uint8Array()
  }

  onClose(): void {
    if (this.#isOver || this.#incoming.readableEnded) return
    const rest = readRemainder(this.#incoming)
    if (rest) {
      this.onData(rest)
      this.onEnd()
    } else {
      this.#isOver = true
      this.#fail(this.#events.cutOffError ?? createBrokenBodyError())
    }
  }
}

/**
 * Returns the body as a stream. Listeners are added only at the first read, so that a stream that nobody reads costs
 * nothing.
 */
export function streamBody(incoming: IncomingMessage, limit: number, events: BodyEvents): ReadableStream<Uint8Array> {
  let size = 0
  let release: (() => void) | undefined
  const close = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    release?.()
    const rest = readRemainder(incoming)
    if (!rest || size + rest.byteLength > limit) {
      controller.error(rest ? payloadTooLarge(limit) : (events.cutOffError ?? createBrokenBodyError()))
      return
    }
    if (rest.byteLength > 0) controller.enqueue(toOwnBytes(rest))
    controller.close()
  }
  const listen = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    listenToBody(incoming, {
      onData(chunk) {
        size += chunk.byteLength
        if (size > limit) {
          release?.()
          events.overflow()
          controller.error(payloadTooLarge(limit))
          return
        }
        controller.enqueue(chunk)
        // A body that is discarded must not be paused, even if its reader has gone.
        if ((controller.desiredSize ?? 0) <= 0 && !events.isDiscarded) incoming.pause()
      },
      onEnd() {
        release?.()
        controller.close()
      },
      onClose: () => close(controller),
    })
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (release) return void incoming.resume()
        if (isBodyRead(incoming)) {
          controller.enqueue(restoreLimitedBody(incoming, limit, events))
          return controller.close()
        }
        if (isBodyBroken(incoming)) throw createBrokenBodyError()
        events.askForBody()
        if (incoming.destroyed) close(controller)
        else release = listen(controller)
      },
      cancel() {
        release?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Passes the body to a reader until the returned function is called, which then pauses the body. No listener for
 * `error` is needed: node:http emits that event only if there is one, and `close` comes after it.
 */
function listenToBody(incoming: IncomingMessage, { onData, onEnd, onClose }: BodyReader): () => void {
  const passOn = (chunk: Uint8Array) => onData(toOwnBytes(chunk))
  incoming.on("data", passOn)
  incoming.on("end", onEnd)
  incoming.on("close", onClose)
  return () => {
    incoming.off("data", passOn)
    incoming.off("end", onEnd)
    incoming.off("close", onClose)
    if (!incoming.readableEnded) incoming.pause()
  }
}

/**
 * Returns a body that another parser has already read. @throws HttpError 413 if it exceeds the limit, TypeError if it
 * cannot be restored.
 */
function restoreLimitedBody(incoming: IncomingMessage, limit: number, { isDiscarded }: BodyEvents): Uint8Array {
  const bytes = restoreBody(incoming, isDiscarded)
  if (bytes.byteLength > limit) throw payloadTooLarge(limit)
  return bytes
}

function isBodyBroken(incoming: IncomingMessage): boolean {
  return incoming.destroyed && !incoming.complete
}

/**
 * Returns the unread rest of a complete body whose client has disconnected. node:http still has these bytes, but does
 * not emit them any more. Returns null for a body that was cut off.
 */
function readRemainder(incoming: IncomingMessage): Buffer | null {
  if (!incoming.complete) return null
  if (incoming instanceof LazyMessage && !incoming.isStream) return incoming.readRest()
  return (incoming.read() as Buffer | null) ?? Buffer.alloc(0)
}

function createBrokenBodyError() {
  return badRequest("the body ended too early")
}
