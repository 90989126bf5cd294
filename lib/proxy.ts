/** The decisions that a proxy can make, and the functions that carry them out. */
import { platform } from "#platform"
import { reportWrongResult } from "./chain.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { fault, misuse } from "./errors/fault.ts"
import type { HttpError } from "./errors.ts"
import { canonicalizePath, splitTarget } from "./path.ts"
import type { ResponseOrPromise } from "./pipeline.ts"
import { compileProxyConfig, type PathTest } from "./proxy-matchers.ts"
import { redirectStatuses } from "./request/headers.ts"

/**
 * The decision of a proxy. Only the functions of {@link proxy} create one.
 *
 * @example
 * function decide(c: Context): ProxyResult {
 *   return c.isHTMX ? proxy.continue() : proxy.redirect("/", 303)
 * }
 * app.setProxy(decide)
 */
export type ProxyResult =
  | { readonly action: "continue" }
  | { readonly action: "redirect"; readonly url: string | URL; readonly status: number }
  | { readonly action: "rewrite"; readonly path: string; readonly search: string | null }
  | { readonly action: "respond"; readonly status: number; readonly data: unknown }

/**
 * Decides about a request before a route is looked for.
 *
 * @example
 * const maintenance: ProxyFunc = () => proxy.responseJSON(503, { error: "back at noon" })
 * app.setProxy(maintenance)
 * const answer = await app.request("/")
 * await answer.json() // → { error: "back at noon" }
 */
export type ProxyFunc = (c: Context) => ProxyResult | HttpError | Promise<ProxyResult | HttpError>

/** A proxy with its configuration. */
export interface ProxySetup {
  readonly run: ProxyFunc
  /**
   * Returns true for a path that the proxy handles. While URLPattern is loading it is a promise, and requests wait for
   * it. If that fails, every request gets a 500.
   */
  test: PathTest | Promise<PathTest>
  /** Returns the function that carries out a decision. @throws TypeError for a value that is not a decision. */
  findAction(result: unknown): ProxyAction
}

/** Carries out a decision: returns a response, or continues with the routes. */
export type ProxyAction = (c: Context, route: (c: Context) => ResponseOrPromise) => ResponseOrPromise

/** The function of each decision. A bundle leaves out the functions that its program does not use. */
const actionsByResult = new WeakMap<object, ProxyAction>()

function registerResult(result: ProxyResult, action: ProxyAction): ProxyResult {
  actionsByResult.set(result, action)
  return result
}

/** Creates a proxy. @throws FwError `proxy_config` for an invalid configuration. */
export function createProxySetup(run: ProxyFunc, config: ProxyConfig = {}): ProxySetup {
  const test = compileProxyConfig(config, () => platform.env.loadURLPattern())
  // listen(), mount() and every request report the rejection, so Node must not treat it as unhandled.
  if (test instanceof Promise) test.catch(() => {})
  return { run, test, findAction: (result) => getAction(result, run) }
}

function getAction(result: unknown, run: ProxyFunc): ProxyAction {
  const action = actionsByResult.get(result as object)
  if (action) return action
  throw reportWrongResult(misuse("proxy.result"), run)
}

/**
 * The four decisions that a proxy can make.
 *
 * @example
 * app.setProxy((c) => (c.path === "/old" ? proxy.rewrite("/new") : proxy.continue()))
 * app.get("/new", (c) => c.string(200, "moved"))
 * const answer = await app.request("/old")
 * await answer.text() // → "moved"
 */
export const proxy = {
  /** Continues with the routes. */
  continue(): ProxyResult {
    return registerResult({ action: "continue" }, (c, route) => route(c))
  },
  /**
   * Redirects to another URL.
   *
   * @param url a text that is not blank, or a URL object. The same checks apply as in `c.redirect()`.
   * @param status 301, 302, 303, 307 or 308. Default: 302.
   */
  redirect(url: string | URL, status = 302): ProxyResult {
    return registerResult({ action: "redirect", url, status }, (c) => {
      if (!redirectStatuses.includes(status)) throw misuse("redirect.status", status, 'proxy.redirect("/path", 303)')
      return c.redirect(status, url as string)
    })
  },
  /**
   * Continues as if another path had been requested. If the path has a query, it replaces the query of the request.
   *
   * @throws FwError `rewrite` for a path that does not start with a slash, HttpError 400 for malformed
   * percent-encoding.
   */
  rewrite(path: string): ProxyResult {
    if (typeof path !== "string" || path[0] !== "/") throw fault("rewrite", [path])
    const target = splitTarget(path)
    const canonical = canonicalizePath(target.path)
    const search = target.search || null
    return registerResult({ action: "rewrite", path: canonical, search }, (c, route) => {
      access.rewrite(c, canonical, search ?? c.search)
      return route(c)
    })
  },
  /** Responds with JSON. The status comes first, as for `c.json()`. */
  responseJSON(status: number, data: unknown): ProxyResult {
    return registerResult({ action: "respond", status, data }, (c) => {
      if (typeof status === "number" && /^(?:undefined|function|symbol)$/.test(typeof data))
        throw misuse("json", data, status, "proxy.responseJSON")
      return c.json(status, data)
    })
  },
} as const

/**
 * The paths for which a proxy runs.
 *
 * @example
 * const config: ProxyConfig = { matchers: ["/api/*"], excludes: ["/api/health"] }
 * app.setProxy((c) => (c.header("X-API-Key") ? proxy.continue() : unauthorized("missing API key")), config)
 * const answer = await app.request("/api/users")
 * answer.status // → 401
 */
export interface ProxyConfig {
  /**
   * The paths for which the proxy runs, as patterns such as `/api/:path*`. This is the name in a proxy file, where it
   * is usual.
   */
  readonly matcher?: readonly string[]
  /** The same as {@link matcher}, under the name that is usual in `setProxy()`. Both names are accepted everywhere. */
  readonly matchers?: readonly string[]
  /** Paths for which the proxy never runs. They take precedence over the matchers. */
  readonly excludes?: readonly string[]
}
