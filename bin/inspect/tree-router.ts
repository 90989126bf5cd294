/** A router for a scanned tree, without its code: the app's own router, with empty handlers. */
import { mountRoutes } from "../../lib/mount/mount.ts"
import { parsePattern, patternShape } from "../../lib/pattern.ts"
import { type Endpoint, type Route, RouteTable } from "../../lib/router.ts"
import type { RouteTree } from "../../lib/tree.ts"
import type { MiddlewareFunc } from "../../lib/types.ts"

/** The router, and the middleware of each route. */
export interface TreeRouter {
  readonly router: RouteTable
  /**
   * Returns the middleware files around a route, or around an endpoint's own responses (405, OPTIONS,
   * redirects), outermost first.
   */
  chainOf(found: Route | Endpoint): readonly string[]
}

type Link = Route["run"]

const never = () => {
  throw new Error("this router is asked, and never run")
}

/** Every possible export of a file in a tree, as an empty function. */
const nothing = {
  Get: never,
  Post: never,
  Put: never,
  Patch: never,
  Delete: never,
  Head: never,
  Options: never,
  All: never,
  Socket: never,
  Page: never,
  Layout: never,
}

/**
 * Registers a tree like `app.mount()`. Of two routes for the same requests, which a scan reports, the first
 * is kept.
 */
export function routerOf(tree: RouteTree): TreeRouter {
  const chains = new Map<Link, readonly string[]>()
  const files = new Map<MiddlewareFunc, string>()
  const middleware = tree.middleware.map(({ file }) => {
    const wrap: MiddlewareFunc = (next) => next
    files.set(wrap, file)
    return [wrap]
  })
  const router = new RouteTable((wraps) => {
    const link: Link = () => never()
    chains.set(
      link,
      wraps.map((wrap) => files.get(wrap) as string),
    )
    return link
  })
  const modules = new Proxy({}, { get: () => nothing })
  mountRoutes(router, { tree: withoutConflicts(tree), modules }, middleware)
  return { router, chainOf: (found) => chains.get("run" in found ? found.run : found.fallback) ?? [] }
}

function withoutConflicts(tree: RouteTree): RouteTree {
  const taken = new Set<string>()
  const isFirst = (method: string, pattern: string) => {
    const claim = `${method} ${patternShape(parsePattern(pattern))}`
    return !taken.has(claim) && taken.add(claim)
  }
  const routes = tree.routes.filter(({ method, pattern }) => isFirst(method, pattern))
  const pages = tree.pages.filter(({ pattern }) => isFirst("GET", pattern))
  return { ...tree, routes, pages }
}
