/** The proxy's actions and its matchers. */
import { platform } from "#platform"
import { type Accepted, checkOptions } from "./checks.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { wrongResult } from "./dev-bugs.ts"
import { fault, misuse } from "./fault.ts"
import { canonicalPath, encodeSegment, splitTarget } from "./path.ts"
import { parsePattern } from "./pattern.ts"
import type { ResponseOrPromise } from "./pipeline.ts"
import type { URLPatternConstructor } from "./platform.ts"
import type { ProxyFunc } from "./types.ts"

declare const FW_DEV_ERRORS: boolean

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

/** A configured proxy. */
export interface ProxySetup {
  readonly run: ProxyFunc
  /**
   * Matches the paths that it handles. Requests wait until they are known; if that fails, every request gets
   * a 500.
   */
  test: PathTest | Promise<PathTest>
  /** Returns the function for a decision. @throws TypeError for any other value. */
  actOf(result: unknown): Act
}

/** Carries out a decision: returns its response, or continues with the routes. */
export type Act = (c: Context, route: (c: Context) => ResponseOrPromise) => ResponseOrPromise

/** Each decision has its own function, so that a bundle leaves out those that its program does not use. */
const acts = new WeakMap<object, Act>()

function decide(result: ProxyResult, act: Act): ProxyResult {
  acts.set(result, act)
  return result
}

/** Configures a proxy. @throws FwError `proxy_config` for an invalid configuration. */
export function makeProxy(run: ProxyFunc, config: ProxyConfig): ProxySetup {
  const test = compileProxyConfig(config, () => platform.env.urlPattern())
  // listen(), mount() and every request report the rejection, so it is not unhandled.
  if (test instanceof Promise) test.catch(() => {})
  return { run, test, actOf: (result) => actOf(result, run) }
}

function actOf(result: unknown, run: ProxyFunc): Act {
  const act = acts.get(result as object)
  if (act) return act
  const error = misuse("proxy.result")
  throw typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS ? wrongResult(error, run) : error
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
    return decide({ action: "continue" }, (c, route) => route(c))
  },
  /**
   * Redirects to another URL.
   *
   * @param url a text that is not empty, or a URL object, with the same checks as for `c.redirect()`.
   * @param status 301, 302, 303, 307 or 308. Default: 302.
   */
  redirect(url: string | URL, status = 302): ProxyResult {
    return decide({ action: "redirect", url, status }, (c) => c.redirect(status, url as string))
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
    return decide({ action: "rewrite", path: canonical, search }, (c, route) => {
      access.rewrite(c, canonical, search ?? c.search)
      return route(c)
    })
  },
  /** Responds with JSON. The status comes first, as for `c.json()`. */
  responseJSON(status: number, data: unknown): ProxyResult {
    return decide({ action: "respond", status, data }, (c) => c.json(status, data))
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

const accepted: Accepted = { matcher: isTexts, matchers: isTexts, excludes: isTexts }

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}

/** Returns true if a canonical path matches. */
export type PathTest = (path: string) => boolean

/**
 * Compiles a ProxyConfig into one test.
 *
 * @param urlPattern returns URLPattern for pathnames that `lib/pattern.ts` does not support.
 * @throws FwError `proxy_config` for an unknown key, a value that is not a list of strings, or an invalid
 * pattern.
 */
export function compileProxyConfig(
  config: ProxyConfig,
  urlPattern: () => Promise<URLPatternConstructor>,
): PathTest | Promise<PathTest> {
  checkOptions("proxy_config", config, accepted)
  const { matcher = [], matchers = [], excludes = [] } = config
  const includes = [...matcher, ...matchers]
  const compile = (URLPattern?: URLPatternConstructor): PathTest => {
    const tests = (texts: readonly string[]) =>
      texts.map((text) => plainMatcher(text) ?? compileURLPattern(text, URLPattern as URLPatternConstructor))
    const include = tests(includes)
    const exclude = tests(excludes)
    return (path) =>
      (include.length === 0 || include.some((test) => test(path))) && !exclude.some((test) => test(path))
  }
  return [...includes, ...excludes].every(plainMatcher) ? compile() : urlPattern().then(compile)
}

/** One segment of a matcher. */
interface Step {
  /** In canonical spelling; null for any segment. */
  readonly value: string | null
  /** `*` and `+` match several segments, and `*` also none. */
  readonly repeat: "" | "*" | "+"
}

/**
 * Returns a test for the forms that `lib/pattern.ts` supports, and for repeated parameters; null for any
 * other pathname, which needs URLPattern.
 */
export function plainMatcher(text: string): PathTest | null {
  if (!text.startsWith("/")) throw fault("proxy_config.slash", [text])
  const repeats = text
    .split("/")
    .map((part) => /^:[A-Za-z_]\w*([*+])$/.exec(part)?.[1] ?? "") as Step["repeat"][]
  const plain = text.replace(/(\/:[A-Za-z_]\w*)[*+](?=\/|$)/g, "$1")
  if (!/^(?:\/(?:[^/{}()?+*\\:]*|:[\w$-]+|\{[A-Za-z_][\w-]*\}))*(?:\/\*)?$/.test(plain)) return null
  const steps = parsePattern(plain).segments.map((segment, index): Step => {
    if (segment.kind === "static") return { value: encodeSegment(segment.value), repeat: "" }
    // `*` and `:name*` also match the prefix itself; `:name+` needs a segment.
    return { value: null, repeat: segment.kind === "rest" ? "*" : (repeats[index + 1] ?? "") }
  })
  if (steps.filter(({ repeat }) => repeat !== "").length > 1) return (path) => covers(steps, path)
  const source = steps.map(({ value, repeat }) =>
    value === null ? `(?:/[^/]+)${repeat}` : `/${value.replace(/\W/g, "\\$&")}`,
  )
  const test = new RegExp(`^${source.join("")}/?$`)
  return (path) => test.test(path)
}

/**
 * Returns true if a path matches the steps, following all possibilities at once. With two repeated segments,
 * a regular expression would take quadratic time.
 */
function covers(steps: readonly Step[], path: string): boolean {
  const end = path.endsWith("/") ? path.length - 1 : path.length
  // Positions between the steps, 1 if a path can be there. Two arrays are used for the whole path, because a
  // long path has many segments.
  let reached = new Uint8Array(steps.length + 1)
  let next = new Uint8Array(steps.length + 1)
  reached[0] = 1
  skipAhead(steps, reached)
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf("/", start)
    const stop = slash < 0 || slash > end ? end : slash
    if (stop === start || !reached.includes(1)) return false
    const part = path.slice(start, stop)
    next.fill(0)
    for (const [at, { value, repeat }] of steps.entries()) {
      if (reached[at] === 0 || (value !== null && value !== part)) continue
      next[at + 1] = 1
      if (repeat !== "") next[at] = 1
    }
    skipAhead(steps, next)
    ;[reached, next] = [next, reached]
    start = stop + 1
  }
  return reached[steps.length] === 1
}

/** Adds the positions after steps that may be skipped. */
function skipAhead(steps: readonly Step[], places: Uint8Array): void {
  for (const [at, { repeat }] of steps.entries()) if (places[at] === 1 && repeat === "*") places[at + 1] = 1
}

function compileURLPattern(pathname: string, URLPattern: URLPatternConstructor): PathTest {
  try {
    const pattern = new URLPattern({ pathname })
    // A trailing slash makes no difference, on either side.
    return (path) => ["", "/"].some((end) => pattern.test({ pathname: path.replace(/\/$/, "") + end }))
  } catch (cause) {
    throw fault("proxy_config.pattern", [pathname], { cause })
  }
}
