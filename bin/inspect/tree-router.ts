/** The router of a scanned tree, without any of its code: the app's own, with empty handlers. Used by `fw routes --explain` and `fw validate`. */
import { mountRoutes } from "../../lib/mount/mount.ts"
import { parsePattern, patternShape } from "../../lib/pattern.ts"
import { type Endpoint, type Route, RouteTable } from "../../lib/router.ts"
import type { RouteTree } from "../../lib/tree.ts"
import type { MiddlewareFunc } from "../../lib/types.ts"

/** A router to ask, and what would run. */
export interface TreeRouter {
  readonly router: RouteTable
  /** The middleware files around a route, or around an endpoint's own answers (405, OPTIONS, redirects): outermost first. */
  chainOf(found: Route | Endpoint): readonly string[]
}

type Link = Route["run"]

const never = () => {
  throw new Error("this router is asked, and never run")
}

/** Every export that a file of a tree may have, doing nothing. */
const nothing = {
  Get: never,
  Post: never,
  Put: never,
  Patch: never,
  Delete: never,
  Head: never,
  Options: never,
  Socket: never,
  Page: never,
  Layout: never,
}

/** Registers a tree as `app.mount()` does. Of two that claim the same, which a scan reports, the first is kept. */
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
