/** Registers the routes of a scanned tree and its modules. */
import { platform } from "#platform"
import { socketRoute } from "../answer/socket.ts"
import { type SocketFunc, socketMethod } from "../answer/upgrade.ts"
import type { App } from "../app.ts"
import { middlewareFiles } from "../chain.ts"
import { checkMiddleware } from "../checks.ts"
import type { FwError } from "../errors.ts"
import { fault } from "../fault.ts"
import { leftOut } from "../left-out.ts"
import { type Pattern, parsePattern } from "../pattern.ts"
import type { RouteTable } from "../router.ts"
import type { Routes, RouteTree, TreePage, TreeProxy, TreeRoute } from "../tree.ts"
import type { HandlerFunc, MiddlewareFunc, Next, ProxyFunc } from "../types.ts"
import { scriptHandler, scriptPath } from "./defer-script.ts"
import { exported } from "./module-exports.ts"
import { type ErrorPages, errorPages, keepLayout, layoutsOf, pageHandler } from "./pages.ts"

declare const FW_DEFER: boolean
declare const FW_ON_ERROR: boolean
declare const FW_PAGES: boolean
declare const FW_PROXY: boolean
declare const FW_SOCKETS: boolean

/** Parts of a mounted tree other than its routes. */
export interface Mounted {
  readonly routes: Routes
  readonly errorPages: ErrorPages | undefined
}

/** Registers the contents of a tree, by default the app's own; returns the other parts for the app. */
export async function mountTree(app: App, table: RouteTable, given: Routes | undefined): Promise<Mounted> {
  if (given !== undefined) checkRoutes(given)
  const scanned = app.routeTree
  if (!given && !scanned) throw fault("mount.nothing")
  const routes = given ?? (await loaded(scanned as RouteTree))
  const { proxy, notFound, error } = routes.tree
  // The proxy is set before the routes that it protects, so that an error leaves nothing unprotected.
  if (proxy) {
    if (typeof FW_PROXY === "undefined" || FW_PROXY) mountProxy(app, routes, proxy)
    else leftOut("PROXY")
  }
  mountRoutes(table, routes, mountMiddleware(routes))
  return { routes, errorPages: notFound || error ? errorPagesOf(routes) : undefined }
}

function mountProxy(app: App, routes: Routes, { file, matchers, excludes }: TreeProxy): void {
  if (app.hasProxy) throw fault("proxy", [file])
  app.setProxy(exported<ProxyFunc>(routes, file, "Proxy"), { matchers, excludes })
}

/** Loads the modules of a tree. @throws FwError `platform` if there is no disk to import from. */
function loaded(tree: RouteTree): Promise<Routes> {
  if (!platform.load) throw fault("platform", ["disk to load from"])
  return platform.load(tree)
}

function errorPagesOf(routes: Routes): ErrorPages | undefined {
  if (!(typeof FW_ON_ERROR === "undefined" || FW_ON_ERROR)) leftOut("ON_ERROR")
  return typeof FW_PAGES === "undefined" || FW_PAGES ? errorPages(routes) : leftOut("PAGES")
}

/** Checks routes. @throws FwError `mount` for a value that is not the routes that fw generates. */
function checkRoutes(given: unknown): void {
  const { tree, modules } = Object(given) as Partial<Routes>
  if (Array.isArray(tree?.routes) && typeof modules === "object" && modules !== null) return
  throw fault("mount.routes", [given])
}

/**
 * Calls every middleware file once, in the tree's order. Each returns one or several middleware, the first
 * outermost.
 */
export function mountMiddleware(routes: Routes): MiddlewareFunc[][] {
  return routes.tree.middleware.map(({ file }) => {
    const make = exported<() => unknown>(routes, file, "Middleware")
    if (make.length > 0) throw takesNext(file)
    const given = make()
    const list: unknown[] = Array.isArray(given) ? given : [given]
    return list.map((middleware) => {
      checkMiddleware(middleware, `Middleware() of ${file}`)
      // A separate function, because another file may return the same one.
      const own: MiddlewareFunc = Object.assign((next: Next) => middleware(next), middleware)
      middlewareFiles.set(own, file)
      return own
    })
  })
}

/**
 * Returns the error for a `Middleware` with a parameter. It is called without arguments; one that takes
 * `next` is itself a middleware.
 */
function takesNext(file: string): FwError {
  return fault("middleware.direct", [file], { at: { file } })
}

/** Registers every route and every page of the tree with the middleware of its directories. */
export function mountRoutes(
  table: RouteTable,
  routes: Routes,
  middleware: ReadonlyArray<readonly MiddlewareFunc[]>,
): void {
  const layoutAt = typeof FW_PAGES === "undefined" || FW_PAGES ? layoutsOf(routes) : undefined
  const add = (method: string, at: TreeRoute | TreePage, handler: HandlerFunc) => {
    const wraps = at.middleware.flatMap((index) => middleware[index] ?? [])
    const pattern = named(parsePattern(at.pattern), at.rest)
    if (typeof FW_PAGES === "undefined" || FW_PAGES) keepLayout(pattern, layoutAt?.(at.layout))
    table.add({ method, pattern, handler, middleware: wraps, source: at.file })
  }
  for (const route of routes.tree.routes) {
    const { method, file, export: name } = route
    const isSocket = method === socketMethod
    const handler = isSocket
      ? socketHandler(exported<SocketFunc>(routes, file, name), route.pattern)
      : exported<HandlerFunc>(routes, file, name)
    add(method, route, handler)
  }
  for (const page of routes.tree.pages) {
    if (typeof FW_PAGES === "undefined" || FW_PAGES)
      add("GET", page, pageHandler(routes, page, layoutAt?.(page.layout)))
    else leftOut("PAGES")
  }
  if ((typeof FW_DEFER === "undefined" || FW_DEFER) && routes.tree.layouts.length > 0) {
    const pattern = parsePattern(scriptPath)
    table.add({ method: "GET", pattern, handler: scriptHandler, middleware: [], source: "{defer}" })
  }
}

function socketHandler(run: SocketFunc, pattern: string): HandlerFunc {
  return typeof FW_SOCKETS === "undefined" || FW_SOCKETS ? socketRoute(run, pattern) : leftOut("SOCKETS")
}

/** Returns the pattern with its final `*` renamed to the directory's name. */
function named(pattern: Pattern, rest: string | undefined): Pattern {
  if (rest === undefined) return pattern
  return { ...pattern, names: pattern.names.map((name) => (name === "*" ? rest : name)) }
}
