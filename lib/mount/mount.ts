/** Registers the routes of a scanned tree. */
import { createSocketRoute } from "#parts/live"
import { createPages } from "#parts/pages"
import { platform } from "#platform"
import { type SocketFunc, socketMethod } from "../answer/upgrade.ts"
import type { App } from "../app.ts"
import { middlewareFiles } from "../chain.ts"
import { checkMiddleware } from "../checks.ts"
import { fault } from "../errors/fault.ts"
import type { FwError } from "../errors.ts"
import { mountedJobs } from "../jobs/registry.ts"
import { type Pattern, parsePattern } from "../pattern.ts"
import type { ProxyFunc } from "../proxy.ts"
import type { RouteTable } from "../router.ts"
import type { Routes, RouteTree, TreePage, TreeProxy, TreeRoute } from "../tree.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "../types.ts"
import { getExport } from "./get-export.ts"
import type { ErrorPages, Pages } from "./pages.ts"
import { addStoredAnswers } from "./stored-answers.ts"

/** What a mounted tree has besides its routes. */
export interface MountedTree {
  readonly routes: Routes
  readonly errorPages: ErrorPages | undefined
  /** Returns HTML with the scripts of its custom elements. Undefined if the tree has no such elements. */
  readonly addScripts: Pages["addScripts"] | undefined
}

/** Registers everything in a tree. Default: the tree that the app has scanned. Returns what the app needs later. */
export async function mountTree(app: App, table: RouteTable, routesOption: Routes | undefined): Promise<MountedTree> {
  if (routesOption !== undefined) checkRoutes(routesOption)
  const scannedTree = app.routeTree
  if (!routesOption && !scannedTree) throw fault("mount.nothing")
  const routes = routesOption ?? (await loadTree(scannedTree as RouteTree))
  const { proxy, jobs } = routes.tree
  if (jobs) mountedJobs.routes = routes
  // The proxy is set before the routes that it protects. If that fails, no route is left without protection.
  if (proxy) mountProxy(app, routes, proxy)
  const pages = createPagesIfAny(routes)
  mountRoutes(table, routes, mountMiddleware(routes), pages)
  const addScripts = routes.assets?.elements && pages?.addScripts
  return { routes, errorPages: pages?.createErrorPages(), addScripts }
}

function mountProxy(app: App, routes: Routes, { file, matchers, excludes }: TreeProxy): void {
  if (app.hasProxy) throw fault("proxy", [file])
  app.setProxy(getExport<ProxyFunc>(routes, file, "Proxy"), { matchers, excludes })
}

/** Loads the modules of a tree. @throws FwError `platform` if there is no disk to import from. */
function loadTree(tree: RouteTree): Promise<Routes> {
  if (!platform.load) throw fault("platform", ["disk to load from"])
  return platform.load(tree)
}

/**
 * Returns the pages of a tree. Undefined if it has neither pages nor custom elements; then the part `pages` is not
 * needed.
 */
function createPagesIfAny(routes: Routes): Pages | undefined {
  const { pages, layouts, notFound, error } = routes.tree
  const hasAny = pages.length > 0 || layouts.length > 0 || notFound || error || routes.assets?.elements
  return hasAny ? createPages(routes) : undefined
}

/** Checks the routes that a program passes. @throws FwError `mount` for a value that fw has not generated. */
function checkRoutes(routes: unknown): void {
  const { tree, modules } = Object(routes) as Partial<Routes>
  if (Array.isArray(tree?.routes) && typeof modules === "object" && modules !== null) return
  throw fault("mount.routes", [routes])
}

/**
 * Calls every middleware file once, in the order of the tree. Each returns one middleware or several, the first
 * outermost.
 */
export function mountMiddleware(routes: Routes): MiddlewareFunc[][] {
  return routes.tree.middleware.map(({ file }) => {
    const make = getExport<() => unknown>(routes, file, "Middleware")
    if (make.length > 0) throw createDirectMiddlewareError(file)
    const result = make()
    const list: unknown[] = Array.isArray(result) ? result : [result]
    return list.map((middleware) => {
      checkMiddleware(middleware, `Middleware() of ${file}`)
      // Another file may return the same function. With a function of its own, each file has its name in messages.
      const fileMiddleware: MiddlewareFunc = Object.assign((next: Next) => middleware(next), middleware)
      middlewareFiles.set(fileMiddleware, file)
      return fileMiddleware
    })
  })
}

/**
 * Returns the error for a `Middleware` that takes a parameter. fw calls it without arguments. A function that takes
 * `next` is a middleware itself, and not a function that returns one.
 */
function createDirectMiddlewareError(file: string): FwError {
  return fault("middleware.direct", [file], { at: { file } })
}

/** Registers the routes and pages of the tree, each with the middleware of its directories. */
export function mountRoutes(
  table: RouteTable,
  routes: Routes,
  middleware: ReadonlyArray<readonly MiddlewareFunc[]>,
  pages = createPagesIfAny(routes),
): void {
  const add = (method: string, node: TreeRoute | TreePage, handler: HandlerFunc) => {
    const routeMiddleware = node.middleware.flatMap((index) => middleware[index] ?? [])
    const pattern = nameRest(parsePattern(node.pattern), node.rest)
    pages?.setLayout(pattern, node)
    const routeHandler = node.prerender ? addStoredAnswers(handler) : handler
    table.add({ method, pattern, handler: routeHandler, middleware: routeMiddleware, source: node.file })
  }
  for (const route of routes.tree.routes) {
    const { method, file, export: name } = route
    const isSocket = method === socketMethod
    const handler = isSocket
      ? createSocketRoute(getExport<SocketFunc>(routes, file, name), route.pattern)
      : getExport<HandlerFunc>(routes, file, name)
    add(method, route, handler)
  }
  if (!pages) return
  for (const page of routes.tree.pages) add("GET", page, pages.createHandler(page))
  if (routes.tree.layouts.length > 0) {
    const { path, handler } = pages.script
    table.add({ method: "GET", pattern: parsePattern(path), handler, middleware: [], source: "{defer}" })
  }
}

/** Returns the pattern with the name that the directory has for the final `*`. */
function nameRest(pattern: Pattern, rest: string | undefined): Pattern {
  if (rest === undefined) return pattern
  return { ...pattern, names: pattern.names.map((name) => (name === "*" ? rest : name)) }
}
