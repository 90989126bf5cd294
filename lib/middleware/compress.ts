/** `compress()`: compresses responses for clients that accept it (RFC 9110 §8.4). */

import { digestHeaders } from "../answer/foreign-response.ts"
import { type AvailableBody, readAvailable } from "../answer/read-available.ts"
import { peekResponse, type ResponsePeek, replaceResponse } from "../answer/response.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import type { ResponseBody } from "../exchange.ts"
import { selectAcceptedCodings } from "../request/accept-encoding.ts"
import { hasElement, parseEntityTags, parseMediaType } from "../request/header-grammar.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Options of `compress()`.
 *
 * @example
 * const options: CompressOptions = { threshold: 4096 }
 * app.use(compress(options))
 */
export interface CompressOptions {
  /**
   * Minimum size in bytes of a response that is compressed. Default: 1024, because less fits into one network packet.
   */
  readonly threshold?: number
}

/**
 * Codings that CompressionStream supports in every runtime, best first. `deflate` means the zlib format in both
 * standards (RFC 9110 §8.4.1.2).
 */
const codings = ["gzip", "deflate", "identity"] as const

/** Media types that are mostly text. Types with a compression of their own would grow. */
const compressibleType =
  /^(?:text\/(?!event-stream$).+|(?!.*\b(?:stream|grpc)).+\+(?:json|xml|yaml)|application\/(?:json|javascript|xml|xhtml\+xml|wasm|rtf|yaml|toml|graphql|sql|x-sh|x-javascript|vnd\.ms-fontobject)|font\/(?:ttf|otf|collection)|image\/(?:bmp|x-icon|vnd\.microsoft\.icon|svg\+xml))$/

/** Headers that describe the uncompressed bytes. */
const uncompressedHeaders = ["content-length", "etag", "accept-ranges"]

/**
 * Compresses responses of types that become smaller, if their length is known or their whole body is available. It does
 * not compress streams, because CompressionStream cannot be flushed and would delay their pieces. It does not compress
 * encoded, partial or small responses, or those with `no-transform`. A strong ETag becomes weak, because the bytes
 * change.
 *
 * @throws FwError `compress` for an unknown or invalid option.
 * @example
 * app.use(compress())
 * app.get("/words", (c) => c.string(200, "work and play ".repeat(100)))
 * const answer = await app.request("/words", { headers: { "Accept-Encoding": "gzip" } })
 * answer.headers.get("Content-Encoding") // → "gzip"
 */
export function compress(options: CompressOptions = {}): MiddlewareFunc {
  checkKeys(options, ["threshold"], "compress", "compress()")
  const { threshold = 1024 } = options
  if (!Number.isSafeInteger(threshold) || threshold < 0) throw middlewareFault("compress", [threshold])
  return (next) => async (c) => {
    const original = await next(c)
    const peek = peekResponse(c, original)
    if (original.status === 304) return answerNotModified(c, original, peek)
    if (!isWorthCompressing(original.status, peek)) return original
    const { response, size } =
      peek.size === null ? await measureResponse(c, original) : { response: original, size: peek.size }
    if (size === null || size < threshold) return response
    // Caches need `Vary` also on the response to a client that accepts no coding.
    c.appendHeader("Vary", "Accept-Encoding")
    const [coding] = selectAcceptedCodings(c.header("accept-encoding"), codings)
    if (coding === undefined || coding === "identity") return response
    const etag = peek.header("etag")
    return replaceResponse(c, response, {
      headers: { "content-encoding": coding, ...(etag && { etag: toWeakTag(etag) }) },
      remove: uncompressedHeaders,
      body: (body) => encodeBody(c, body, coding),
    })
  }
}

/**
 * Finds out the size of a response with an unknown length. Returns the response, and its size if the whole body is
 * available.
 */
async function measureResponse(
  c: Context,
  original: Response,
): Promise<{ readonly response: Response; readonly size: number | null }> {
  let readPromise: Promise<AvailableBody> | undefined
  const body = (stream: Response["body"]) => {
    readPromise = stream ? readAvailable(stream) : undefined
    return null
  }
  const bodilessResponse = replaceResponse(c, original, { body })
  const { bytes: wholeBody, stream } = (await readPromise) ?? { stream: null }
  const response = replaceResponse(c, bodilessResponse, { body: (wholeBody ?? stream) as ResponseBody | null })
  return { response, size: wholeBody?.byteLength ?? null }
}

function isWorthCompressing(status: number, { header }: ResponsePeek): boolean {
  // A 206 is a part of the uncompressed bytes. The other statuses have no body.
  if (status < 200 || status === 204 || status === 205 || status === 206) return false
  if (!compressibleType.test(parseMediaType(header("content-type")))) return false
  const coding = header("content-encoding").toLowerCase()
  if ((coding !== "" && coding !== "identity") || header("content-range") !== "") return false
  if (hasElement(header("cache-control"), "no-transform")) return false
  // The response is a stream whose pieces must not be delayed.
  if (header("x-accel-buffering").toLowerCase() === "no") return false
  return !digestHeaders.some((name) => header(name) !== "")
}

function encodeBody(c: Context, body: Response["body"], coding: "gzip" | "deflate"): ResponseBody | null {
  if (body === null) return null
  if (c.method !== "HEAD") return body.pipeThrough(new CompressionStream(coding))
  // A response to HEAD has the headers of one to GET, but no body (RFC 9110 §9.3.2). So this stream is never read.
  body.cancel().catch(() => {})
  return new ReadableStream({}, { highWaterMark: 0 })
}

function toWeakTag(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`
}

/**
 * Gives a 304 the headers that the 200 had. It gets `Vary` (RFC 9110 §15.4.5) always, because a 304 does not say
 * whether the type is compressed. It gets a weak ETag if the client has the compressed response (RFC 9111 §4.3.4).
 */
function answerNotModified(c: Context, response: Response, peek: ResponsePeek): Response {
  const etag = peek.header("etag")
  if (etag !== "" && parseEntityTags(c.header("if-none-match")).includes(toWeakTag(etag)))
    c.setHeader("ETag", toWeakTag(etag))
  c.appendHeader("Vary", "Accept-Encoding")
  return response
}
