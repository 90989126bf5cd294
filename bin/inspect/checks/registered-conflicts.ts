/** Finds routes that the main file registers although they exist already. With both, the program does not start. */
import { getPatternShape, parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { createError, createWarning, type Finding } from "./finding.ts"

interface RouteClaim {
  readonly method: string
  readonly pattern: string
  readonly file: string
  readonly line?: number
}

/**
 * Returns a finding for each conflict. If both routes are in the main file, it is only a warning, because the
 * program may register only one of them.
 *
 * @param scanned the tree of the route directory.
 * @param whole the same tree, followed by the routes that the main file registers.
 */
export function findRegisteredConflicts(scanned: RouteTree, whole: RouteTree): Finding[] {
  const claimsByKey = new Map<string, RouteClaim>()
  const pages = scanned.pages.map((page) => ({ ...page, method: "GET" }))
  for (const claim of [...scanned.routes, ...pages]) claimsByKey.set(toKey(claim), claim)
  const directoryClaims = new Set(claimsByKey.values())
  return whole.routes.slice(scanned.routes.length).flatMap((claim: RouteClaim) => {
    const key = toKey(claim)
    const other = claimsByKey.get(key)
    if (!other) claimsByKey.set(key, claim)
    if (!other) return []
    const { method, pattern, file, line } = claim
    const paths = [...new Set([other.pattern, pattern])].join(", the same as ")
    return (directoryClaims.has(other) ? createError : createWarning)(
      "conflict",
      { file, line },
      `${formatPlace(other)} and ${formatPlace(claim)} both claim ${method} ${paths}, so the program cannot start`,
      "Remove one of them, or change its path.",
    )
  })
}

function toKey({ method, pattern }: RouteClaim): string {
  return `${method} ${getPatternShape(parsePattern(pattern))}`
}

function formatPlace({ file, line }: RouteClaim): string {
  return line === undefined ? file : `${file}:${line}`
}
