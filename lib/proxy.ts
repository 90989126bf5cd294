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
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw fault("proxy_config", "")
  const { matcher = [], matchers = [], excludes = [], ...unknown } = config
  for (const [key, list] of Object.entries({ matcher, matchers, excludes, ...unknown })) {
    if (key in unknown || !Array.isArray(list) || list.some((item) => typeof item !== "string"))
      throw fault("proxy_config", key)
  }
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

/** A test for the forms that `lib/pattern.ts` knows; null for any other pathname, which URLPattern is to read. */
function plainMatcher(text: string): PathTest | null {
  if (!text.startsWith("/")) throw fault("proxy_config.slash", text)
  const repeated = /^(.*\/):[A-Za-z_]\w*([*+])$/.exec(text)
  const plain = repeated ? `${repeated[1]}*` : text
  if (
    /[{}()?+\\]|\*.|[^/]\*|[^/]:|:[\w$-]+[^\w$\-/]/.test(
      plain.replace(/\/\{[A-Za-z_][\w-]*\}(?=\/|$)/g, "/p"),
    )
  )
    return null
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
    return (path) => ["", "/"].some((end) => pattern.test({ pathname: path.replace(/\/$/, "") + end }))
  } catch (cause) {
    throw Object.assign(fault("proxy_config.pattern", pathname), { cause })
  }
}
