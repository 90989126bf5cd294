/** The files whose types a description needs. */
import type { Found } from "../../lib/scan/walk.ts"
import { moduleFile, type RouteTree } from "../../lib/tree.ts"

/** Returns the files of a tree with handlers, middleware or the proxy, and the main file. */
export function describedFiles(tree: RouteTree, main: string | null): string[] {
  const routes = tree.routes.map(({ file }) => file)
  const middleware = tree.middleware.map(({ file }) => file)
  return sorted([...routes, ...middleware, tree.proxy?.file, main])
}

/** Returns the same before the files are read, as far as their names show it: a route may have no handlers. */
export function filesToDescribe(found: readonly Found[], main: string | null): string[] {
  const files = found.filter(({ role }) => role === "route" || role === "middleware" || role === "proxy")
  return sorted([...files.map(({ file }) => file), main])
}

function sorted(files: readonly (string | undefined | null)[]): string[] {
  const known = files.filter((file) => file !== undefined && file !== null)
  return [...new Set(known.map(moduleFile))].sort()
}
