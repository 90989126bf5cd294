/** Streams of bodies: reading with a limit, and a Request with another body. */
import { badRequest, HttpError, payloadTooLarge } from "../errors.ts"
import type { BodyData, ResponseBody } from "../exchange.ts"
import { concatBytes } from "./bytes.ts"

/** Reads a whole stream. @throws HttpError 413 past `limit` bytes, 400 if it is cut off. */
export async function readAll(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (!stream) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(throwBodyError)
    if (done) break
    size += value.byteLength
    if (size > limit) {
      releaseReader(reader)
      throw payloadTooLarge(limit)
    }
    chunks.push(value)
  }
  return concatBytes(chunks, size)
}

/**
 * Throws for a body that is cut off or has wrong framing, which is an error of the client. @throws HttpError
 * 400, or 413 as it is.
 */
export function throwBodyError(cause: unknown): never {
  throw cause instanceof HttpError ? cause : badRequest("the body ended too early", { cause })
}

/** Returns a stream that fails with 413 past `limit` bytes, and with 400 if it is cut off. */
export function limitStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): ReadableStream<Uint8Array> | null {
  if (!stream) return null
  const reader = stream.getReader()
  let size = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch(throwBodyError)
        if (done) return controller.close()
        size += value.byteLength
        if (size > limit) {
          releaseReader(reader)
          throw payloadTooLarge(limit)
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/**
 * Stops reading. The stream is not cancelled, because Node 24 throws an uncaught error if the body of a form
 * is cancelled while it is being created, and a server discards unread bodies.
 */
function releaseReader(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.releaseLock()
}

/** Returns a Request with another body, or the same one if nothing changes. `signal` replaces its own. */
export function remakeRequest(request: Request, body: BodyData, signal?: () => AbortSignal): Request {
  // Deno and workerd pass the target as it was sent, Bun passes one without a host if there is no Host.
  const { href } = new URL(request.url, "http://localhost")
  const isSame = href === request.url && !signal
  if (body === null && isSame) return request
  // Node requires `duplex` with a streamed body (fetch standard, RequestInit). Older types lack it, which is
  // the only reason for the wider type.
  const init: RequestInit & { duplex: "half" } = { duplex: "half" }
  if (body !== null) init.body = body as ResponseBody
  if (isSame) return new Request(request, init)
  const newRequest = new Request(href, { ...init, method: request.method, headers: request.headers })
  return setSignal(newRequest, signal ?? (() => request.signal))
}

/**
 * Gives a Request the signal itself, and not one that follows it. On Node, such a signal no longer follows once only
 * the signal is left of the Request, for example while a stream is sent. The signal is created only if it is read.
 */
export function setSignal(request: Request, signal: () => AbortSignal): Request {
  return Object.defineProperty(request, "signal", { get: signal })
}
