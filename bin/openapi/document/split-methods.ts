/** Splits a handler for all methods into the operations that the document lists. */
import { getPatternShape, parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"

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
export function splitMethods<T extends Entry>(entries: readonly T[], { pages }: RouteTree): T[] {
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
