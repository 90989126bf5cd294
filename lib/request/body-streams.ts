/** Reads streams of bodies with a limit, and gives requests another body. */
import { badRequest, HttpError, payloadTooLarge } from "../errors.ts"
import type { BodyData, ResponseBody } from "../exchange.ts"
import { concatBytes } from "./bytes.ts"

/** Reads a whole stream. @throws HttpError 413 for more than `limit` bytes, 400 if it is cut off. */
export async function readAll(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const reader = limitStream(stream, limit)?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    chunks.push(part.value)
    size += part.value.byteLength
  }
  return concatBytes(chunks, size)
}

/**
 * Throws the error for a body that could not be read. Cut off or badly framed, it is a mistake of the client. @throws
 * HttpError 400; a 413 is thrown unchanged.
 */
export function throwBodyError(cause: unknown): never {
  throw cause instanceof HttpError ? cause : badRequest("the body ended too early", { cause })
}

/** Returns a stream that fails with a 413 after `limit` bytes, and with a 400 if it is cut off. */
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
          // The stream is not cancelled: Node 24 throws an uncaught error if the body of a form is cancelled while it is
          // being created; and servers discard unread bodies themselves.
          reader.releaseLock()
          throw payloadTooLarge(limit)
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Returns a Request with another body and another signal. Returns the same Request if nothing changes. */
export function remakeRequest(request: Request, body: BodyData, signal?: () => AbortSignal): Request {
  // Deno and workerd pass the URL as the client sent it. Bun passes one without a host if there is no `Host` header.
  const { href } = new URL(request.url, "http://localhost")
  const isSame = href === request.url && !signal
  if (body === null && isSame) return request
  // Node requires `duplex` with a stream as the body (fetch standard, RequestInit). The wider type is for versions of
  // TypeScript whose types do not have it.
  const init: RequestInit & { duplex: "half" } = { duplex: "half" }
  if (body !== null) init.body = body as ResponseBody
  if (isSame) return new Request(request, init)
  const newRequest = new Request(href, { ...init, method: request.method, headers: request.headers })
  return setSignal(newRequest, signal ?? (() => request.signal))
}

/**
 * Gives a Request the signal itself in place of one that follows it. On Node, the following signal stops working when
 * nothing but the signal is left of the Request, for example while a stream is sent. The signal is created only if it
 * is read.
 */
export function setSignal(request: Request, signal: () => AbortSignal): Request {
  return Object.defineProperty(request, "signal", { get: signal })
}
