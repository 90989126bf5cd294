/** Creates the app's own router for a scanned tree, with empty handlers, so that no code of the project runs. */
import { mountRoutes } from "../../lib/mount/mount.ts"
import { getPatternShape, parsePattern } from "../../lib/pattern.ts"
import { type Endpoint, type Route, RouteTable } from "../../lib/router.ts"
import type { RouteTree } from "../../lib/tree.ts"
import type { MiddlewareFunc } from "../../lib/types.ts"

/** The router, and the middleware of its routes. */
export interface TreeRouter {
  readonly router: RouteTable
  /**
   * Returns the middleware files of a route, or of fw's own responses for a path (405, OPTIONS, redirects), the
   * outermost first.
   */
  findChain(found: Route | Endpoint): readonly string[]
}

type ChainLink = Route["run"]

const throwIfRun = () => {
  throw new Error("this router is asked, and never run")
}

/** An empty function for every export that a file of the tree may have. */
const emptyModule = {
  Get: throwIfRun,
  Post: throwIfRun,
  Put: throwIfRun,
  Patch: throwIfRun,
  Delete: throwIfRun,
  Head: throwIfRun,
  Options: throwIfRun,
  All: throwIfRun,
  Socket: throwIfRun,
  Page: throwIfRun,
  Layout: throwIfRun,
}

/**
 * Registers a tree as `app.mount()` does. If two routes answer the same requests, which the scan reports, the first
 * one is kept.
 */
export function createTreeRouter(tree: RouteTree): TreeRouter {
  const chains = new Map<ChainLink, readonly string[]>()
  const files = new Map<MiddlewareFunc, string>()
  const middleware = tree.middleware.map(({ file }) => {
    const wrap: MiddlewareFunc = (next) => next
    files.set(wrap, file)
    return [wrap]
  })
  const router = new RouteTable((wrappers) => {
    const link: ChainLink = () => throwIfRun()
    chains.set(
      link,
      wrappers.map((wrap) => files.get(wrap) as string),
    )
    return link
  })
  const modules = new Proxy({}, { get: () => emptyModule })
  mountRoutes(router, { tree: removeConflicts(tree), modules }, middleware)
  return { router, findChain: (found) => chains.get("run" in found ? found.run : found.fallback) ?? [] }
}

function removeConflicts(tree: RouteTree): RouteTree {
  const claims = new Set<string>()
  const claimRoute = (method: string, pattern: string) => {
    const claim = `${method} ${getPatternShape(parsePattern(pattern))}`
    return !claims.has(claim) && claims.add(claim)
  }
  const routes = tree.routes.filter(({ method, pattern }) => claimRoute(method, pattern))
  const pages = tree.pages.filter(({ pattern }) => claimRoute("GET", pattern))
  return { ...tree, routes, pages }
}
