/** Finds the routes that may answer a path, and explains why the others do not. */
import { splitSegments } from "../../lib/path.ts"
import { findMismatch, type Pattern, parsePattern, type Segment } from "../../lib/pattern.ts"
import type { Endpoint, RouteTable } from "../../lib/router.ts"
import type { RouteTree } from "../../lib/tree.ts"

/** A pattern, and how it relates to the request. */
export interface Candidate {
  readonly pattern: string
  readonly methods: readonly string[]
  readonly files: readonly string[]
  /**
   * `answers`: it answers the request. `method`: it matches the path but not the method. `beaten`: another pattern
   * is more specific. `path`: it does not match the path.
   */
  readonly outcome: "answers" | "method" | "beaten" | "path"
  readonly why: string
}

/** The number of patterns to show if none matches. */
const maxNearest = 5

/**
 * Returns all patterns that match the path, in the router's order. If none matches, returns the patterns that have
 * the longest beginning in common with it.
 */
export function findCandidates(router: RouteTable, tree: RouteTree, method: string, path: string): Candidate[] {
  const matchingEndpoints = router.findAll(path)
  if (matchingEndpoints.length === 0) return findNearest(tree, path)
  const match = router.find(method, path)
  const winner = match?.route ? match.endpoint : undefined
  const parts = splitSegments(path) ?? []
  return matchingEndpoints.map((endpoint) => {
    const methods = [...endpoint.routes.keys()]
    const files = [...new Set([...endpoint.routes.values()].map(({ source }) => source))]
    const facts = { pattern: endpoint.pattern.text, methods, files }
    if (endpoint === winner) return { ...facts, outcome: "answers", why: `answers ${match?.route?.method}` }
    if (!winner || !canAnswer(endpoint, method))
      return { ...facts, outcome: "method", why: `answers ${methods.join(", ")}, not ${method}` }
    return {
      ...facts,
      outcome: "beaten",
      why: explainOrder(winner.pattern, endpoint.pattern, parts),
    }
  })
}

function canAnswer({ routes }: Endpoint, method: string): boolean {
  return routes.has(method) || routes.has("*") || (method === "HEAD" && routes.has("GET"))
}

/**
 * Explains why one pattern comes before another: in the first segment that differs, static text comes before a
 * parameter, and a parameter comes before a catch-all.
 */
function explainOrder(first: Pattern, second: Pattern, parts: readonly string[]): string {
  const index = second.segments.findIndex((segment, i) => segment.kind !== first.segments[i]?.kind)
  const part = parts[index]
  const location = `segment ${index + 1}${part === undefined ? "" : ` (${part})`}`
  return `at ${location}, ${formatSegment(first.segments[index])} beats ${formatSegment(second.segments[index])}`
}

function formatSegment(segment: Segment | undefined): string {
  if (segment?.kind === "static") return "a static segment"
  return segment?.kind === "param" ? `{${segment.name}}` : "*"
}

function findNearest(tree: RouteTree, path: string): Candidate[] {
  const parts = splitSegments(path)
  if (parts === null) return []
  const patterns = new Map<string, { pattern: Pattern; methods: Set<string>; files: Set<string> }>()
  for (const item of [...tree.routes, ...tree.pages]) {
    const pattern = parsePattern(item.pattern)
    const known = patterns.get(item.pattern) ?? { pattern, methods: new Set(), files: new Set() }
    known.methods.add("method" in item ? item.method : "GET")
    known.files.add(item.file)
    patterns.set(item.pattern, known)
  }
  const found = [...patterns.values()].map((one) => ({
    ...one,
    at: findPathMismatch(one.pattern.segments, parts),
  }))
  const maxIndex = Math.max(...found.map(({ at }) => at))
  return found
    .filter(({ at }) => at === maxIndex && (maxIndex > 0 || parts.length === 0))
    .slice(0, maxNearest)
    .map(({ pattern, methods, files, at }) => ({
      pattern: pattern.text,
      methods: [...methods],
      files: [...files],
      outcome: "path",
      why: explainMismatch(pattern.segments, parts, at),
    }))
}

/**
 * Returns the index of the segment at which a path differs from a pattern. A catch-all without a segment to match
 * differs at its own index.
 */
function findPathMismatch(segments: readonly Segment[], parts: readonly string[]): number {
  const at = findMismatch(segments, parts)
  return at < 0 ? segments.length - 1 : at
}

function explainMismatch(segments: readonly Segment[], parts: readonly string[], at: number): string {
  const segment = segments[at]
  if (!segment) return `the path goes on after its end, with ${JSON.stringify(parts[at])}`
  const expected = segment.kind === "static" ? JSON.stringify(segment.value) : formatSegment(segment)
  if (at >= parts.length) return `the path ends before segment ${at + 1}, ${expected}`
  return `segment ${at + 1} is ${JSON.stringify(parts[at])}, not ${expected}`
}
