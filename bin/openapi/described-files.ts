/** The files whose types a description needs. */
import { moduleFile, type RouteTree } from "../../lib/tree.ts"

/** Returns the files of a tree with handlers, middleware or the proxy, and the main file. */
export function describedFiles(tree: RouteTree, main: string | null): string[] {
  const routes = tree.routes.map(({ file }) => file)
  const middleware = tree.middleware.map(({ file }) => file)
  const files = [...routes, ...middleware, tree.proxy?.file, main]
  const known = files.filter((file) => file !== undefined && file !== null)
  return [...new Set(known.map(moduleFile))].sort()
}
