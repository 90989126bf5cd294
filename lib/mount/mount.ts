/** From a scanned tree and its modules to registered routes. Called by `app.mount()`. */
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
import type { Routes, RouteTree, TreePage, TreeRoute } from "../tree.ts"
import type { HandlerFunc, MiddlewareFunc, Next, ProxyFunc } from "../types.ts"
import { exported } from "./module-exports.ts"
import { type ErrorPages, errorPages, pageHandler } from "./pages.ts"

declare const FW_PAGES: boolean
declare const FW_SOCKETS: boolean

/** What a mounted tree has beside its routes. */
export interface Mounted {
  readonly routes: Routes
  readonly errorPages: ErrorPages | undefined
}

/** Registers all that a tree has, the app's own where none is given; gives what else the app is to take from it. */
export async function mountTree(app: App, table: RouteTable, given: Routes | undefined): Promise<Mounted> {
  if (given !== undefined) checkRoutes(given)
  const scanned = app.routeTree
  if (!given && !scanned) throw fault("mount.nothing")
  const routes = given ?? (await loaded(scanned as RouteTree))
  const { proxy, notFound, error } = routes.tree
  if (proxy && app.hasProxy) throw fault("proxy", [proxy.file])
  // The guard stands before there is anything to guard: what fails here leaves nothing open.
  if (proxy) {
    const { matchers, excludes } = proxy
    app.setProxy(exported<ProxyFunc>(routes, proxy.file, "Proxy"), { matchers, excludes })
  }
  mountRoutes(table, routes, mountMiddleware(routes))
  return { routes, errorPages: notFound || error ? errorPagesOf(routes) : undefined }
}

/** @throws FwError `platform` where there is no disk to import from. */
function loaded(tree: RouteTree): Promise<Routes> {
  if (!platform.load) throw fault("platform", ["disk to load from"])
  return platform.load(tree)
}

function errorPagesOf(routes: Routes): ErrorPages | undefined {
  return typeof FW_PAGES === "undefined" || FW_PAGES ? errorPages(routes) : leftOut("PAGES")
}

/** @throws FwError `mount` for what is not the routes that fw generates. */
function checkRoutes(given: unknown): void {
  const { tree, modules } = Object(given) as Partial<Routes>
  if (Array.isArray(tree?.routes) && typeof modules === "object" && modules !== null) return
  throw fault("mount.routes", [given])
}

/** Calls every middleware file once, in the tree's order; each gives one middleware or several, the first outermost. */
export function mountMiddleware(routes: Routes): MiddlewareFunc[][] {
  return routes.tree.middleware.map(({ file }) => {
    const make = exported<() => unknown>(routes, file, "Middleware")
    if (make.length > 0) throw takesNext(file)
    const given = make()
    const list: unknown[] = Array.isArray(given) ? given : [given]
    return list.map((middleware) => {
      checkMiddleware(middleware, `Middleware() of ${file}`)
      // A function of its own, since another file may give the same one.
      const own: MiddlewareFunc = Object.assign((next: Next) => middleware(next), middleware)
      middlewareFiles.set(own, file)
      return own
    })
  })
}

/** `Middleware` is called without arguments: one that takes `next` is the middleware itself. */
function takesNext(file: string): FwError {
  return fault("middleware.direct", [file], { at: { file } })
}

/** Registers every route and every page of the tree in its directories' middleware. */
export function mountRoutes(
  table: RouteTable,
  routes: Routes,
  middleware: ReadonlyArray<readonly MiddlewareFunc[]>,
): void {
  const add = (method: string, at: TreeRoute | TreePage, handler: HandlerFunc) => {
    const wraps = at.middleware.flatMap((index) => middleware[index] ?? [])
    const pattern = named(parsePattern(at.pattern), at.rest)
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
    if (typeof FW_PAGES === "undefined" || FW_PAGES) add("GET", page, pageHandler(routes, page))
    else leftOut("PAGES")
  }
}

function socketHandler(run: SocketFunc, pattern: string): HandlerFunc {
  return typeof FW_SOCKETS === "undefined" || FW_SOCKETS ? socketRoute(run, pattern) : leftOut("SOCKETS")
}

/** The pattern with its final `*` under the directory's name. */
function named(pattern: Pattern, rest: string | undefined): Pattern {
  if (rest === undefined) return pattern
  return { ...pattern, names: pattern.names.map((name) => (name === "*" ? rest : name)) }
}
