/** Finds matchers and excludes of the proxy that match nothing. */
import { env } from "../../../adapters/disk/env.ts"
import { FwError } from "../../../lib/errors.ts"
import { encodeSegment } from "../../../lib/path.ts"
import { parsePattern, type Segment } from "../../../lib/pattern.ts"
import { compileProxyConfig, type PathTest } from "../../../lib/proxy-matchers.ts"
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { toPosition } from "../../../lib/scan/tokens.ts"
import type { TreeProxy } from "../../../lib/tree.ts"
import { createError, createWarning, type FilePosition, type Finding } from "./finding.ts"

/** A pattern in a ProxyConfig. */
interface Matcher {
  readonly text: string
  readonly test: PathTest
  /** True if the pattern needs URLPattern. Then only trying paths shows what it matches. */
  readonly usesURLPattern: boolean
}

/** The compiled patterns of a proxy. */
export interface ProxyMatchers {
  readonly matchers: readonly Matcher[]
  readonly excludes: readonly Matcher[]
  /** Findings about invalid patterns. */
  readonly findings: readonly Finding[]
}

/**
 * Compiles a pattern.
 *
 * @throws FwError `proxy_config` for an invalid pattern.
 */
export async function compileMatcher(text: string): Promise<Matcher> {
  const test = compileProxyConfig({ matchers: [text] }, () => env.loadURLPattern())
  return { text, test: await test, usesURLPattern: typeof test !== "function" }
}

/** Compiles the patterns of a proxy one by one, so that each invalid one is reported. */
export async function readMatchers(proxy: TreeProxy, module: ModuleText | null): Promise<ProxyMatchers> {
  const findings: Finding[] = []
  const compile = async (texts: readonly string[]) => {
    const compiled: Matcher[] = []
    for (const text of texts) {
      try {
        compiled.push(await compileMatcher(text))
      } catch (error) {
        if (!(error instanceof FwError)) throw error
        findings.push(createError(error.code, findMatcherPosition(proxy, module, text), error.message, error.fix))
      }
    }
    return compiled
  }
  return { matchers: await compile(proxy.matchers), excludes: await compile(proxy.excludes), findings }
}

/** Returns the position of a pattern in the file of the proxy. */
function findMatcherPosition({ file }: TreeProxy, module: ModuleText | null, text: string): FilePosition {
  const token = module?.tokens.find(
    (found) => (found.kind === "string" || found.kind === "template") && found.text.slice(1, -1) === text,
  )
  return module && token ? { file, ...toPosition(module.source, token.start) } : { file }
}

/**
 * Returns a warning for each pattern that matches no route, page or file.
 *
 * @param patterns the patterns of routes and pages.
 * @param paths the paths of static files.
 */
export function findUselessMatchers(
  proxy: TreeProxy,
  { matchers, excludes }: ProxyMatchers,
  module: ModuleText | null,
  { patterns, paths }: { patterns: readonly string[]; paths: readonly string[] },
): Finding[] {
  const targets = patterns.map((pattern) => parsePattern(pattern).segments)
  const hasNames = targets.some((segments) => segments.some(({ kind }) => kind !== "static"))
  const findings: Finding[] = []
  const matchesAny = (texts: readonly string[], test: PathTest) => {
    return paths.some(test) || targets.some((segments) => toExamplePaths(segments, texts).some(test))
  }
  for (const { text, test, usesURLPattern } of matchers) {
    // A regular expression may match values that cannot be guessed.
    if ((usesURLPattern && hasNames) || matchesAny([text], test) || isAnsweredByProxy(text, module)) continue
    const message = `the matcher ${JSON.stringify(text)} covers no route, no page and no static file`
    const fix = "Fix its spelling. If the proxy answers these paths itself, keep it."
    findings.push(createWarning("matcher", findMatcherPosition(proxy, module, text), message, fix))
  }
  const covers: PathTest = (path) => matchers.length === 0 || matchers.some(({ test }) => test(path))
  const hasURLPattern = [...matchers, ...excludes].some(({ usesURLPattern }) => usesURLPattern) && hasNames
  for (const { text, test } of excludes) {
    const texts = [text, ...matchers.map((matcher) => matcher.text)]
    if (hasURLPattern || matchesAny(texts, (path) => test(path) && covers(path))) continue
    const message = `the exclude ${JSON.stringify(text)} excludes no path that the matchers cover`
    findings.push(
      createWarning("matcher", findMatcherPosition(proxy, module, text), message, "Fix its spelling, or remove it."),
    )
  }
  return findings
}

/**
 * Returns true if the code of the proxy contains the path. Then it probably answers there itself, for example with
 * a redirect.
 */
function isAnsweredByProxy(text: string, module: ModuleText | null): boolean {
  const prefix = /^(?:\/[\w.~%-]+)+/.exec(text)?.[0]
  if (prefix === undefined || !module) return false
  return module.tokens.some(({ kind, text: token }) => {
    const value = token.slice(1, -1)
    const isText = kind === "string" || kind === "template"
    return isText && value !== text && (value === prefix || value.startsWith(`${prefix}/`))
  })
}

/**
 * Returns examples of a route's paths. Its parameters are replaced by arbitrary values and by those in the texts.
 */
export function toExamplePaths(segments: readonly Segment[], texts: readonly string[]): string[] {
  const sources = [[], ...texts.map((text) => [text]), texts].map((some) =>
    some.map((text) => text.split("/").slice(1)),
  )
  return sources.map((parts) => toPath(segments, parts))
}

function toPath(segments: readonly Segment[], sources: ReadonlyArray<readonly string[]>): string {
  const chooseExampleValue = (at: number) => {
    const found = sources.map((parts) => parts[at]).find((part) => part !== undefined && /^[\w.~%-]+$/.test(part))
    return found ?? "x"
  }
  const partCount = Math.max(segments.length, ...sources.map((parts) => parts.length))
  const parts = segments.flatMap((segment, at) => {
    if (segment.kind === "static") return [encodeSegment(segment.value)]
    if (segment.kind === "param") return [chooseExampleValue(at)]
    return Array.from({ length: partCount - at }, (_, offset) => chooseExampleValue(at + offset))
  })
  return `/${parts.join("/")}`
}
