/** Turns handlers for every method into the operations that a document shows. */
import { getPatternShape, parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { Facts } from "./model.ts"

/**
 * The methods that a document shows for a handler for every method. Clients use other methods only if they know of
 * them.
 */
const usualMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** A route with the known facts about it. */
interface DescribedRoute {
  readonly route: { readonly method: string; readonly pattern: string }
  readonly facts: Facts | null
}

/**
 * Replaces each handler of every method by one operation per usual method that nothing else answers for its
 * pattern.
 */
export function splitMethods<T extends DescribedRoute>(entries: readonly T[], { pages }: RouteTree): T[] {
  const claims = [...pages.map(({ pattern }) => ({ method: "GET", pattern })), ...entries.map(({ route }) => route)]
  const takenClaims = new Set(claims.map(({ method, pattern }) => formatClaim(method, pattern)))
  return entries.flatMap((entry) => {
    const { route } = entry
    if (route.method !== "*") return [entry]
    const freeMethods = usualMethods.filter((method) => !takenClaims.has(formatClaim(method, route.pattern)))
    return freeMethods.map((method) => {
      const facts = entry.facts && method === "GET" ? removeBody(entry.facts) : entry.facts
      return { ...entry, route: { ...route, method }, facts }
    })
  })
}

function formatClaim(method: string, pattern: string): string {
  return `${method} ${getPatternShape(parsePattern(pattern))}`
}

/** Returns the facts without a body, which has no meaning in a GET (RFC 9110 §9.3.1). */
function removeBody(facts: Facts): Facts {
  return {
    ...facts,
    bodies: facts.bodies.filter(({ kind }) => kind === "query"),
    reads: facts.reads.filter(({ from }) => from !== "field" && from !== "file"),
  }
}
