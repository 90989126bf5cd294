/** The guards of the routes of an application: the requirements of each handler, its middleware and the proxy. */
import type { URLPatternConstructor } from "../platform.ts"
import type { RouteTree } from "../tree.ts"
import { textsOf } from "./comment.ts"
import { type Entry, entriesOf, type Layer, layerSecurity, readSecurity } from "./entries.ts"
import type { Description, Place } from "./model.ts"
import { combine, type Requirement, Security } from "./security.ts"

/** A route, and what guards it. */
export interface RouteGuards {
  readonly method: string
  readonly pattern: string
  readonly at: Place
  /** Files of the middleware around it. */
  readonly middleware: readonly string[]
  /**
   * `open`: `@security none` says that everyone may call it. `optional`: a guard also lets requests without credentials
   * pass. `proxy`: nothing but the proxy guards it.
   */
  readonly state: "open" | "none" | "optional" | "proxy" | "guarded"
  /** True if a cookie is among the accepted credentials. */
  readonly acceptsCookie: boolean
}

/**
 * Returns the guards of every route of the tree and of `main.ts`, except pages.
 *
 * @param known null without types: then only comments count.
 */
export async function guardsOf(
  tree: RouteTree,
  known: Description | null,
  urlPattern: () => Promise<URLPatternConstructor>,
): Promise<RouteGuards[]> {
  const security = new Security()
  const entries = await entriesOf(tree, known, urlPattern)
  return entries.map((entry) => {
    const all = required(entry, security, () => true)
    const ways = combine(all)
    const cookies = new Set(
      Object.entries(security.schemes).flatMap(([name, scheme]) => (scheme.in === "cookie" ? [name] : [])),
    )
    return {
      method: entry.route.method,
      pattern: entry.route.pattern,
      at: { file: entry.at.file, line: entry.at.line },
      middleware: entry.middleware.flatMap(({ kind, at }) => (kind === "middleware" ? [at.file] : [])),
      state: stateOf(entry, all, security),
      acceptsCookie: ways.some((way) => way.some((name) => cookies.has(name))),
    }
  })
}

/** Returns the alternatives of the handler and of its layers, each without those that require nothing at all. */
function required(
  { comment, facts, middleware, at }: Entry,
  security: Security,
  counts: (layer: Layer) => boolean,
): Requirement[][] {
  const layers = middleware.filter(counts).flatMap((layer) => layerSecurity(layer, security, ignore))
  const own = readSecurity(textsOf(comment, "security"), at, security, ignore)
  const types = (facts?.security ?? []).map((texts) => readSecurity(texts, at, security, ignore))
  return [...layers, own, ...types].filter((ways) => ways.length > 0 && !isNone(ways))
}

function stateOf(entry: Entry, all: readonly Requirement[][], security: Security): RouteGuards["state"] {
  if (isOpen(entry.comment, entry, security)) return "open"
  if (all.length === 0) {
    const declared = entry.middleware.flatMap((layer) => layerSecurity(layer, security, ignore))
    return declared.some(isNone) ? "open" : "none"
  }
  if (!isGuarded(all)) return "optional"
  const inner = required(entry, security, ({ kind }) => kind !== "proxy")
  return inner.length > 0 && isGuarded(inner) ? "guarded" : "proxy"
}

function isOpen(comment: Entry["comment"], { at }: Entry, security: Security): boolean {
  return isNone(readSecurity(textsOf(comment, "security"), at, security, ignore))
}

/** Returns true if one of the layers refuses every request without credentials. */
function isGuarded(all: readonly Requirement[][]): boolean {
  return all.some((ways) => ways.every((way) => way.length > 0))
}

/** Returns true for `@security none`. */
function isNone(ways: readonly Requirement[]): boolean {
  return ways.length === 1 && ways[0]?.length === 0
}

/** The document reports texts that are not known. */
function ignore(): void {}
