/** `peekResponse()` and `replaceResponse()`, with which middleware inspects and replaces a finished response. */
import { isResponse, toResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { checkContext } from "../context-key.ts"
import { bodilessStatuses, manualEncoding, type ResponseBody } from "../exchange.ts"
import { checkFields, describeType } from "../text.ts"
import { forbidReuse } from "./caching.ts"

/**
 * What is known about a response without reading its body. Returned by {@link peekResponse}.
 *
 * @example
 * const isLarge = ({ size }: ResponsePeek) => size !== null && size > 1_000_000
 */
export interface ResponsePeek {
  /**
   * Returns a header; `""` if missing. Several values are joined with `", "`. A header that is set on the context later
   * is not included.
   */
  header(name: string): string
  /**
   * The body, if `c.json()`, `c.html()`, `c.xml()`, `c.string()` or `c.blob()` created it. Null for a stream, for a
   * response without a body, and for a `Response` that the program created itself.
   */
  readonly content: string | Uint8Array | null
  /** Size of the body in bytes; null if it is unknown without reading it. */
  readonly size: number | null
}

/**
 * Inspects a response without reading its body. On Node this is cheaper than `response.headers` and `response.body`,
 * for which fw has to create a WHATWG Response first.
 *
 * @param response the result of `next(c)`.
 * @throws TypeError for a value that is not a context or not a Response, such as a promise of a Response.
 * @example
 * const warnOfLarge: MiddlewareFunc = (next) => async (c) => {
 *   const response = await next(c)
 *   const { size } = peekResponse(c, response)
 *   if (size !== null && size > 1_000_000) console.warn(`${c.pattern} sends ${size} bytes`)
 *   return response
 * }
 * app.use(warnOfLarge)
 */
export function peekResponse(c: Context, response: Response): ResponsePeek {
  checkCall("peekResponse()", c, response)
  const exchange = access.getExchange(c)
  return {
    header: (name) => exchange.getResponseHeader(response, name.toLowerCase()),
    get content() {
      return exchange.getContent(response)
    },
    get size() {
      return exchange.getSize(response)
    },
  }
}

/**
 * The changes that {@link replaceResponse} makes. Fields that are omitted change nothing.
 *
 * @example
 * const gone: ResponseChanges = { status: 410, body: "it is gone", remove: ["etag", "content-length"] }
 */
export interface ResponseChanges {
  /** From 200 to 599. 204, 205 and 304 have no body (fetch standard, "null body status"). */
  readonly status?: number
  /** Headers to set. They replace headers with the same names. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Names of headers to remove, including those set on the context. Remove headers that no longer describe
   * the body: `Content-Length`, `ETag`.
   */
  readonly remove?: readonly string[]
  /** The new body; null for none. A function gets the old body, for example to pipe it through a TransformStream. */
  readonly body?: ResponseBody | null | ((body: Response["body"]) => ResponseBody | null)
}

/**
 * Replaces a response. Headers and cookies that were set on the context stay, except those in `remove`; if the new
 * status is an error, headers that let caches keep the answer are left out too. If nothing reads the old body, it is
 * cancelled, so that its source stops.
 *
 * @param response the result of `next(c)`.
 * @throws TypeError for an unknown field, an invalid header, and a body that was already read; RangeError for a status
 * that is not from 200 to 599.
 * @example
 * const upperCase: MiddlewareFunc = (next) => async (c) => {
 *   const response = await next(c)
 *   const { content } = peekResponse(c, response)
 *   if (typeof content !== "string") return response
 *   return replaceResponse(c, response, { body: content.toUpperCase(), remove: ["content-length", "etag"] })
 * }
 * app.get("/", upperCase, (c) => c.string(200, "hello"))
 * const answer = await app.request("/")
 * await answer.text() // → "HELLO"
 */
export function replaceResponse(c: Context, response: Response, changes: ResponseChanges): Response {
  checkCall("replaceResponse()", c, response)
  checkFields(changes, ["status", "headers", "remove", "body"], "replaceResponse() takes")
  const oldResponse = access.addPendingHeaders(c, toResponse(response) || response)
  const { status = oldResponse.status, headers: newHeaders = {}, remove = [] } = changes
  const headers = new Headers(oldResponse.headers)
  const names = [...remove, ...Object.keys(newHeaders)].map((name) => name.toLowerCase())
  for (const name of names) headers.delete(name)
  if (status >= 400 && oldResponse.status < 400) forbidReuse(headers)
  for (const [name, value] of Object.entries(newHeaders)) headers.set(name, value)
  const statusText = status === oldResponse.status ? oldResponse.statusText : ""
  const body = chooseBody(c, oldResponse, status, changes.body)
  const replacement = new Response(body, { status, statusText, headers, ...manualEncoding })
  access.forgetHeaders(c, (name) => names.includes(name), replacement)
  return replacement
}

function checkCall(call: string, c: unknown, response: unknown): void {
  checkContext(c, call)
  if (isResponse(response)) return
  const hint = response instanceof Promise ? ": write await before it" : ""
  throw new TypeError(`${call} takes the Response of next(c), not ${describeType(response)}${hint}`)
}

function chooseBody(
  c: Context,
  oldResponse: Response,
  status: number,
  newBodyOption: ResponseChanges["body"],
): ResponseBody | null {
  const isBodiless = bodilessStatuses.includes(status)
  if (newBodyOption === undefined && !isBodiless) return oldResponse.body
  // The new stream may read the old body later. If it never does, the old body is cancelled at the end of the new one.
  if (typeof newBodyOption === "function" && !isBodiless) return newBodyOption(oldResponse.body)
  const newBody = typeof newBodyOption === "function" ? newBodyOption(oldResponse.body) : (newBodyOption ?? null)
  // The old body is not sent, so its source must stop.
  if (
    access.getExchange(c).getContent(oldResponse) === null &&
    newBody !== oldResponse.body &&
    !oldResponse.body?.locked
  )
    oldResponse.body?.cancel().catch(() => {})
  return newBody
}
