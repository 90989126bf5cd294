/** Lists the files whose types a description of the routes needs. */
import { getModuleFile, type RouteTree } from "../../lib/tree.ts"

/** Returns the files with handlers, middleware or the proxy of a tree, and the main file. */
export function listDescribedFiles(tree: RouteTree, main: string | null): string[] {
  const routes = tree.routes.map(({ file }) => file)
  const middleware = tree.middleware.map(({ file }) => file)
  const files = [...routes, ...middleware, tree.proxy?.file, main]
  const known = files.filter((file) => file !== undefined && file !== null)
  return [...new Set(known.map(getModuleFile))].sort()
}
