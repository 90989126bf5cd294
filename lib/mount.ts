/** From a scanned tree and its modules to registered routes. Called by `app.mount()`. */
import { FwError } from "./errors.ts"
import { checkMiddleware } from "./group.ts"
import { type Pattern, parsePattern } from "./pattern.ts"
import type { ProxyConfig } from "./proxy.ts"
import type { Router } from "./router.ts"
import type { Routes } from "./tree.ts"
import type { HandlerFunc, MiddlewareFunc, ProxyFunc } from "./types.ts"

/** A function that a file of the tree exports. */
function exported(routes: Routes, file: string, name: string): (...args: never[]) => unknown {
  const module = routes.modules[file]
  if (!module)
    throw new FwError(
      "mount",
      `the routes hold no module for ${file}`,
      "Generate them again: run fw dev or fw build.",
      { at: { file } },
    )
  const value = module[name]
  if (typeof value === "function") return value as (...args: never[]) => unknown
  const what =
    value === undefined ? `exports no ${name}` : `exports ${name} as ${typeof value}, not a function`
  throw new FwError("mount", `${file} ${what}`, `Write: export function ${name}() { … }`, { at: { file } })
}

/** Calls every middleware file once, in the tree's order. */
export function mountMiddleware(routes: Routes): MiddlewareFunc[] {
  return routes.tree.middleware.map(({ file }) => {
    const middleware = exported(routes, file, "Middleware")()
    checkMiddleware(middleware, `Middleware() of ${file}`)
    return middleware
  })
}

/** Registers every route of the tree in its directories' middleware. */
export function mountRoutes(router: Router, routes: Routes, middleware: readonly MiddlewareFunc[]): void {
  for (const route of routes.tree.routes) {
    const handler = exported(routes, route.file, route.export) as HandlerFunc
    const wraps = route.middleware.map((index) => middleware[index] as MiddlewareFunc)
    const pattern = named(parsePattern(route.pattern), route.rest)
    router.add({ method: route.method, pattern, handler, middleware: wraps, source: route.file })
  }
}

/** The pattern with its final `*` under the directory's name. */
function named(pattern: Pattern, rest: string | undefined): Pattern {
  if (rest === undefined) return pattern
  return { ...pattern, names: pattern.names.map((name) => (name === "*" ? rest : name)) }
}

/** The proxy file's function and configuration. */
export function mountedProxy(routes: Routes): { proxy: ProxyFunc; config: ProxyConfig } | null {
  const { proxy } = routes.tree
  if (!proxy) return null
  return {
    proxy: exported(routes, proxy.file, "Proxy") as ProxyFunc,
    config: { matchers: proxy.matchers, excludes: proxy.excludes },
  }
}
