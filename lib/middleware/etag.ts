/** `etag()`: answers 304 to clients that already have the response (RFC 9110 §8.8.3, §13). */

import { isBodyHeader } from "../answer/caching.ts"
import { peekResponse, type ResponsePeek, replaceResponse } from "../answer/response.ts"
import { checkKeys } from "../checks.ts"
import { HttpError } from "../errors.ts"
import { hasElement, readDate } from "../request/header-grammar.ts"
import { evaluatePreconditions } from "../static/preconditions.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Options of `etag()`.
 *
 * @example
 * const options: ETagOptions = { weak: true }
 * app.use(etag(options))
 */
export interface ETagOptions {
  /** True to make weak tags, for responses whose text may differ without a change in meaning. Default: false. */
  readonly weak?: boolean
}

/**
 * Adds an ETag to responses to GET and HEAD that have the status 200 and that the context made from text or bytes. An
 * existing tag stays. Streams are not read to compute one. The conditions of the request are checked against the tag
 * and `Last-Modified`, in the order of RFC 9110 §13.2.2. The answer is a 412 if `If-Match` or `If-Unmodified-Since`
 * fails, and a 304 if `If-None-Match` or `If-Modified-Since` shows that the client has the response.
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
    const { status } = response
    if ((c.method !== "GET" && c.method !== "HEAD") || (status !== 200 && status !== 206)) return response
    const peek = peekResponse(c, response)
    const { header } = peek
    const ownTag = header("etag")
    // The tag of a partial response must be that of the whole response, which is not available here.
    const newTag = ownTag === "" && status === 200 ? await createTag(peek, weak) : ""
    if (newTag !== "") c.setHeader("ETag", newTag)
    const modified = readDate(header("last-modified"))
    const result = evaluatePreconditions((name) => c.header(name), { etag: ownTag || newTag, modifiedMs: modified })
    if (result === null) return response
    if (result === 304)
      return replaceResponse(c, response, { status: 304, body: null, remove: listBodyHeaders(response) })
    replaceResponse(c, response, { body: null })
    return new HttpError(412, "the response does not match the condition of the request")
  }
}

/** Returns the names of the headers that describe a body. A 304 does not have them. */
function listBodyHeaders({ headers }: Response): string[] {
  return [...headers.keys()].filter(isBodyHeader)
}

/** Returns a tag for a response; `""` for a stream, and for a response that must not be stored. */
async function createTag({ content, header }: ResponsePeek, weak: boolean): Promise<string> {
  if (content === null || hasElement(header("cache-control"), "no-store")) return ""
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  // 22 characters of Base64 have 132 bits, which is enough. Base64 has no quote, which would end the tag.
  const text = btoa(String.fromCharCode(...digest)).slice(0, 22)
  return `${weak ? "W/" : ""}"${text}"`
}
