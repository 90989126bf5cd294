/** Reading the body of a node:http request, whole or as a stream, counted. Called by `node-exchange.ts`. */
import type { IncomingMessage } from "node:http"
import { badRequest, tooLarge } from "../../lib/errors.ts"
import { concat } from "../../lib/request/body.ts"
import { parsedBody, wasRead } from "./parsed.ts"

/** What the reader of a body tells its exchange. */
export interface BodyEvents {
  /** The body is wanted: a client that waits for `100 Continue` may send it. */
  begin(): void
  /** The body is larger than it may be. */
  overflow(): void
}

/** All of the body. @throws HttpError 413 past `limit` bytes, 400 when it breaks off. */
export function readBody(incoming: IncomingMessage, limit: number, events: BodyEvents): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (wasRead(incoming)) return resolve(readAgain(incoming, limit))
    if (isBroken(incoming)) throw broken()
    events.begin()
    const chunks: Uint8Array[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      incoming.off("data", take)
      incoming.pause()
      events.overflow()
      reject(tooLarge(limit))
    }
    const finish = () => resolve(chunks.length === 1 ? own(chunks[0] as Uint8Array) : concat(chunks, size))
    const close = () => {
      if (incoming.readableEnded) return
      const rest = leftBehind(incoming)
      if (!rest) return reject(broken())
      take(rest)
      finish()
    }
    if (incoming.destroyed) return close()
    incoming.on("data", take)
    // The listeners go with the request; what is settled already stays so.
    incoming.on("end", finish)
    incoming.on("close", close)
  })
}

/** The body as it arrives. Nothing is attached to the request before the first read, so that a stream nobody reads costs nothing. */
export function streamBody(
  incoming: IncomingMessage,
  limit: number,
  events: BodyEvents,
): ReadableStream<Uint8Array> {
  let size = 0
  let release: (() => void) | undefined
  const close = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    release?.()
    const rest = leftBehind(incoming)
    if (!rest || size + rest.byteLength > limit) {
      controller.error(rest ? tooLarge(limit) : broken())
      return
    }
    if (rest.byteLength > 0) controller.enqueue(own(rest))
    controller.close()
  }
  const attach = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    follow(incoming, {
      data(chunk) {
        size += chunk.byteLength
        if (size > limit) {
          release?.()
          events.overflow()
          controller.error(tooLarge(limit))
          return
        }
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
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
        if (release) {
          incoming.resume()
          return
        }
        if (wasRead(incoming)) {
          controller.enqueue(readAgain(incoming, limit))
          return controller.close()
        }
        if (isBroken(incoming)) throw broken()
        events.begin()
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

interface Followers {
  data(chunk: Uint8Array): void
  /** The body is whole. */
  end(): void
  /** The connection closed first. */
  close(): void
}

/**
 * Listens until told to stop; what is left of the body waits then, paused. `error` needs no listener: node:http emits
 * it to those who listen only, and `close` follows it.
 */
function follow(incoming: IncomingMessage, { data, end, close }: Followers): () => void {
  const take = (chunk: Uint8Array) => data(own(chunk))
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

/** The bytes in memory of their own and no Buffer, as with the body of a Request: copied only where others share it. */
function own(chunk: Uint8Array): Uint8Array {
  return chunk.byteLength === chunk.buffer.byteLength ? new Uint8Array(chunk.buffer) : new Uint8Array(chunk)
}

/** A body that a parser has read. @throws HttpError 413 past the limit, TypeError where it cannot be had back. */
function readAgain(incoming: IncomingMessage, limit: number): Uint8Array {
  const bytes = parsedBody(incoming)
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return bytes
}

function isBroken(incoming: IncomingMessage): boolean {
  return incoming.destroyed && !incoming.complete
}

/**
 * What nobody has taken yet of a body that is all there, though its client has gone: node:http keeps it, and emits it no
 * more. Null for a body that broke off.
 */
function leftBehind(incoming: IncomingMessage): Buffer | null {
  return incoming.complete ? ((incoming.read() as Buffer | null) ?? Buffer.alloc(0)) : null
}

function broken() {
  return badRequest("the body broke off before its end")
}
