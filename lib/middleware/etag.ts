/** `etag()`: answers 304 to clients that already have the response (RFC 9110 §8.8.3, §13). */

import { peekResponse, type ResponsePeek, replaceResponse } from "../answer/response.ts"
import { checkKeys } from "../checks.ts"
import { hasElement, readDate } from "../request/header-grammar.ts"
import { precondition } from "../static/conditional.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Options of `etag()`.
 *
 * @example
 * const options: ETagOptions = { weak: true }
 * app.use(etag(options))
 */
export interface ETagOptions {
  /** True for weak tags, if the text may differ without a change in meaning. Default: false. */
  readonly weak?: boolean
}

/** Headers that describe a body, which a 304 does not have (RFC 9110 §15.4.5). */
const representation = [
  "content-type",
  "content-length",
  "content-encoding",
  "content-language",
  "content-range",
  "accept-ranges",
]

/**
 * Adds an ETag to responses to GET and HEAD with status 200 that the context made from text or bytes, and
 * answers 304 if `If-None-Match` contains the tag. An existing tag is kept. Streams are not read to compute a
 * tag.
 *
 * @throws FwError `etag` for an unknown option.
 * @example
 * app.get("/", etag(), (c) => c.string(200, "hello"))
 * const answer = await app.request("/", { headers: { "If-None-Match": '"LPJNul+wow4m6Dsqxbninh"' } })
 * answer.status // → 304
 */
export function etag(options: ETagOptions = {}): MiddlewareFunc {
  checkKeys(options, ["weak"], "etag", "etag()", { weak: "boolean" })
  const { weak = false } = options
  return (next) => async (c) => {
    const response = await next(c)
    if ((c.method !== "GET" && c.method !== "HEAD") || response.status !== 200) return response
    const peek = peekResponse(c, response)
    const { header } = peek
    const tag = header("etag") || (await tagOf(peek, weak))
    if (tag === null) return response
    const modified = readDate(header("last-modified"))
    const result = precondition((name) => c.header(name), { etag: tag, modified })
    if (header("etag") === "") c.setHeader("ETag", tag)
    return result === 304
      ? replaceResponse(c, response, { status: 304, body: null, remove: representation })
      : response
  }
}

async function tagOf({ content, header }: ResponsePeek, weak: boolean): Promise<string | null> {
  // A response that must not be stored is never compared.
  if (content === null || hasElement(header("cache-control"), "no-store")) return null
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  // 132 bits, without characters that end a tag.
  const text = btoa(String.fromCharCode(...digest)).slice(0, 22)
  return `${weak ? "W/" : ""}"${text}"`
}
