/** Handlers of every method, as the operations that a document shows. */
import { parsePattern, patternShape } from "../pattern.ts"
import type { RouteTree } from "../tree.ts"
import type { Facts } from "./model.ts"

/** The methods that a document shows for a handler of every method. Clients use others only if they know of them. */
const usual = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** A route with what is known of it. */
interface Described {
  readonly route: { readonly method: string; readonly pattern: string }
  readonly facts: Facts | null
}

/**
 * Replaces each handler of every method by one operation per usual method that nothing else answers for its
 * pattern.
 */
export function splitMethods<T extends Described>(entries: readonly T[], { pages }: RouteTree): T[] {
  const claims = [
    ...pages.map(({ pattern }) => ({ method: "GET", pattern })),
    ...entries.map(({ route }) => route),
  ]
  const taken = new Set(claims.map(({ method, pattern }) => claimOf(method, pattern)))
  return entries.flatMap((entry) => {
    const { route } = entry
    if (route.method !== "*") return [entry]
    const left = usual.filter((method) => !taken.has(claimOf(method, route.pattern)))
    return left.map((method) => {
      const facts = entry.facts && method === "GET" ? withoutBody(entry.facts) : entry.facts
      return { ...entry, route: { ...route, method }, facts }
    })
  })
}

function claimOf(method: string, pattern: string): string {
  return `${method} ${patternShape(parsePattern(pattern))}`
}

/** Returns the facts without a body, which has no meaning in a GET (RFC 9110 §9.3.1). */
function withoutBody(facts: Facts): Facts {
  return {
    ...facts,
    bodies: facts.bodies.filter(({ kind }) => kind === "query"),
    reads: facts.reads.filter(({ from }) => from !== "field" && from !== "file"),
  }
}
