/** Reads the body of a node:http request, whole or as a stream, with a size limit. */
import type { IncomingMessage } from "node:http"
import { badRequest, payloadTooLarge } from "../../lib/errors.ts"
import { markRejection } from "../../lib/request/allow-unawaited.ts"
import { concatBytes, toOwnBytes } from "../../lib/request/bytes.ts"
import { LazyMessage } from "./fast/lazy-message.ts"
import { isBodyRead, restoreBody } from "./restore-body.ts"

/** Callbacks of the reader of a body. */
export interface BodyEvents {
  /** The body is wanted, so a client that waits for `100 Continue` may send it. */
  askForBody(): void
  /** The body exceeds its limit. */
  overflow(): void
  /** A promise of the body whose rejection is marked as handled when it occurs. */
  handledPromise: Promise<unknown> | undefined
  /**
   * True if the rest of the body is read and discarded. This begins after the response and its background work, or with
   * the response if nothing has asked for the body.
   */
  readonly isDiscarded: boolean
  /** The reason why the rest of the body is not received, if the client is not the cause. */
  readonly cutOffError: Error | undefined
}

/**
 * Passes the whole body to a function, and returns its result. @throws HttpError 413 past `limit` bytes, 400 if it is
 * cut off, and the errors of the function.
 */
export function readBody<T>(
  incoming: IncomingMessage,
  limit: number,
  events: BodyEvents,
  make: (bytes: Uint8Array) => T,
): Promise<T> {
  let whole: WholeBody<T> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    if (isBodyRead(incoming)) return resolve(make(restoreLimitedBody(incoming, limit, events)))
    if (isBodyBroken(incoming)) throw createBrokenBodyError()
    events.askForBody()
    const started = new WholeBody(incoming, limit, events, make, resolve, reject)
    started.start()
    whole = started
  })
  if (whole?.isWaiting) {
    whole.promise = promise
    events.handledPromise = promise
  }
  return promise
}

/** A body that is read as a whole. */
class WholeBody<T> {
  readonly #incoming: IncomingMessage
  readonly #limit: number
  readonly #events: BodyEvents
  readonly #make: (bytes: Uint8Array) => T
  readonly #resolve: (value: T) => void
  readonly #reject: (error: unknown) => void
  /** Set while the body arrives. */
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
    make: (bytes: Uint8Array) => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#incoming = incoming
    this.#limit = limit
    this.#events = events
    this.#make = make
    this.#resolve = resolve
    this.#reject = reject
  }

  /** True while the promise is not settled. */
  get isWaiting(): boolean {
    return !this.#isOver
  }

  start(): void {
    const incoming = this.#incoming
    if (incoming instanceof LazyMessage && !incoming.isStream) incoming.passTo(this)
    else if (incoming.destroyed) this.close()
    else this.#listen(incoming)
  }

  #listen(incoming: IncomingMessage): void {
    this.#listener = (chunk) => this.data(chunk)
    incoming.on("data", this.#listener)
    // The listeners are freed with the request; a settled promise does not change.
    incoming.on("end", () => this.end())
    incoming.on("close", () => this.close())
  }

  data(chunk: Uint8Array): void {
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

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    try {
      this.#resolve(this.#make(this.#bytes()))
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

  close(): void {
    if (this.#isOver || this.#incoming.readableEnded) return
    const rest = readRemainder(this.#incoming)
    if (rest) {
      this.data(rest)
      this.end()
    } else {
      this.#isOver = true
      this.#fail(this.#events.cutOffError ?? createBrokenBodyError())
    }
  }
}

/**
 * Returns the body as a stream. It adds listeners only at the first read, so that a stream nobody reads costs
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
  const attach = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    listenToBody(incoming, {
      data(chunk) {
        size += chunk.byteLength
        if (size > limit) {
          release?.()
          events.overflow()
          controller.error(payloadTooLarge(limit))
          return
        }
        controller.enqueue(chunk)
        // The body must still be discarded after its reader has gone.
        if ((controller.desiredSize ?? 0) <= 0 && !events.isDiscarded) incoming.pause()
      },
      end() {
        release?.()
        controller.close()
      },
      close: () => close(controller),
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
        else release = attach(controller)
      },
      cancel() {
        release?.()
      },
    },
    { highWaterMark: 0 },
  )
}

interface BodyListener {
  data(chunk: Uint8Array): void
  /** The body is complete. */
  end(): void
  /** The connection closed before its end. */
  close(): void
}

/**
 * Listens until it is stopped, and then pauses the body. It needs no listener for `error`: node:http emits it
 * only if there is one, and `close` follows it.
 */
function listenToBody(incoming: IncomingMessage, { data, end, close }: BodyListener): () => void {
  const take = (chunk: Uint8Array) => data(toOwnBytes(chunk))
  incoming.on("data", take)
  incoming.on("end", end)
  incoming.on("close", close)
  return () => {
    incoming.off("data", take)
    incoming.off("end", end)
    incoming.off("close", close)
    if (!incoming.readableEnded) incoming.pause()
  }
}

/**
 * Returns a body that a parser has already read. @throws HttpError 413 past the limit, TypeError if it cannot
 * be restored.
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
 * Returns the unread part of a complete body whose client has gone. node:http keeps that part, but no longer emits it.
 * Null for a body that was cut off.
 */
function readRemainder(incoming: IncomingMessage): Buffer | null {
  if (!incoming.complete) return null
  if (incoming instanceof LazyMessage && !incoming.isStream) return incoming.readRest()
  return (incoming.read() as Buffer | null) ?? Buffer.alloc(0)
}

function createBrokenBodyError() {
  return badRequest("the body ended too early")
}
