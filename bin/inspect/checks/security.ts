/** Checks that every route that changes data has a guard, or declares that everyone may call it. */
import type { RouteGuards } from "../../openapi/document/guards.ts"
import { createError, createWarning, type FilePosition, type Finding } from "./finding.ts"

/** Methods that must not change data (RFC 9110 §9.2.1), and WebSockets, which a form cannot open. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "SOCKET"])

/**
 * Returns the findings about routes that change data.
 *
 * @param isTyped false if types were not read. A guard may then be declared in a type, so there are only warnings.
 * @param hasCSRF returns true if some modules refuse requests from other sites.
 */
export async function checkSecurity(
  routes: readonly RouteGuards[],
  isTyped: boolean,
  hasCSRF: (files: readonly string[]) => Promise<boolean>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const reportedKeys = new Set<string>()
  for (const route of routes) {
    const { method, pattern, at, state, acceptsCookie, middleware } = route
    // A handler for all methods, or with an optional catch-all, has several routes.
    const key = `${at.file}:${at.line}:${pattern.replace(/\/\*$/, "")}`
    if (safeMethods.has(method) || state === "open" || reportedKeys.has(key)) continue
    const found = findMissingGuard(route, isTyped)
    if (found) findings.push(found)
    const isForgeable = acceptsCookie && !(await hasCSRF([at.file, ...middleware]))
    if (isForgeable) findings.push(createCSRFError(route))
    if (found || isForgeable) reportedKeys.add(key)
  }
  return findings
}

function findMissingGuard({ method, pattern, at, state }: RouteGuards, isTyped: boolean): Finding | null {
  const name = `${method} ${pattern}`
  if (state === "proxy") {
    const message = `only the proxy guards ${name}, so a change of its matcher opens it`
    const fix = "Check the credentials in a middleware or in the handler, too, and declare that with @security."
    return createWarning("proxy_only", at, message, fix)
  }
  if (state !== "none" && state !== "optional") return null
  const message =
    state === "none"
      ? `${name} changes something, and no guard is declared for it`
      : `${name} changes something, and a part of its guard declares no credentials, so requests without any may pass`
  const fix =
    "Put it behind a middleware that declares what it requires, such as bearerAuth() or one with @security in its comment. If everyone may call it, write @security none in the comment of the handler or of its middleware."
  return (isTyped ? createError : createWarning)("unguarded", at, message, fix)
}

function createCSRFError({ method, pattern, at }: RouteGuards): Finding {
  const message = `${method} ${pattern} accepts a cookie, and no csrf() is around it, so pages of other sites can send it`
  const fix = "Write app.use(csrf()) in main.ts, or return csrf() from a middleware of the route."
  return createError("csrf", at as FilePosition, message, fix)
}
