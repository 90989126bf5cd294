/** The paths for which a proxy runs, as a test made of its matchers. Needs no platform, so that tools can use it. */
import { checkOptions, type OptionRules } from "./checks.ts"
import { fault } from "./errors/fault.ts"
import { encodeSegment } from "./path.ts"
import { parsePattern } from "./pattern.ts"
import type { URLPatternConstructor } from "./platform.ts"
import type { ProxyConfig } from "./proxy.ts"
import { isTextList } from "./text.ts"

const optionRules: OptionRules = { matchers: isTextList, matcher: isTextList, excludes: isTextList }

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
  checkOptions(config, optionRules, "proxy_config", "ProxyConfig")
  const { matcher = [], matchers = [], excludes = [] } = config
  const includes = [...matcher, ...matchers]
  const compile = (URLPattern?: URLPatternConstructor): PathTest => {
    const tests = (texts: readonly string[]) =>
      texts.map((text) => createPlainMatcher(text) ?? compileURLPattern(text, URLPattern as URLPatternConstructor))
    const include = tests(includes)
    const exclude = tests(excludes)
    return (path) => (include.length === 0 || include.some((test) => test(path))) && !exclude.some((test) => test(path))
  }
  return [...includes, ...excludes].every(createPlainMatcher) ? compile() : urlPattern().then(compile)
}

/** One segment of a matcher. */
interface MatcherStep {
  /** In canonical spelling; null for any segment. */
  readonly value: string | null
  /** `*` and `+` match several segments, and `*` also none. */
  readonly repeat: "" | "*" | "+"
}

/**
 * Returns a test for the forms that `lib/pattern.ts` supports, and for repeated parameters; null for any
 * other pathname, which needs URLPattern.
 */
export function createPlainMatcher(text: string): PathTest | null {
  if (!text.startsWith("/")) throw fault("proxy_config.slash", [text])
  const repeats = text
    .split("/")
    .map((part) => /^:[A-Za-z_]\w*([*+])$/.exec(part)?.[1] ?? "") as MatcherStep["repeat"][]
  const plain = text.replace(/(\/:[A-Za-z_]\w*)[*+](?=\/|$)/g, "$1")
  if (!/^(?:\/(?:[^/{}()?+*\\:]*|:[\w$-]+|\{[A-Za-z_][\w-]*\}))*(?:\/\*)?$/.test(plain)) return null
  const steps = parsePattern(plain).segments.map((segment, index): MatcherStep => {
    if (segment.kind === "static") return { value: encodeSegment(segment.value), repeat: "" }
    // `*` and `:name*` also match the prefix itself; `:name+` needs a segment.
    return { value: null, repeat: segment.kind === "rest" ? "*" : (repeats[index + 1] ?? "") }
  })
  if (steps.filter(({ repeat }) => repeat !== "").length > 1) return (path) => matchesSteps(steps, path)
  const source = steps.map(({ value, repeat }) =>
    value === null ? `(?:/[^/]+)${repeat}` : `/${value.replace(/\W/g, "\\$&")}`,
  )
  const test = new RegExp(`^${source.join("")}/?$`)
  return (path) => test.test(path)
}

/**
 * Returns true if a path matches the steps, and follows all possibilities at once. With two repeated segments, a
 * regular expression would take quadratic time.
 */
function matchesSteps(steps: readonly MatcherStep[], path: string): boolean {
  const end = path.endsWith("/") ? path.length - 1 : path.length
  // Positions between the steps: 1 if a path can be at that position. Two arrays are used for the whole path, because a
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
function skipAhead(steps: readonly MatcherStep[], positions: Uint8Array): void {
  for (const [at, { repeat }] of steps.entries()) if (positions[at] === 1 && repeat === "*") positions[at + 1] = 1
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
