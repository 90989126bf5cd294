/** The adapter for middleware of Hono, exported as `fw/hono`. It needs the package `hono`. */
import { Hono, type Context as HonoContext, type MiddlewareHandler } from "hono"
import type { ConnInfo } from "hono/conninfo"
import { HTTPException } from "hono/http-exception"
import { type Context, HttpError, type MiddlewareFunc } from "../lib/index.ts"
import { unixPeer } from "../lib/request/address.ts"

/** The key under which Hono's bindings contain the context of fw. */
const contextSymbol = Symbol("fw")

/** The types for Hono, with the context of fw in the bindings. */
interface HonoEnv {
  readonly Bindings: { readonly [contextSymbol]: Context }
}

/**
 * Converts middleware of Hono to middleware of fw. Several run in the given order, the first outermost.
 *
 * Values that the middleware sets with `c.set()` can be read with `c.get()` in later handlers, and headers that it sets
 * are sent. An `HTTPException` without a response of its own becomes an {@link HttpError} with the same status. Any
 * other error is a bug.
 *
 * The middleware gets the `Request`, and not what fw has already read of it. If it reads the body, later handlers
 * cannot read it. So use `c.bind(schema)` of fw to validate, and `bodyLimit()` of fw to limit bodies.
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
 * Returns the address of the client, for middleware of Hono that takes a function `getConnInfo`. Hono has such
 * functions for its own hosts, but they do not work in `fromHono()`. The address is `c.clientIP`, so the app's
 * `trustedProxies` apply.
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

/**
 * Returns the object for `c.executionCtx` of Hono. It also has `clientIP`, which Hono's types do not know, for an app
 * of fw that Hono calls.
 */
function createExecutionContext(c: Context) {
  return {
    waitUntil: (promise: Promise<unknown>) => c.waitUntil(promise),
    passThroughOnException() {},
    props: {},
    clientIP: c.clientIP,
  }
}

/** Continues with the handlers of fw after the middleware of Hono. */
async function continueWithApp(h: HonoContext<HonoEnv>, next: Parameters<MiddlewareFunc>[0]): Promise<Response> {
  const c = h.env[contextSymbol]
  for (const [name, value] of Object.entries(h.var)) c.set(name, value)
  // Hono drops headers that were set before a handler returned a Response of its own. The context of fw keeps them.
  for (const [name, value] of h.res.headers) {
    if (name === "set-cookie") c.appendHeader(name, value)
    else if (name !== "content-type") c.setHeader(name, value)
  }
  h.res = undefined
  const response = await next(c)
  h.res = response
  return response
}

/** Converts an HTTPException to its response. All other errors are thrown again, because the app of fw answers them. */
function toErrorResponse(error: Error): Response {
  if (!(error instanceof HTTPException)) throw error
  if (error.res) return error.getResponse()
  throw new HttpError(error.status, error.message, { cause: error })
}
