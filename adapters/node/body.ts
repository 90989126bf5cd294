/** Reads the body of a node:http request, as a whole or as a stream, always with a size limit. */
import type { IncomingMessage } from "node:http"
import { badRequest, payloadTooLarge } from "../../lib/errors.ts"
import { concatBytes, toOwnBytes } from "../../lib/request/bytes.ts"
import { type BodyReader, LazyMessage } from "./fast/lazy-message.ts"
import { isBodyRead, restoreBody } from "./restore-body.ts"

/** The members of an exchange that reading its body needs. */
export interface BodyEvents {
  /** Called when the body is needed. A client that waits for `100 Continue` may then send it. */
  askForBody(): void
  /** Called when the body exceeds its limit. */
  overflow(): void
  /**
   * True if the rest of the body is being discarded. That begins after the response and its background work. If
   * nothing has asked for the body, it begins together with the response.
   */
  readonly isDiscarded: boolean
  /** The error for a body whose rest the server does not receive. Undefined if the client has cut the body off. */
  readonly cutOffError: Error | undefined
}

/** Reads the whole body. @throws HttpError 413 for more than `limit` bytes, 400 if the body is cut off. */
export function readBody(incoming: IncomingMessage, limit: number, events: BodyEvents): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (isBodyRead(incoming)) return resolve(restoreLimitedBody(incoming, limit, events))
    if (isBodyBroken(incoming)) throw createBrokenBodyError()
    events.askForBody()
    new WholeBody(incoming, limit, events, resolve, reject).start()
  })
}

/** Reads a body as a whole. */
class WholeBody implements BodyReader {
  readonly #incoming: IncomingMessage
  readonly #limit: number
  readonly #events: BodyEvents
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (error: unknown) => void
  #first: Uint8Array | undefined
  #more: Uint8Array[] | undefined
  #size = 0
  #isOver = false
  #listener: ((chunk: Uint8Array) => void) | undefined

  constructor(
    incoming: IncomingMessage,
    limit: number,
    events: BodyEvents,
    resolve: (bytes: Uint8Array) => void,
    reject: (error: unknown) => void,
  ) {
    this.#incoming = incoming
    this.#limit = limit
    this.#events = events
    this.#resolve = resolve
    this.#reject = reject
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
    this.#reject(payloadTooLarge(this.#limit))
  }

  onEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#resolve(this.#more ? concatBytes(this.#more, this.#size) : (this.#first ?? new Uint8Array()))
  }

  onClose(): void {
    if (this.#isOver || this.#incoming.readableEnded) return
    const rest = readRemainder(this.#incoming)
    if (rest) {
      this.onData(rest)
      this.onEnd()
    } else {
      this.#isOver = true
      this.#reject(this.#events.cutOffError ?? createBrokenBodyError())
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
