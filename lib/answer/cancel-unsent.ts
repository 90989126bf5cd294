/** Cancels the bodies of responses that were made for a request and are not sent, so that their sources stop. */
import { type Exchange, manualEncoding } from "../exchange.ts"
import { countBytes } from "./count-bytes.ts"

type BodyStream = ReadableStream<Uint8Array>

/** The responses of a request that may have a stream, each with that stream; null for a Response of the program's own. */
export type ResponseStreams = Map<Response, BodyStream | null>

/**
 * Cancels the bodies of all responses but the one that is sent: a middleware has replaced them, or the program failed after it
 * had made them. A body that something reads belongs to its reader. Returns the response to send.
 */
export function cancelUnsent(answers: ResponseStreams, sent: Response, exchange: Exchange): Response {
  if (answers.size === 0 || (answers.size === 1 && answers.has(sent))) return sent
  const body = exchange.getContent(sent) === null ? findBody(sent, answers.get(sent)) : null
  const unsentStreams = [...answers].flatMap(([answer, own]) => {
    if (answer === sent || (own === null && mayBeClone(sent, answer))) return []
    const stream = own ?? (answer.body as BodyStream | null)
    return stream && stream !== body ? [stream] : []
  })
  const cancel = () => {
    // Errors of their sources no longer matter.
    for (const stream of unsentStreams)
      if (!stream.locked) stream.cancel(new DOMException(cancelReason, "AbortError")).catch(() => {})
  }
  if (body === null) cancel()
  // The sender reports a body that has a reader already.
  if (body === null || body.locked || unsentStreams.every((stream) => stream.locked)) return sent
  // A generator around an old body reads nothing of that body until the generator itself is read.
  const { status, statusText, headers } = sent
  return new Response(countBytes(body, cancel), { status, statusText, headers, ...manualEncoding })
}

/** Returns the stream of a response: not the one that the response was made with, if clones of the response share that one. */
function findBody(response: Response, own: BodyStream | null | undefined): BodyStream | null {
  return own && !own.locked ? own : (response.body as BodyStream | null)
}

const cancelReason = "another response was sent"

/**
 * Returns true if a response may be a clone (`other.clone()`) whose original the program keeps. It has the same status
 * and headers, except for those that were added later, and nothing else shows it.
 */
function mayBeClone(response: Response, other: Response): boolean {
  if (response.status !== other.status || readContentType(response) !== readContentType(other)) return false
  return [...other.headers].every(([name, value]) => response.headers.get(name) === value)
}

function readContentType({ headers }: Response): string | null {
  return headers.get("content-type")
}
