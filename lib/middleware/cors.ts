/** `cors()`: which other origins may read answers (fetch standard, "CORS protocol"). */
import { checkKeys } from "../config.ts"
import type { Context } from "../context.ts"
import { FwError } from "../errors.ts"
import { token } from "../headers.ts"
import type { MiddlewareFunc } from "../types.ts"

/** What `cors()` takes. */
export interface CORSOptions {
  /** Origins such as `https://shop.example`, or a function that decides. Default: `*`, any, without credentials. */
  readonly origins?: "*" | readonly string[] | ((origin: string, c: Context) => boolean | Promise<boolean>)
  /** Methods that a preflight allows. Default: GET, HEAD, POST, PUT, PATCH, DELETE. */
  readonly methods?: readonly string[]
  /** Request headers that a preflight allows. Default: those it asks for. */
  readonly allowHeaders?: readonly string[]
  /** Answer headers that scripts may read. */
  readonly exposeHeaders?: readonly string[]
  /** Cookies and authorization may be sent. Needs named origins. */
  readonly credentials?: boolean
  /** Seconds that a browser may remember a preflight. Default: 600. */
  readonly maxAge?: number
}

const known = ["origins", "methods", "allowHeaders", "exposeHeaders", "credentials", "maxAge"]

/**
 * Answers preflights and marks answers for the origins that may read them.
 *
 * @throws FwError `cors` for credentials with any origin, an origin that is none, and an unknown or invalid option.
 */
export function cors(options: CORSOptions = {}): MiddlewareFunc {
  checkKeys(options, known, "cors", "cors()")
  const { origins = "*", credentials = false } = options
  if (credentials && origins === "*") {
    throw new FwError(
      "cors",
      "cors() allows credentials to any origin",
      'Name the origins: cors({ origins: ["https://shop.example"], credentials: true }).',
    )
  }
  if (Array.isArray(origins)) for (const origin of origins) checkOrigin(origin)
  else if (origins !== "*" && typeof origins !== "function") {
    throw new FwError(
      "cors",
      "cors() takes a list of origins, a function, or *",
      'Write cors({ origins: ["https://shop.example"] }).',
    )
  }
  for (const name of [options.methods, options.allowHeaders, options.exposeHeaders].flat()) {
    if (name !== undefined && !token.test(name)) {
      throw new FwError(
        "cors",
        `cors() was given ${JSON.stringify(name)}, which is no token`,
        "Name methods and headers alone.",
      )
    }
  }
  if (options.maxAge !== undefined && !Number.isSafeInteger(options.maxAge)) {
    throw new FwError(
      "cors",
      `cors() was given a maxAge of ${options.maxAge}`,
      "Write whole seconds, such as 600.",
    )
  }
  return (next) => async (c) => {
    const origin = c.header("origin")
    // An answer that depends on Origin must not be handed to another one by a cache.
    if (origins !== "*") c.appendHeader("Vary", "Origin")
    const preflight = c.method === "OPTIONS" && c.header("access-control-request-method") !== ""
    if (origin === "" || !(await isAllowed(origins, origin, c))) return next(c)
    c.setHeader("Access-Control-Allow-Origin", origins === "*" ? "*" : origin)
    if (credentials) c.setHeader("Access-Control-Allow-Credentials", "true")
    if (preflight) return answerPreflight(c, options)
    const { exposeHeaders = [] } = options
    if (exposeHeaders.length > 0) c.setHeader("Access-Control-Expose-Headers", exposeHeaders.join(", "))
    return next(c)
  }
}

function checkOrigin(origin: string): void {
  if (origin === "null" || !URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new FwError(
      "cors",
      `cors() was given the origin ${JSON.stringify(origin)}, which is none`,
      'Write scheme, host and port alone: "https://shop.example".',
    )
  }
}

async function isAllowed(
  origins: NonNullable<CORSOptions["origins"]>,
  origin: string,
  c: Context,
): Promise<boolean> {
  if (origins === "*") return true
  return typeof origins === "function" ? origins(origin, c) : origins.includes(origin)
}

function answerPreflight(c: Context, options: CORSOptions): Response {
  const { methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], allowHeaders, maxAge = 600 } = options
  const asked = c.header("access-control-request-headers")
  // What is sent back to a client is never more than what a header's name may be.
  const headers = (
    allowHeaders ??
    asked
      .split(",")
      .map((name) => name.trim())
      .filter((name) => token.test(name))
  ).join(", ")
  c.setHeader("Access-Control-Allow-Methods", methods.join(", "))
  if (headers) c.setHeader("Access-Control-Allow-Headers", headers)
  c.setHeader("Access-Control-Max-Age", String(maxAge))
  c.appendHeader("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
  return c.noContent()
}
