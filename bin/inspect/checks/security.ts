/** Checks that every route that changes something is guarded, or says that everyone may call it. */
import type { RouteGuards } from "../../../lib/openapi/guards.ts"
import { type Finding, failure, type Spot, warning } from "./finding.ts"

/** Methods that must not change anything (RFC 9110 §9.2.1), and connections, which no form can open. */
const safe = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "SOCKET"])

/**
 * Returns the findings about the routes that change something.
 *
 * @param typed false if only comments are known: then a guard may be declared by a type, and nothing is an error.
 * @param hasCSRF returns true if one of some modules refuses requests of other sites.
 */
export async function checkSecurity(
  routes: readonly RouteGuards[],
  typed: boolean,
  hasCSRF: (files: readonly string[]) => Promise<boolean>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const route of routes) {
    const { method, pattern, at, state, acceptsCookie, middleware } = route
    // A handler of every method, and one of any number of segments, is several routes.
    const key = `${at.file}:${at.line}:${pattern.replace(/\/\*$/, "")}`
    if (safe.has(method) || state === "open" || seen.has(key)) continue
    const found = unguarded(route, typed)
    if (found) findings.push(found)
    const isForgeable = acceptsCookie && !(await hasCSRF([at.file, ...middleware]))
    if (isForgeable) findings.push(forgeable(route))
    if (found || isForgeable) seen.add(key)
  }
  return findings
}

function unguarded({ method, pattern, at, state }: RouteGuards, typed: boolean): Finding | null {
  const name = `${method} ${pattern}`
  if (state === "proxy") {
    const what = `only the proxy guards ${name}, so a change of its matcher opens it`
    const fix =
      "Check the credentials in a middleware or in the handler, too, and declare that with @security."
    return warning("proxy_only", at, what, fix)
  }
  if (state !== "none" && state !== "optional") return null
  const what =
    state === "none"
      ? `${name} changes something, and no guard is declared for it`
      : `${name} changes something, and its guard lets requests without credentials pass`
  const fix =
    "Put it behind a middleware that declares what it requires, such as bearerAuth() or one with @security in its comment. If everyone may call it, write @security none in the comment of the handler or of its middleware."
  return (typed ? failure : warning)("unguarded", at, what, fix)
}

function forgeable({ method, pattern, at }: RouteGuards): Finding {
  const what = `${method} ${pattern} accepts a cookie, and no csrf() is around it, so pages of other sites can send it`
  const fix = "Write app.use(csrf()) in main.ts, or return csrf() from a middleware of the route."
  return failure("csrf", at as Spot, what, fix)
}
