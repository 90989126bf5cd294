/** The routes of a project, in parts. Loaded by the tool `fw_list_routes`; in a terminal `fw routes` lists all. */
import { type ListedRoute, listing, type RoutesData } from "../commands/routes.ts"
import { scanProject } from "../project/scan-project.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/project.ts"
import type { Io } from "../terminal.ts"

/** A part of the listing. */
export interface RoutesPart extends RoutesData {
  /** How many routes were left out at the start. */
  readonly offset: number
  /** How many middleware files there are. The list has as many of them as routes may be in it. */
  readonly middlewareTotal: number
}

/** Lists the routes at and below a path, by a method. @throws FwError as `fw routes` does. */
export async function run(
  { appDir, path, method, limit, offset }: OptionsOf<typeof specs.listRoutes>,
  { cwd }: Pick<Io, "cwd">,
): Promise<RoutesPart> {
  const all = listing(await scanProject(cwd, appDir))
  const wanted = all.routes.filter(({ pattern }) => path === undefined || isBelow(pattern, path))
  const routes = wanted.filter((route) => method === undefined || route.method === method.toUpperCase())
  return {
    ...all,
    routes: routes.slice(offset, offset + limit),
    total: routes.length,
    offset,
    middleware: all.middleware.slice(0, limit),
    middlewareTotal: all.middleware.length,
  }
}

/** Whether a pattern is a path or below it: `/users/{id}` is below `/users`. */
export function isBelow(pattern: string, path: string): boolean {
  const top = path
    .replace(/\/+$/, "")
    .replace(/\[([^\]]+)\]|(?<=\/):([^/]+)/g, (_, a?: string, b?: string) => `{${a ?? b}}`)
  return pattern === top || pattern.startsWith(`${top}/`)
}

/** A line for each route. */
export function print({ routes, middleware, proxy, total, offset, middlewareTotal }: RoutesPart): string {
  const line = ({ method, pattern, file }: ListedRoute) => `${method} ${pattern} ${file}`
  const lines = [
    ...(proxy.enabled ? [`Proxy: ${proxy.file}`] : []),
    ...middleware.map(({ path, file }) => `Middleware of ${path}: ${file}`),
    ...(middleware.length < middlewareTotal ? [`and ${middlewareTotal - middleware.length} more`] : []),
    ...routes.map(line),
    partText("routes", { total, offset, shown: routes.length }),
  ]
  return lines.join("\n")
}

/** Says which part of a list is shown, and how to get the next one. */
export function partText(
  what: string,
  { total, offset, shown }: { readonly total: number; readonly offset: number; readonly shown: number },
): string {
  const end = offset + shown
  if (shown === total) return `Total: ${total} ${what}.`
  const next = end < total ? ` For the next ones give --offset ${end}.` : ""
  return `These are ${shown === 0 ? "none" : `${offset + 1} to ${end}`} of ${total} ${what}.${next}`
}
