/** Turns handlers for every method into the operations that a document shows. */
import { getPatternShape, parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"

/**
 * The methods that a document shows for a handler for every method. Clients use other methods only if they know of
 * them.
 */
const usualMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

interface Entry {
  readonly route: { readonly method: string; readonly pattern: string }
}

/**
 * Replaces each handler of every method by one operation per usual method that nothing else answers for its
 * pattern.
 */
export function splitMethods<T extends Entry>(entries: readonly T[], { pages }: RouteTree): T[] {
  const claims = [...pages.map(({ pattern }) => ({ method: "GET", pattern })), ...entries.map(({ route }) => route)]
  const takenClaims = new Set(claims.map(({ method, pattern }) => formatClaim(method, pattern)))
  return entries.flatMap((entry) => {
    const { route } = entry
    if (route.method !== "*") return [entry]
    const freeMethods = usualMethods.filter((method) => !takenClaims.has(formatClaim(method, route.pattern)))
    return freeMethods.map((method) => ({ ...entry, route: { ...route, method } }))
  })
}

function formatClaim(method: string, pattern: string): string {
  return `${method} ${getPatternShape(parsePattern(pattern))}`
}
