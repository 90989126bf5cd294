/** Restores the bytes of a body that a parser of the host, such as express.json(), has read before the app. */
import type { IncomingMessage } from "node:http"
import { isJSONType, parseMediaType } from "../../lib/request/header-grammar.ts"
import { LazyMessage } from "./fast/lazy-message.ts"

/**
 * Properties that parsers add to a request: `body`, and in Firebase and Google Cloud Functions the bytes as
 * well.
 */
interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown
  readonly rawBody?: unknown
}

/** Returns true if someone has read the body or is reading it. */
export function isBodyRead(incoming: IncomingMessage): boolean {
  if (incoming instanceof LazyMessage && incoming.hasReader) return true
  return incoming.readableEnded || incoming.readableDidRead
}

/**
 * Returns the bytes of a body that was read before. JSON and forms are serialized again from the parsed
 * values, so they have the same meaning but may have other bytes; a signature of the bytes needs `rawBody`.
 *
 * @param isDiscarded true if the app has discarded the body, because it answered before anything read it.
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

/** Returns the error for a program that reads a body after it was discarded. */
export function createMissingAwaitError(): TypeError {
  return new TypeError(
    "Is an await missing before the call that reads the body? The handler answered first, so the body was discarded. " +
      "For work after the answer, take c.request.body before, and pass the work to c.waitUntil().",
  )
}

function toBytes(value: unknown): Uint8Array | null {
  // A copy, because the context returns plain bytes, and a Buffer may share its memory.
  return value instanceof Uint8Array ? new Uint8Array(value) : null
}

function toBodyText(type: string, body: unknown): string | null {
  if (isJSONType(type)) {
    // A text may be JSON that was not parsed, or a string inside JSON.
    return body === undefined || typeof body === "string" ? null : JSON.stringify(body)
  }
  if (typeof body === "string") return body
  if (parseMediaType(type) !== "application/x-www-form-urlencoded") return null
  if (typeof body !== "object" || body === null) return null
  const fields = Object.entries(body).map(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, one]),
  )
  const pairs = fields.flat()
  // A parser has made an object of `a[b]=c`, and the brackets cannot be restored.
  if (!pairs.every((pair): pair is [string, string] => typeof pair[1] === "string")) return null
  return new URLSearchParams(pairs).toString()
}
