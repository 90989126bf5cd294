/** Makes a test for paths from the matchers of a proxy. It needs no platform, so that tools can use it too. */
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
 * Compiles the configuration of a proxy to a test.
 *
 * @param loadURLPattern loads URLPattern, for matchers that `lib/pattern.ts` does not support.
 * @throws FwError `proxy_config` for an unknown key, for a value that is not a list of strings, and for an invalid
 * pattern.
 */
export function compileProxyConfig(
  config: ProxyConfig,
  loadURLPattern: () => Promise<URLPatternConstructor>,
): PathTest | Promise<PathTest> {
  checkOptions(config, optionRules, "proxy_config", "ProxyConfig")
  const { matcher = [], matchers = [], excludes = [] } = config
  const includes = [...matcher, ...matchers]
  const compile = (URLPattern?: URLPatternConstructor): PathTest => {
    const compileTests = (texts: readonly string[]) =>
      texts.map((text) => createPlainMatcher(text) ?? compileURLPattern(text, URLPattern as URLPatternConstructor))
    const includeTests = compileTests(includes)
    const excludeTests = compileTests(excludes)
    return (path) =>
      (includeTests.length === 0 || includeTests.some((test) => test(path))) && !excludeTests.some((test) => test(path))
  }
  return [...includes, ...excludes].every(createPlainMatcher) ? compile() : loadURLPattern().then(compile)
}

/** One segment of a matcher. */
interface MatcherStep {
  /** The segment in canonical spelling; null for any segment. */
  readonly value: string | null
  /** `*` matches any number of segments, `+` at least one, `""` exactly one. */
  readonly repeat: "" | "*" | "+"
}

/**
 * Returns a test for a matcher that `lib/pattern.ts` supports, or that has repeated parameters. Returns null for any
 * other matcher, which needs URLPattern.
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
    // `*` and `:name*` match the prefix without further segments too. `:name+` needs at least one more.
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
 * Returns true if a path matches the steps. All possibilities are followed at the same time: with two repeated
 * segments, a regular expression would take quadratic time.
 */
function matchesSteps(steps: readonly MatcherStep[], path: string): boolean {
  const end = path.endsWith("/") ? path.length - 1 : path.length
  // For each position between the steps: 1 if the segments read so far can end there. The two arrays are used again for
  // every segment, because a long path has many.
  let reachedPositions = new Uint8Array(steps.length + 1)
  let nextPositions = new Uint8Array(steps.length + 1)
  reachedPositions[0] = 1
  skipAhead(steps, reachedPositions)
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf("/", start)
    const stop = slash < 0 || slash > end ? end : slash
    if (stop === start || !reachedPositions.includes(1)) return false
    const part = path.slice(start, stop)
    nextPositions.fill(0)
    for (const [at, { value, repeat }] of steps.entries()) {
      if (reachedPositions[at] === 0 || (value !== null && value !== part)) continue
      nextPositions[at + 1] = 1
      if (repeat !== "") nextPositions[at] = 1
    }
    skipAhead(steps, nextPositions)
    ;[reachedPositions, nextPositions] = [nextPositions, reachedPositions]
    start = stop + 1
  }
  return reachedPositions[steps.length] === 1
}

/** Adds the positions that are reached by skipping steps with `*`. */
function skipAhead(steps: readonly MatcherStep[], positions: Uint8Array): void {
  for (const [at, { repeat }] of steps.entries()) if (positions[at] === 1 && repeat === "*") positions[at + 1] = 1
}

function compileURLPattern(pathname: string, URLPattern: URLPatternConstructor): PathTest {
  try {
    const pattern = new URLPattern({ pathname })
    // A trailing slash makes no difference, neither in the matcher nor in the path.
    return (path) => ["", "/"].some((end) => pattern.test({ pathname: path.replace(/\/$/, "") + end }))
  } catch (cause) {
    throw fault("proxy_config.pattern", [pathname], { cause })
  }
}
