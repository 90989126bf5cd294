/** The candidate routes of a path, and why the others do not answer. */
import { segmentsOf } from "../../lib/path.ts"
import { mismatch, type Pattern, parsePattern, type Segment } from "../../lib/pattern.ts"
import type { Endpoint, RouteTable } from "../../lib/router.ts"
import type { RouteTree } from "../../lib/tree.ts"

/** A pattern and its outcome. */
export interface Candidate {
  readonly pattern: string
  readonly methods: readonly string[]
  readonly files: readonly string[]
  /**
   * `answers`; `method`: it matches the path but not the method; `beaten`: another is more specific; `path`:
   * it does not match.
   */
  readonly outcome: "answers" | "method" | "beaten" | "path"
  readonly why: string
}

/** Most patterns to show that nearly match a path. */
const most = 5

/**
 * Returns every pattern that matches the path, in the order of the router; without any, those with the
 * longest common part.
 */
export function candidatesOf(router: RouteTable, tree: RouteTree, method: string, path: string): Candidate[] {
  const covering = router.covering(path)
  if (covering.length === 0) return nearest(tree, path)
  const match = router.find(method, path)
  const winner = match?.route ? match.endpoint : undefined
  const parts = segmentsOf(path) ?? []
  return covering.map((endpoint) => {
    const methods = [...endpoint.routes.keys()]
    const files = [...new Set([...endpoint.routes.values()].map(({ source }) => source))]
    const shown = { pattern: endpoint.pattern.text, methods, files }
    if (endpoint === winner) return { ...shown, outcome: "answers", why: `answers ${match?.route?.method}` }
    if (!winner || !answers(endpoint, method))
      return { ...shown, outcome: "method", why: `answers ${methods.join(", ")}, not ${method}` }
    return { ...shown, outcome: "beaten", why: lost(endpoint.pattern, winner.pattern, parts) }
  })
}

function answers({ routes }: Endpoint, method: string): boolean {
  return routes.has(method) || routes.has("*") || (method === "HEAD" && routes.has("GET"))
}

/**
 * Explains the order: static segments come before parameters before catch-alls, in the first segment that
 * differs.
 */
function lost(loser: Pattern, winner: Pattern, parts: readonly string[]): string {
  const at = loser.segments.findIndex((segment, index) => segment.kind !== winner.segments[index]?.kind)
  const [theirs, own] = [winner.segments[at], loser.segments[at]]
  return `at ${place(at, parts[at])}, ${shown(theirs)} beats ${shown(own)}`
}

function place(at: number, part: string | undefined): string {
  return `segment ${at + 1}${part === undefined ? "" : ` (${part})`}`
}

function shown(segment: Segment | undefined): string {
  if (segment?.kind === "static") return "a static segment"
  return segment?.kind === "param" ? `{${segment.name}}` : "*"
}

function nearest(tree: RouteTree, path: string): Candidate[] {
  const parts = segmentsOf(path)
  if (parts === null) return []
  const patterns = new Map<string, { pattern: Pattern; methods: Set<string>; files: Set<string> }>()
  for (const item of [...tree.routes, ...tree.pages]) {
    const pattern = parsePattern(item.pattern)
    const known = patterns.get(item.pattern) ?? { pattern, methods: new Set(), files: new Set() }
    known.methods.add("method" in item ? item.method : "GET")
    known.files.add(item.file)
    patterns.set(item.pattern, known)
  }
  const found = [...patterns.values()].map((one) => ({ ...one, at: leaves(one.pattern.segments, parts) }))
  const furthest = Math.max(...found.map(({ at }) => at))
  return found
    .filter(({ at }) => at === furthest && (furthest > 0 || parts.length === 0))
    .slice(0, most)
    .map(({ pattern, methods, files, at }) => ({
      pattern: pattern.text,
      methods: [...methods],
      files: [...files],
      outcome: "path",
      why: parted(pattern.segments, parts, at),
    }))
}

/**
 * Returns the index at which a path differs from a pattern. A catch-all that would match nothing differs at
 * itself.
 */
function leaves(segments: readonly Segment[], parts: readonly string[]): number {
  const at = mismatch(segments, parts)
  return at < 0 ? segments.length - 1 : at
}

function parted(segments: readonly Segment[], parts: readonly string[], at: number): string {
  const segment = segments[at]
  if (!segment) return `the path goes on after its end, with ${JSON.stringify(parts[at])}`
  const wanted = segment.kind === "static" ? JSON.stringify(segment.value) : shown(segment)
  if (at >= parts.length) return `the path ends before segment ${at + 1}, ${wanted}`
  return `segment ${at + 1} is ${JSON.stringify(parts[at])}, not ${wanted}`
}
