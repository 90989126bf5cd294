/** Finds the guards of routes: the security requirements of each handler, its middleware and the proxy. */
import type { URLPatternConstructor } from "../../../lib/platform.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { listTexts } from "./comment.ts"
import { collectEntries, type RouteEntry, type RouteLayer, readLayerSecurity, readSecurity } from "./entries.ts"
import type { AppDescription, SourceLocation } from "./model.ts"
import { combineLayers, type Requirement, SecuritySchemes } from "./security-schemes.ts"

/** A route and the state of its guards. */
export interface RouteGuards {
  readonly method: string
  readonly pattern: string
  readonly at: SourceLocation
  /** The files of its middleware. */
  readonly middleware: readonly string[]
  /**
   * `open`: `@security none` declares that everyone may call the route. `none`: nothing guards it. `optional`: its
   * guards also accept requests without credentials. `proxy`: only the proxy guards it.
   */
  readonly state: "open" | "none" | "optional" | "proxy" | "guarded"
  /** True if one of the accepted credentials is a cookie. */
  readonly acceptsCookie: boolean
}

/**
 * Returns the guards of every route of the tree and the main file, except pages.
 *
 * @param appFacts the facts from the types; null if the types could not be read, so that only comments count.
 */
export async function findGuards(
  tree: RouteTree,
  appFacts: AppDescription | null,
  loadURLPattern: () => Promise<URLPatternConstructor>,
): Promise<RouteGuards[]> {
  const security = new SecuritySchemes()
  const entries = await collectEntries(tree, appFacts, loadURLPattern)
  return entries.map((entry) => {
    const all = listRequirements(entry, security, () => true)
    const ways = combineLayers(all)
    const cookies = new Set(
      Object.entries(security.schemes).flatMap(([name, scheme]) => (scheme.in === "cookie" ? [name] : [])),
    )
    return {
      method: entry.route.method,
      pattern: entry.route.pattern,
      at: { file: entry.at.file, line: entry.at.line },
      middleware: entry.middleware.flatMap(({ kind, at }) => (kind === "middleware" ? [at.file] : [])),
      state: findState(entry, all, security),
      acceptsCookie: ways.some((way) => way.some((name) => cookies.has(name))),
    }
  })
}

/** Returns the requirements of the handler and of each layer. Layers without requirements are left out. */
function listRequirements(
  { comment, facts, middleware, at }: RouteEntry,
  security: SecuritySchemes,
  includesLayer: (layer: RouteLayer) => boolean,
): Requirement[][] {
  const layers = middleware.filter(includesLayer).flatMap((layer) => readLayerSecurity(layer, security, ignoreWarning))
  const own = readSecurity(listTexts(comment, "security"), at, security, ignoreWarning)
  const types = (facts?.security ?? []).map((texts) => readSecurity(texts, at, security, ignoreWarning))
  return [...layers, own, ...types].filter((ways) => ways.length > 0 && !requiresNothing(ways))
}

function findState(entry: RouteEntry, all: readonly Requirement[][], security: SecuritySchemes): RouteGuards["state"] {
  if (isDeclaredOpen(entry.comment, entry, security)) return "open"
  if (all.length === 0) {
    const declared = entry.middleware.flatMap((layer) => readLayerSecurity(layer, security, ignoreWarning))
    return declared.some(requiresNothing) ? "open" : "none"
  }
  if (!isGuarded(all)) return "optional"
  const inner = listRequirements(entry, security, ({ kind }) => kind !== "proxy")
  return inner.length > 0 && isGuarded(inner) ? "guarded" : "proxy"
}

function isDeclaredOpen(comment: RouteEntry["comment"], { at }: RouteEntry, security: SecuritySchemes): boolean {
  return requiresNothing(readSecurity(listTexts(comment, "security"), at, security, ignoreWarning))
}

/** Returns true if at least one layer refuses all requests without credentials. */
function isGuarded(all: readonly Requirement[][]): boolean {
  return all.some((ways) => ways.every((way) => way.length > 0))
}

/** Returns true for `@security none`. */
function requiresNothing(ways: readonly Requirement[]): boolean {
  return ways.length === 1 && ways[0]?.length === 0
}

/** Ignores warnings, because the document already reports them. */
function ignoreWarning(): void {}
