/** The tool `fw_list_routes`: lists the routes of a project in parts. */

import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { data, type ListedRoute, type RoutesData, readListedTree } from "../commands/routes.ts"
import { findUnlinkedRoutes } from "../inspect/links/unlinked.ts"
import { readProjectTree } from "../project/scan-project.ts"
import type * as specs from "../specs/project.ts"
import { checkMethod } from "./check-method.ts"

/** A part of the list. */
export interface RoutesPart extends RoutesData {
  /** The number of routes before this part. */
  readonly offset: number
  /** The number of all middleware files. The part contains at most as many of them as routes. */
  readonly middlewareTotal: number
}

/**
 * Lists the routes at and below a path, with a method.
 *
 * @throws FwError as `fw routes` does, and `arguments`.
 */
export async function run(
  { appDir, path, method, unlinked, limit, offset }: OptionsOf<typeof specs.listRoutes>,
  { cwd }: Pick<Io, "cwd">,
): Promise<RoutesPart> {
  const project = { root: cwd, appDir }
  const tree = await readListedTree(project, await readProjectTree(project))
  const listing = data(unlinked ? { tree, unlinked: findUnlinkedRoutes(cwd, tree) } : tree) as RoutesData
  const matching = listing.routes.filter(({ pattern }) => path === undefined || isBelow(pattern, path))
  const usedMethods = listing.routes.map((route) => route.method)
  checkMethod(method, usedMethods)
  // A handler for all methods answers this method too.
  const methods = ["*", method?.toUpperCase()]
  const routes = matching.filter((route) => method === undefined || methods.includes(route.method.toUpperCase()))
  return {
    ...listing,
    routes: routes.slice(offset, offset + limit),
    total: routes.length,
    offset,
    middleware: listing.middleware.slice(0, limit),
    middlewareTotal: listing.middleware.length,
  }
}

/** Returns true if a pattern is at or below a path: `/users/{id}` is below `/users`. */
export function isBelow(pattern: string, path: string): boolean {
  const top = path
    .replace(/\/+$/, "")
    .replace(/\[([^\]]+)\]|(?<=\/):([^/]+)/g, (_, a?: string, b?: string) => `{${a ?? b}}`)
  return pattern === top || pattern.startsWith(`${top}/`)
}

/** Returns the part as text: the proxy, the middleware, and a line for each route. */
export function print({ routes, middleware, proxy, total, offset, middlewareTotal, unlisted }: RoutesPart): string {
  const line = ({ method, pattern, file }: ListedRoute) => `${method} ${pattern} ${file}`
  const lines = [
    ...(proxy.enabled ? [`Proxy: ${proxy.file}`] : []),
    ...middleware.map(({ path, file }) => `Middleware of ${path}: ${file}`),
    ...(middleware.length < middlewareTotal ? [`and ${middlewareTotal - middleware.length} more`] : []),
    ...routes.map(line),
    formatPart("routes", { total, offset, shown: routes.length }),
    ...(unlisted ? [`${unlisted.message}. ${unlisted.fix}`] : []),
  ]
  return lines.join("\n")
}

/** Returns a text that says which part of a list is shown, and how to get the next part. */
export function formatPart(
  what: string,
  { total, offset, shown }: { readonly total: number; readonly offset: number; readonly shown: number },
): string {
  const end = offset + shown
  if (shown === total) return `Total: ${total} ${what}.`
  const next = end < total ? ` For the next ones, pass --offset ${end}.` : ""
  return `Shown: ${shown === 0 ? "none" : `${offset + 1} to ${end}`} of ${total} ${what}.${next}`
}
