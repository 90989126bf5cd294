/** What middleware does with a finished response: look at it without reading it, and put another in its place. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { manual, type ResponseBody } from "../exchange.ts"
import { checkFields } from "../text.ts"

/**
 * What is known of a response without reading its body. Made by {@link peekResponse}.
 *
 * @example
 * const isLarge = ({ size }: ResponsePeek) => size !== null && size > 1_000_000
 */
export interface ResponsePeek {
  /** A header; `""` when absent, `", "` between several. What is set on the context from here on is not in it yet. */
  header(name: string): string
  /** The body that `c.json()`, `c.html()`, `c.xml()`, `c.string()` or `c.blob()` made; null for a stream, for no body, and for a `Response` of your own. */
  readonly content: string | Uint8Array | null
  /** Bytes of the body; null where only reading it would tell. */
  readonly size: number | null
}

/**
 * Looks at a response without reading its body. On Node this is cheaper than `response.headers` and `response.body`, which
 * turn fw's answer into a WHATWG Response first.
 *
 * @param response what `next(c)` resolved to.
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
  const exchange = access.exchange(c)
  return {
    header: (name) => exchange.headerOf(response, name.toLowerCase()),
    get content() {
      return exchange.contentOf(response)
    },
    get size() {
      return exchange.size(response)
    },
  }
}

/**
 * What {@link replaceResponse} changes. What is left out stays as it is.
 *
 * @example
 * const gone: ResponseChanges = { status: 410, body: "it is gone", remove: ["etag", "content-length"] }
 */
export interface ResponseChanges {
  /** From 200 to 599. 204, 205 and 304 have no body (fetch standard, "null body status"). */
  readonly status?: number
  /** Headers to set, in place of those of the same names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of headers to remove, also where they were set on the context. Remove what no longer describes the body: `Content-Length`, `ETag`. */
  readonly remove?: readonly string[]
  /** The new body; null for none. A function gets the old one, to pass it through a stream. */
  readonly body?: ResponseBody | null | ((body: Response["body"]) => ResponseBody | null)
}

/**
 * Makes another response in the place of one. Everything that was set on the context stays on it, cookies too, unless it
 * is removed by name. A body that is replaced without being read is cancelled, so that its source stops.
 *
 * @param response what `next(c)` resolved to.
 * @throws TypeError for an unknown field, a header that is not valid and a body that is read already; RangeError for a
 *   status that is not from 200 to 599.
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
  checkFields(changes, ["status", "headers", "remove", "body"], "replaceResponse() takes")
  const old = access.flush(c, response)
  const { status = old.status, headers: given = {}, remove = [] } = changes
  const headers = new Headers(old.headers)
  const names = [...remove, ...Object.keys(given)].map((name) => name.toLowerCase())
  for (const name of names) headers.delete(name)
  for (const [name, value] of Object.entries(given)) headers.set(name, value)
  const statusText = status === old.status ? old.statusText : ""
  const body = bodyFor(c, old, status, changes.body)
  const made = new Response(body, { status, statusText, headers, ...manual })
  access.forget(c, (name) => names.includes(name), made)
  return made
}

function bodyFor(
  c: Context,
  old: Response,
  status: number,
  given: ResponseChanges["body"],
): ResponseBody | null {
  const isBodiless = status === 204 || status === 205 || status === 304
  if (given === undefined && !isBodiless) return old.body
  const made = typeof given === "function" ? given(old.body) : (given ?? null)
  // A body that the program made has a source, which must learn that nobody reads it.
  if (access.exchange(c).contentOf(old) === null && made !== old.body && !old.body?.locked)
    old.body?.cancel().catch(() => {})
  return made
}
