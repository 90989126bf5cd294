/** The proxy's actions and its matchers. Used by the app before it matches a route. */
import { type Accepted, checkOptions } from "./checks.ts"
import { access, type Context } from "./context.ts"
import { fault } from "./fault.ts"
import { canonicalPath, encodeSegment, splitTarget } from "./path.ts"
import { parsePattern } from "./pattern.ts"
import type { Answer } from "./pipeline.ts"
import type { URLPatternConstructor } from "./platform.ts"

/** What a proxy decided. Made by the members of {@link proxy} and by nothing else. */
export type ProxyResult =
  | { readonly action: "continue" }
  | { readonly action: "redirect"; readonly url: string; readonly status: number }
  | { readonly action: "rewrite"; readonly path: string; readonly search: string | null }
  | { readonly action: "respond"; readonly status: number; readonly data: unknown }

/** What a result does: answers, or goes on to the routes. */
type Deed = (c: Context, route: (c: Context) => Answer) => Answer

const deeds = new WeakMap<object, Deed>()

function made(result: ProxyResult, deed: Deed): ProxyResult {
  deeds.set(result, deed)
  return result
}

/** What a value does that came from one of the actions; undefined for any other. */
export function deedOf(value: unknown): Deed | undefined {
  return deeds.get(value as object)
}

const passed = /* @__PURE__ */ made({ action: "continue" }, (c, route) => route(c))

/** The four things that a proxy can decide. */
export const proxy = {
  /** Goes on with normal routing. */
  continue(): ProxyResult {
    return passed
  },
  /** Redirects to another URL. 301, 302, 303, 307 or 308; default 302. */
  redirect(url: string, status = 302): ProxyResult {
    return made({ action: "redirect", url, status }, (c) => c.redirect(status, url))
  },
  /**
   * Routes as if another path had been asked for; its query, if it has one, replaces the request's.
   *
   * @throws HttpError 400 for a path with malformed percent-encoding.
   */
  rewrite(path: string): ProxyResult {
    if (!path.startsWith("/")) throw fault("rewrite", path)
    const target = splitTarget(path)
    const canonical = canonicalPath(target.path)
    const search = target.search || null
    return made({ action: "rewrite", path: canonical, search }, (c, route) => {
      access.rewrite(c, canonical, search ?? c.search)
      return route(c)
    })
  },
  /** Answers at once, with JSON. */
  responseJSON(status: number, data: unknown): ProxyResult {
    return made({ action: "respond", status, data }, (c) => c.json(status, data))
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

const accepted: Accepted = { matcher: isTexts, matchers: isTexts, excludes: isTexts }

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
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

/** A test for the forms that `lib/pattern.ts` knows; null for any other pathname, which URLPattern is to read. */
function plainMatcher(text: string): PathTest | null {
  if (!text.startsWith("/")) throw fault("proxy_config.slash", text)
  let many = "*"
  const plain = text.replace(/\/:[A-Za-z_]\w*([*+])$/, (_, sign: string) => {
    many = sign
    return "/*"
  })
  if (!/^(?:\/(?:[^/{}()?+*\\:]*|:[\w$-]+|\{[A-Za-z_][\w-]*\}))*(?:\/\*)?$/.test(plain)) return null
  const source = parsePattern(plain).segments.map((segment) => {
    if (segment.kind === "static") return `/${encodeSegment(segment.value).replace(/\W/g, "\\$&")}`
    // `*` and `:name*` cover the bare prefix too; `:name+` asks for a segment.
    return segment.kind === "param" ? "/[^/]+" : `(?:/[^/]+)${many}`
  })
  const test = new RegExp(`^${source.join("")}/?$`)
  return (path) => test.test(path)
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
