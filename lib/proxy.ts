/** The proxy's actions. */
import { platform } from "#platform"
import { reportWrongResult } from "./chain.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { fault, misuse } from "./errors/fault.ts"
import type { HttpError } from "./errors.ts"
import { canonicalPath, splitTarget } from "./path.ts"
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
 * Handles a request before routing.
 *
 * @example
 * const maintenance: ProxyFunc = () => proxy.responseJSON(503, { error: "back at noon" })
 * app.setProxy(maintenance)
 * const answer = await app.request("/")
 * await answer.json() // → { error: "back at noon" }
 */
export type ProxyFunc = (c: Context) => ProxyResult | HttpError | Promise<ProxyResult | HttpError>

/** A configured proxy. */
export interface ProxySetup {
  readonly run: ProxyFunc
  /**
   * Matches the paths that it handles. Requests wait until the matchers are known; if that fails, every request gets a
   * 500.
   */
  test: PathTest | Promise<PathTest>
  /** Returns the function for a decision. @throws TypeError for any other value. */
  findAct(result: unknown): ProxyAct
}

/** Carries out a decision: returns its response, or continues with the routes. */
export type ProxyAct = (c: Context, route: (c: Context) => ResponseOrPromise) => ResponseOrPromise

/** Each decision has its own function, so that a bundle leaves out those that its program does not use. */
const actsByResult = new WeakMap<object, ProxyAct>()

function registerResult(result: ProxyResult, act: ProxyAct): ProxyResult {
  actsByResult.set(result, act)
  return result
}

/** Configures a proxy. @throws FwError `proxy_config` for an invalid configuration. */
export function createProxySetup(run: ProxyFunc, config: ProxyConfig = {}): ProxySetup {
  const test = compileProxyConfig(config, () => platform.env.urlPattern())
  // listen(), mount() and every request report the rejection, so it is not unhandled.
  if (test instanceof Promise) test.catch(() => {})
  return { run, test, findAct: (result) => getAct(result, run) }
}

function getAct(result: unknown, run: ProxyFunc): ProxyAct {
  const act = actsByResult.get(result as object)
  if (act) return act
  throw reportWrongResult(misuse("proxy.result"), run)
}

/**
 * The four possible decisions of a proxy.
 *
 * @example
 * app.setProxy((c) => (c.path === "/old" ? proxy.rewrite("/new") : proxy.continue()))
 * app.get("/new", (c) => c.string(200, "moved"))
 * const answer = await app.request("/old")
 * await answer.text() // → "moved"
 */
export const proxy = {
  /** Continues with normal routing. */
  continue(): ProxyResult {
    return registerResult({ action: "continue" }, (c, route) => route(c))
  },
  /**
   * Redirects to another URL.
   *
   * @param url a text that is not blank, or a URL object, with the same checks as for `c.redirect()`.
   * @param status 301, 302, 303, 307 or 308. Default: 302.
   */
  redirect(url: string | URL, status = 302): ProxyResult {
    return registerResult({ action: "redirect", url, status }, (c) => {
      if (!redirectStatuses.includes(status)) throw misuse("redirect.status", status, 'proxy.redirect("/path", 303)')
      return c.redirect(status, url as string)
    })
  },
  /**
   * Routes as if another path had been requested; its query, if it has one, replaces the request's.
   *
   * @throws FwError `rewrite` for a path that does not start with a slash, HttpError 400 for one with
   * malformed percent-encoding.
   */
  rewrite(path: string): ProxyResult {
    if (typeof path !== "string" || path[0] !== "/") throw fault("rewrite", [path])
    const target = splitTarget(path)
    const canonical = canonicalPath(target.path)
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
 * The paths for which the proxy runs.
 *
 * @example
 * const config: ProxyConfig = { matchers: ["/api/*"], excludes: ["/api/health"] }
 * app.setProxy((c) => (c.header("X-API-Key") ? proxy.continue() : unauthorized("missing API key")), config)
 * const answer = await app.request("/api/users")
 * answer.status // → 401
 */
export interface ProxyConfig {
  /** The name in a file's `ProxyConfig`. Patterns such as `/api/:path*`. */
  readonly matcher?: readonly string[]
  /** The name in `setProxy`. Patterns such as `/api/*`. Both names are read. */
  readonly matchers?: readonly string[]
  /** Paths for which it never runs. They override matchers. */
  readonly excludes?: readonly string[]
}
