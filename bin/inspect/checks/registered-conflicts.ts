/** Finds routes that the main file registers although something else has them: the program does not start with both. */
import { parsePattern, patternShape } from "../../../lib/pattern.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { type Finding, failure, warning } from "./finding.ts"

interface Claim {
  readonly method: string
  readonly pattern: string
  readonly file: string
  readonly line?: number
}

/**
 * Returns a finding for each. Of two routes of the main file, the program may register only one, so that is a warning.
 *
 * @param scanned the tree of the route directory.
 * @param whole the same with the routes that the main file registers after its own.
 */
export function registeredConflicts(scanned: RouteTree, whole: RouteTree): Finding[] {
  const first = new Map<string, Claim>()
  const pages = scanned.pages.map((page) => ({ ...page, method: "GET" }))
  for (const claim of [...scanned.routes, ...pages]) first.set(keyOf(claim), claim)
  const ofDirectory = new Set(first.values())
  return whole.routes.slice(scanned.routes.length).flatMap((claim: Claim) => {
    const key = keyOf(claim)
    const one = first.get(key)
    if (!one) first.set(key, claim)
    if (!one) return []
    const { method, pattern, file, line } = claim
    const paths = [...new Set([one.pattern, pattern])].join(", the same as ")
    return (ofDirectory.has(one) ? failure : warning)(
      "conflict",
      { file, line },
      `${placeOf(one)} and ${placeOf(claim)} both claim ${method} ${paths}, so the program cannot start`,
      "Remove one of them, or change its path.",
    )
  })
}

function keyOf({ method, pattern }: Claim): string {
  return `${method} ${patternShape(parsePattern(pattern))}`
}

function placeOf({ file, line }: Claim): string {
  return line === undefined ? file : `${file}:${line}`
}
