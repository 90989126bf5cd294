/**
 * Collects the routes of an application with their middleware and proxy, and the security that each of these
 * requires.
 */

import { getPatternShape, parsePattern } from "../../../lib/pattern.ts"
import type { URLPatternConstructor } from "../../../lib/platform.ts"
import { compileProxyConfig, type PathTest } from "../../../lib/proxy-matchers.ts"
import type { RouteTree, TreeRoute } from "../../../lib/tree.ts"
import { type CommentText, listTexts, readComment } from "./comment.ts"
import type { AppDescription, Facts, SourceLocation, Warning } from "./model.ts"
import { type Requirement, type SecuritySchemes, securityForms } from "./security-schemes.ts"

/** Loads URLPattern. It is called only if a pattern needs it. */
type LoadURLPattern = () => Promise<URLPatternConstructor>

/** A route of the tree or of the main file. */
export interface RouteEntry {
  readonly route: Pick<TreeRoute, "method" | "pattern" | "rest"> & Partial<Pick<TreeRoute, "mcp">>
  readonly comment: CommentText
  readonly facts: Facts | null
  readonly middleware: readonly RouteLayer[]
  readonly at: SourceLocation
}

/** A middleware or proxy that runs before a route. */
export interface RouteLayer {
  /** `global` is middleware of the whole app. */
  readonly kind: "global" | "middleware" | "proxy"
  /** The requirements from the comment of the file, otherwise from the comment of its export. */
  readonly security: readonly string[]
  readonly facts: Facts | undefined
  readonly at: SourceLocation
}

/** Returns the routes of the tree and of the main file, each with its middleware and proxy. */
export async function collectEntries(
  tree: RouteTree,
  appFacts: AppDescription | null,
  loadURLPattern: LoadURLPattern,
): Promise<RouteEntry[]> {
  const isProxied = await createProxyTest(tree, loadURLPattern)
  const global = (appFacts?.global ?? []).map((facts) => createLayer("global", "main", [facts.comment], facts))
  const files = tree.middleware.map(({ file, comment }) => {
    const facts = appFacts?.middleware.get(file)
    return createLayer("middleware", file, [comment, facts?.comment], facts)
  })
  const proxy = (pattern: string): RouteLayer[] => {
    if (!tree.proxy || !isProxied(createSamplePath(pattern))) return []
    const { comment, file } = tree.proxy
    const answers = (appFacts?.proxy?.answers ?? []).filter(({ status }) => status !== null && status >= 400)
    const facts = appFacts?.proxy && { ...appFacts.proxy, answers }
    return [createLayer("proxy", file, [comment, facts?.comment], facts)]
  }
  const scanned = tree.routes.map((route): RouteEntry => {
    const facts = appFacts?.handlers.get(`${route.file}#${route.export}`) ?? null
    const layers = [...global, ...proxy(route.pattern), ...route.middleware.flatMap((index) => files[index] ?? [])]
    const comment = readComment(route.comment ?? facts?.comment)
    return { route, comment, facts, middleware: layers, at: route }
  })
  const registered = (appFacts?.registeredRoutes ?? []).map((route): RouteEntry => {
    const layers = [...global, ...proxy(route.pattern)]
    return {
      route,
      comment: readComment(route.comment),
      facts: route.facts,
      middleware: layers,
      at: route.at,
    }
  })
  return splitMethods([...scanned, ...registered], tree).map((entry) => {
    const hasNoBody = entry.route.method === "GET" || entry.route.method === "HEAD"
    return hasNoBody && entry.facts ? { ...entry, facts: removeBody(entry.facts) } : entry
  })
}

/**
 * Removes the body from the facts about a GET or HEAD, where a body has no meaning (RFC 9110 §9.3.1, §9.3.2). A
 * function for several methods may read a body for the others.
 */
function removeBody(facts: Facts): Facts {
  return {
    ...facts,
    bodies: facts.bodies.filter(({ kind }) => kind === "query"),
    reads: facts.reads.filter(({ from }) => from !== "field" && from !== "file"),
  }
}

/** Returns an example of a path that a pattern matches. */
export function createSamplePath(pattern: string): string {
  return pattern.replace(/\{[^{}]*\}|\*/g, "x")
}

/**
 * Returns the layer of a middleware or proxy file.
 *
 * @param comments the comments of the file and the export. The first one with requirements counts.
 */
function createLayer(
  kind: RouteLayer["kind"],
  file: string,
  comments: ReadonlyArray<string | undefined>,
  facts: Facts | undefined,
): RouteLayer {
  const lists = comments.map((one) => listTexts(readComment(one), "security"))
  return { kind, security: lists.find((list) => list.length > 0) ?? [], facts, at: { file, line: 1 } }
}

/**
 * Returns the security that a layer requires. Its comment overrides its type, because the developer has written the
 * comment for this place.
 */
export function readLayerSecurity(
  { security: texts, facts, at }: RouteLayer,
  security: SecuritySchemes,
  warn: (warning: Warning) => void,
): Requirement[][] {
  const declaredSecurity = texts.length > 0 ? [texts] : (facts?.security ?? [])
  return declaredSecurity
    .map((alternatives) => readSecurity(alternatives, at, security, warn))
    .filter((list) => list.length > 0)
}

/** Parses the texts of `@security`, which are alternatives. An unknown requirement is reported and left out. */
export function readSecurity(
  texts: readonly string[],
  { file, line }: SourceLocation,
  security: SecuritySchemes,
  warn: (warning: Warning) => void,
): Requirement[] {
  return texts.flatMap((text) => {
    const names = security.read(text)
    if (names !== null) return [names]
    const fix = `Write @security with one of: ${securityForms}. Write " & " between schemes that are needed together.`
    warn({ message: `"@security ${text}" is not a known kind of security`, fix, at: { file, line } })
    return []
  })
}

async function createProxyTest({ proxy }: RouteTree, loadURLPattern: LoadURLPattern): Promise<PathTest> {
  return proxy
    ? compileProxyConfig({ matchers: proxy.matchers, excludes: proxy.excludes }, loadURLPattern)
    : () => false
}

/**
 * The methods that the document lists for a handler for all methods. Clients do not use other methods unless they
 * know of them.
 */
const listedMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

interface Entry {
  readonly route: { readonly method: string; readonly pattern: string }
}

/**
 * Replaces each handler for all methods by one operation for each listed method, unless the pattern has another
 * handler for it.
 */
function splitMethods<T extends Entry>(entries: readonly T[], { pages }: RouteTree): T[] {
  const claims = [...pages.map(({ pattern }) => ({ method: "GET", pattern })), ...entries.map(({ route }) => route)]
  const takenClaims = new Set(claims.map(({ method, pattern }) => formatClaim(method, pattern)))
  return entries.flatMap((entry) => {
    const { route } = entry
    if (route.method !== "*") return [entry]
    const freeMethods = listedMethods.filter((method) => !takenClaims.has(formatClaim(method, route.pattern)))
    return freeMethods.map((method) => ({ ...entry, route: { ...route, method } }))
  })
}

function formatClaim(method: string, pattern: string): string {
  return `${method} ${getPatternShape(parsePattern(pattern))}`
}
