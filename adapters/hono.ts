/** The adapter for Hono middleware, exported as `fw/hono`. It needs the package `hono`. */
import { Hono, type Context as HonoContext, type MiddlewareHandler } from "hono"
import type { ConnInfo } from "hono/conninfo"
import { HTTPException } from "hono/http-exception"
import { type Context, HttpError, type MiddlewareFunc } from "../lib/index.ts"
import { unixPeer } from "../lib/request/address.ts"

/** The key of the context of fw among the bindings that Hono gets. */
const contextSymbol = Symbol("fw")

/** The bindings of the app, with its context. */
interface HonoEnv {
  readonly Bindings: { readonly [contextSymbol]: Context }
}

/**
 * Returns middleware of Hono as middleware of fw. Several run in the given order, the first outermost.
 *
 * Values that the middleware sets with `c.set()` are in `c.get()` of later handlers, and headers that it sets are sent.
 * An `HTTPException` without a response of its own becomes an {@link HttpError} of the same status. Any other error that
 * it throws is a bug.
 *
 * The middleware sees the `Request`, not what fw has read of it. If it reads the body, later handlers cannot: use
 * `c.bind(schema)` of fw to validate, and `bodyLimit()` of fw to limit.
 *
 * @example
 * import { poweredBy } from "hono/powered-by"
 * app.use(fromHono(poweredBy()))
 * app.get("/", (c) => c.string(200, "hello"))
 * const answer = await app.request("/")
 * answer.headers.get("x-powered-by") // → "Hono"
 */
export function fromHono(...middleware: readonly MiddlewareHandler[]): MiddlewareFunc {
  return (next) => {
    const hono = new Hono<HonoEnv>()
    for (const one of middleware) hono.use(one)
    hono.all("*", (h) => continueWithApp(h, next))
    hono.onError(toErrorResponse)
    return (c) => {
      const env = Object.create(c.env, { [contextSymbol]: { value: c } })
      return hono.fetch(c.request, env, createExecutionContext(c))
    }
  }
}

/**
 * Returns the client of a request, for middleware of Hono that asks for `getConnInfo`. The functions of this name for
 * other hosts look for what those hosts have, and do not work in `fromHono()`. The address is `c.clientIP`, so the app's
 * `trustedProxies` apply to it.
 *
 * @throws TypeError outside middleware of `fromHono()`.
 * @example
 * import { ipRestriction as restrict } from "hono/ip-restriction"
 * app.use(fromHono(restrict(getConnInfo, { allowList: ["203.0.113.0/24"] })))
 * app.get("/", (c) => c.string(200, "hello"))
 * const answer = await app.request("/", {}, { clientIP: "203.0.113.7" })
 * answer.status // → 200
 */
export function getConnInfo(c: HonoContext): ConnInfo {
  const context = (c.env as HonoEnv["Bindings"] | undefined)?.[contextSymbol]
  if (!context) {
    throw new TypeError(
      "getConnInfo() of fw/hono works in middleware that fromHono() runs. In an app of Hono, import the one for its host, such as @hono/node-server/conninfo",
    )
  }
  const address = context.clientIP
  if (address === "" || address === unixPeer) return { remote: {} }
  return { remote: { address, addressType: address.includes(":") ? "IPv6" : "IPv4" } }
}

/** Returns what Hono has as `c.executionCtx`. Its types do not know `clientIP`, which an app of fw behind it reads, too. */
function createExecutionContext(c: Context) {
  return {
    waitUntil: (promise: Promise<unknown>) => c.waitUntil(promise),
    passThroughOnException() {},
    props: {},
    clientIP: c.clientIP,
  }
}

/** Continues with the handlers of fw, after the middleware of Hono. */
async function continueWithApp(h: HonoContext<HonoEnv>, next: Parameters<MiddlewareFunc>[0]): Promise<Response> {
  const c = h.env[contextSymbol]
  for (const [name, value] of Object.entries(h.var)) c.set(name, value)
  // Hono drops headers that were set before a handler that makes its own Response. The context of fw keeps them.
  for (const [name, value] of h.res.headers) {
    if (name === "set-cookie") c.appendHeader(name, value)
    else if (name !== "content-type") c.setHeader(name, value)
  }
  h.res = undefined
  const response = await next(c)
  h.res = response
  return response
}

/** Answers errors. Only the app of fw knows how, so they are thrown again. */
function toErrorResponse(error: Error): Response {
  if (!(error instanceof HTTPException)) throw error
  if (error.res) return error.getResponse()
  throw new HttpError(error.status, error.message, { cause: error })
}
