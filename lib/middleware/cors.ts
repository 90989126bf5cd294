/** `cors()`: allows other origins to read responses (fetch standard, "CORS protocol"). */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { isToken, listElements } from "../request/header-grammar.ts"
import { checkOrigins, isOriginAllowed, type Origins } from "../request/origin.ts"
import type { MiddlewareFunc } from "../types.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Options of `cors()`.
 *
 * @example
 * const options: CORSOptions = { origins: ["https://shop.example"], methods: ["GET", "POST"], maxAge: 3600 }
 * app.use(cors(options))
 */
export interface CORSOptions {
  /**
   * Allowed origins, such as `https://shop.example`, or a function that decides. Default: `*`, which is any origin,
   * without credentials.
   */
  readonly origins?: "*" | Origins
  /** Methods that a preflight allows. Default: GET, HEAD, POST, PUT, PATCH, DELETE. */
  readonly methods?: readonly string[]
  /** Request headers that a preflight allows. Default: the headers that it asks for. */
  readonly allowHeaders?: readonly string[]
  /** Response headers that scripts may read. */
  readonly exposeHeaders?: readonly string[]
  /** True to allow cookies and `Authorization`. Requires a list of origins or a function. */
  readonly credentials?: boolean
  /** Seconds for which a browser may cache a preflight. Default: 600. */
  readonly maxAge?: number
}

const optionNames = ["origins", "methods", "allowHeaders", "exposeHeaders", "credentials", "maxAge"]

/**
 * Answers preflights, and adds headers that let the pages of other origins read the responses.
 *
 * @throws FwError `cors` for an unknown or invalid option, an invalid origin, and credentials together with `*`.
 * @example
 * app.use(cors({ origins: ["https://shop.example"], credentials: true }))
 * const answer = await app.request("/", { headers: { Origin: "https://shop.example" } })
 * answer.headers.get("Access-Control-Allow-Origin") // → "https://shop.example"
 */
export function cors(options: CORSOptions = {}): MiddlewareFunc {
  checkKeys(options, optionNames, "cors", "cors()", { credentials: "boolean" })
  const { origins = "*", credentials = false } = options
  if (credentials && origins === "*") throw middlewareFault("cors.credentials")
  if (origins !== "*") checkOrigins(origins, "cors", "cors()")
  const lists = [options.methods, options.allowHeaders, options.exposeHeaders]
  for (const list of lists) {
    if (list === undefined || Array.isArray(list)) continue
    throw middlewareFault("cors.list", [list])
  }
  for (const name of lists.flat()) {
    if (name !== undefined && !isToken(name)) throw middlewareFault("cors.name", [name])
  }
  if (options.maxAge !== undefined && !(Number.isSafeInteger(options.maxAge) && options.maxAge >= 0))
    throw middlewareFault("cors.max_age", [options.maxAge])
  return (next) => async (c) => {
    const origin = c.header("origin")
    // Without `Vary`, a cache could send the response for one origin to another.
    if (origins !== "*") c.appendHeader("Vary", "Origin")
    const isPreflight = c.method === "OPTIONS" && c.header("access-control-request-method") !== ""
    // The origin `null` is never allowed, because any page gets it in a sandboxed frame.
    const isAllowed =
      origins === "*" ||
      (origin !== "" && !(credentials && origin === "null") && (await isOriginAllowed(origins, origin, c)))
    // With `*`, every response has the header, so that a cache may also send one that was requested without Origin.
    if (!isAllowed) return next(c)
    c.setHeader("Access-Control-Allow-Origin", origins === "*" ? "*" : origin)
    if (credentials) c.setHeader("Access-Control-Allow-Credentials", "true")
    if (isPreflight) return answerPreflight(c, options)
    const { exposeHeaders = [] } = options
    if (exposeHeaders.length > 0) c.setHeader("Access-Control-Expose-Headers", exposeHeaders.join(", "))
    return next(c)
  }
}

function answerPreflight(c: Context, options: CORSOptions): Response {
  const { methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], allowHeaders, maxAge = 600 } = options
  const requestedHeaders = c.header("access-control-request-headers")
  // Only valid header names are sent back to the client.
  const headers = (allowHeaders ?? listElements(requestedHeaders).filter(isToken)).join(", ")
  c.setHeader("Access-Control-Allow-Methods", methods.join(", "))
  if (headers) c.setHeader("Access-Control-Allow-Headers", headers)
  c.setHeader("Access-Control-Max-Age", String(maxAge))
  c.appendHeader("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
  return c.noContent()
}
