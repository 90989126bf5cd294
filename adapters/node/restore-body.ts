/** Restores the bytes of a body that a parser of the host, such as express.json(), has already read. */
import type { IncomingMessage } from "node:http"
import { isJSONType, parseMediaType } from "../../lib/request/header-grammar.ts"
import { LazyMessage } from "./fast/lazy-message.ts"

/**
 * Properties that parsers add to a request: `body`, and in Firebase and Google Cloud Functions also the bytes.
 */
interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown
  readonly rawBody?: unknown
}

/** Returns true if something has read the body or is reading it. */
export function isBodyRead(incoming: IncomingMessage): boolean {
  if (incoming instanceof LazyMessage && incoming.hasReader) return true
  return incoming.readableEnded || incoming.readableDidRead
}

/**
 * Returns the bytes of a body that was already read. JSON and forms are written again from their parsed values. They
 * have the same meaning, but the bytes may differ; to verify a signature, `rawBody` is needed.
 *
 * @param isDiscarded true if the app has discarded the body, because it had answered before anything read it.
 * @throws TypeError for a body that cannot be restored.
 */
export function restoreBody(incoming: IncomingMessage, isDiscarded: boolean): Uint8Array {
  const { rawBody, body } = incoming as ParsedMessage
  const bytes = toBytes(rawBody) ?? toBytes(body)
  if (bytes) return bytes
  const text = toBodyText(incoming.headers["content-type"] ?? "", body)
  if (text !== null) return new TextEncoder().encode(text)
  if (isDiscarded) throw createMissingAwaitError()
  throw new TypeError(
    "the body was read before the app got the request, and it cannot be made again from req.body: " +
      "mount nodeHandler() before any body parser, or let the parser keep the bytes in req.rawBody",
  )
}

/**
 * Returns the error for a program that reads a body after it was discarded, which usually means that an `await` is
 * missing.
 */
export function createMissingAwaitError(): TypeError {
  return new TypeError(
    "Is an await missing before the call that reads the body? The handler answered first, so the body was discarded. " +
      "For work after the answer, take c.request.body before, and pass the work to c.waitUntil().",
  )
}

function toBytes(value: unknown): Uint8Array | null {
  // A Buffer may share its memory with others, so it is copied.
  return value instanceof Uint8Array ? new Uint8Array(value) : null
}

function toBodyText(type: string, body: unknown): string | null {
  if (isJSONType(type)) {
    // A text is ambiguous: it may be the body itself, or a string that was parsed from JSON.
    return body === undefined || typeof body === "string" ? null : JSON.stringify(body)
  }
  if (typeof body === "string") return body
  if (parseMediaType(type) !== "application/x-www-form-urlencoded") return null
  if (typeof body !== "object" || body === null) return null
  const fields = Object.entries(body).map(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, one]),
  )
  const pairs = fields.flat()
  // The parser has made an object from a name like `a[b]`, and the original name cannot be restored.
  if (!pairs.every((pair): pair is [string, string] => typeof pair[1] === "string")) return null
  return new URLSearchParams(pairs).toString()
}
