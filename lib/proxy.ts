/** The proxy's actions and its matchers. Used by the app before it matches a route. */
import { fault } from "./fault.ts"
import { canonicalPath, segmentsOf, splitTarget } from "./path.ts"
import { mismatch, parsePattern } from "./pattern.ts"
import type { URLPatternConstructor } from "./platform.ts"

/** What a proxy decided. Made by the members of {@link proxy} and by nothing else. */
export type ProxyResult =
  | { readonly action: "continue" }
  | { readonly action: "redirect"; readonly url: string; readonly status: number }
  | { readonly action: "rewrite"; readonly path: string; readonly search: string | null }
  | { readonly action: "respond"; readonly status: number; readonly data: unknown }

const results = new WeakSet<object>()

function made(result: ProxyResult): ProxyResult {
  results.add(result)
  return result
}

const passed = made({ action: "continue" })

/** Whether a value came from one of the actions. */
export function isProxyResult(value: unknown): value is ProxyResult {
  return typeof value === "object" && value !== null && results.has(value)
}

/** The four things that a proxy can decide. */
export const proxy = {
  /** Goes on with normal routing. */
  continue(): ProxyResult {
    return passed
  },
  /** Redirects to another URL. 301, 302, 303, 307 or 308; default 302. */
  redirect(url: string, status = 302): ProxyResult {
    return made({ action: "redirect", url, status })
  },
  /**
   * Routes as if another path had been asked for; its query, if it has one, replaces the request's.
   *
   * @throws HttpError 400 for a path with malformed percent-encoding.
   */
  rewrite(path: string): ProxyResult {
    if (!path.startsWith("/")) throw fault("rewrite", path)
    const target = splitTarget(path)
    return made({ action: "rewrite", path: canonicalPath(target.path), search: target.search || null })
  },
  /** Answers at once, with JSON. */
  responseJSON(status: number, data: unknown): ProxyResult {
    return made({ action: "respond", status, data })
  },
} as const

/** Which paths run through the proxy. */
export interface ProxyConfig {
  /** The name for a file's `ProxyConfig`. Patterns like `/api/:path*`. */
  readonly matcher?: readonly string[]
  /** The name for `setProxy`. Patterns like `/api/*`. Both are read. */
  readonly matchers?: readonly string[]
  /** Paths that never do. They win over matchers. */
  readonly excludes?: readonly string[]
}

/** Whether a canonical path is meant. */
export type PathTest = (path: string) => boolean

/**
 * Reads a ProxyConfig into one test.
 *
 * @param urlPattern gives URLPattern for the pathnames that `lib/pattern.ts` has no form for.
 * @throws FwError `proxy_config` for an unknown key, a value that is no list of strings, or a pattern that cannot be read.
 */
export function compileProxyConfig(
  config: ProxyConfig,
  urlPattern: () => Promise<URLPatternConstructor>,
): PathTest | Promise<PathTest> {
  if (typeof config !== "object" || config === null || Array.isArray(config))
    throw fault("proxy_config.object")
  for (const key of Object.keys(config)) {
    if (!["matcher", "matchers", "excludes"].includes(key)) throw fault("proxy_config.unknown", key)
  }
  const matchers = [...list(config, "matcher"), ...list(config, "matchers")].map(compileMatcher)
  const excludes = list(config, "excludes").map(compileMatcher)
  const all = matchers.length === 0
  const test = (include: readonly PathTest[], exclude: readonly PathTest[]): PathTest => {
    return (path) => (all || include.some((t) => t(path))) && !exclude.some((t) => t(path))
  }
  const plain = (compiled: PathTest | { pathname: string }): compiled is PathTest =>
    typeof compiled === "function"
  if (matchers.every(plain) && excludes.every(plain)) return test(matchers, excludes)
  return urlPattern().then((URLPattern) => {
    const build = (compiled: PathTest | { pathname: string }) =>
      plain(compiled) ? compiled : compileURLPattern(compiled.pathname, URLPattern)
    return test(matchers.map(build), excludes.map(build))
  })
}

function list(config: ProxyConfig, key: keyof ProxyConfig): readonly string[] {
  const value: unknown = config[key]
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value
  throw fault("proxy_config.list", key)
}

/** A test for the forms that `lib/pattern.ts` knows; for any other, the pathname that URLPattern is to read. */
function compileMatcher(text: string): PathTest | { pathname: string } {
  if (!text.startsWith("/")) throw fault("proxy_config.slash", text)
  const repeated = /^(.*\/):[A-Za-z_]\w*([*+])$/.exec(text)
  const plain = repeated ? `${repeated[1]}*` : text
  if (
    /[{}()?+\\]|\*.|[^/]\*|[^/]:|:[\w$-]+[^\w$\-/]/.test(
      plain.replace(/\/\{[A-Za-z_][\w-]*\}(?=\/|$)/g, "/p"),
    )
  )
    return { pathname: text }
  const { segments } = parsePattern(plain)
  // `*` and `:name*` cover the bare prefix too; `:name+` asks for a segment.
  const least =
    repeated?.[2] === "+" ? segments.length : segments.filter(({ kind }) => kind !== "rest").length
  return (path) => {
    const parts = segmentsOf(path)
    return parts !== null && parts.length >= least && mismatch(segments, parts) < 0
  }
}

function compileURLPattern(pathname: string, URLPattern: URLPatternConstructor): PathTest {
  try {
    const pattern = new URLPattern({ pathname })
    // A trailing slash changes nothing, on either side.
    return (path) => {
      const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
      return pattern.test({ pathname: bare }) || (bare !== "/" && pattern.test({ pathname: `${bare}/` }))
    }
  } catch (cause) {
    throw Object.assign(fault("proxy_config.pattern", pathname), { cause })
  }
}
