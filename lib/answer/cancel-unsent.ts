/** Cancels the bodies of responses that were made for a request and are not sent, so that their sources stop. */
import { type Exchange, manualEncoding } from "../exchange.ts"
import { countBytes } from "./count-bytes.ts"

type BodyStream = ReadableStream<Uint8Array>

/**
 * The responses of a request that may have a stream, each with its stream. The value is null for a Response that the
 * program created.
 */
export type ResponseStreams = Map<Response, BodyStream | null>

/**
 * Cancels the bodies of all responses except the one that is sent. The others were replaced by a middleware, or the
 * program failed after it had created them. A body with a reader is left to that reader. Returns the response to send.
 */
export function cancelUnsent(answers: ResponseStreams, finalResponse: Response, exchange: Exchange): Response {
  if (answers.size === 0 || (answers.size === 1 && answers.has(finalResponse))) return finalResponse
  const body = exchange.getContent(finalResponse) === null ? findBody(finalResponse, answers.get(finalResponse)) : null
  const unsentStreams = [...answers].flatMap(([answer, knownBody]) => {
    if (answer === finalResponse || (knownBody === null && mayBeClone(finalResponse, answer))) return []
    const stream = knownBody ?? (answer.body as BodyStream | null)
    return stream && stream !== body ? [stream] : []
  })
  const cancel = () => {
    // The bodies are not sent, so nobody needs to know about an error.
    for (const stream of unsentStreams)
      if (!stream.locked) stream.cancel(new DOMException(cancelReason, "AbortError")).catch(() => {})
  }
  if (body === null) cancel()
  // If something else reads the body that is to be sent, the sender reports it.
  if (body === null || body.locked || unsentStreams.every((stream) => stream.locked)) return finalResponse
  // The body may be a generator that reads one of the other bodies. It begins only when it is read itself, so the
  // others are cancelled after the end of this one.
  const { status, statusText, headers } = finalResponse
  return new Response(countBytes(body, cancel), { status, statusText, headers, ...manualEncoding })
}

/**
 * Returns the stream of a response. If the program cloned the response, that is not the stream that the response was
 * created with.
 */
function findBody(response: Response, knownBody: BodyStream | null | undefined): BodyStream | null {
  return knownBody && !knownBody.locked ? knownBody : (response.body as BodyStream | null)
}

const cancelReason = "another response was sent"

/**
 * Returns true if `response` may be the result of `other.clone()`, which has the same source as `other`. Nothing marks
 * a clone, so the statuses and headers are compared. Middleware may have added headers to the clone.
 */
function mayBeClone(response: Response, other: Response): boolean {
  if (response.status !== other.status || readContentType(response) !== readContentType(other)) return false
  return [...other.headers].every(([name, value]) => response.headers.get(name) === value)
}

function readContentType({ headers }: Response): string | null {
  return headers.get("content-type")
}
