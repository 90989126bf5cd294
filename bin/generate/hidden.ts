/** Checks that new routes take no requests from what answers them now: static files, and routes of the main file. */
import { parsePattern, patternShape } from "../../lib/pattern.ts"
import { claims } from "../../lib/router.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { moduleOf } from "../inspect/checks/misplaced-files.ts"
import { answersOf } from "../inspect/links/answers.ts"
import { registeredIn } from "../inspect/links/registered.ts"
import { routerOf } from "../inspect/tree-router.ts"
import { newFault } from "../messages/new.ts"
import { mainOf } from "../project/project.ts"

/** The routes of a project before and after new files are written; null if they cannot be scanned. */
export interface Trees {
  readonly before: RouteTree | null
  readonly after: RouteTree
}

/** Checks the routes that are new. @throws FwError `path` for the first that takes requests from something else. */
export async function checkHidesNothing(root: string, appDir: string, trees: Trees): Promise<void> {
  const known = new Set(trees.before ? endpointsOf(trees.before).map(({ key }) => key) : [])
  const added = endpointsOf(trees.after).filter(({ key }) => !known.has(key))
  if (added.length === 0) return
  const main = mainOf({ root, appDir })
  const module = main === null ? null : await moduleOf(root, main)
  const registered = await registeredIn(root, module)
  for (const { method, pattern, file, isWhole } of registered.routes) {
    const same = added.find((one) => {
      return one.shape === patternShape(pattern) && (method === "*" || method === one.method)
    })
    // A group adds its prefix, and a call such as client.get("/users") is of something else than an app.
    if (same && file === main && isWhole)
      throw newFault("path.route", [same.pattern, file], { at: { file: same.file } })
  }
  const { served } = await answersOf(root, trees.after, module, null, registered)
  const [now, then] = [trees.before, trees.after].map((tree) => tree && routerOf(tree).router)
  for (const { prefix, dir, by, paths } of served) {
    const taken = by === "default" && paths.size > 0
    const first = added.find(({ pattern }) => pattern === prefix || pattern.startsWith(`${prefix}/`))
    if (taken && first && then && claims(then, prefix) && !(now && claims(now, prefix)))
      throw newFault("path.directory", [first.pattern, dir], { at: { file: first.file } })
    const hidden = [...paths].filter(
      (path) => then?.find("GET", path)?.route && !now?.find("GET", path)?.route,
    )
    const [path] = hidden
    const file = path === undefined ? undefined : then?.find("GET", path)?.route?.source
    if (file !== undefined) throw newFault("path.files", [file, dir, hidden], { at: { file } })
  }
}

/** A method and a pattern that files answer. */
function endpointsOf({ routes, pages }: RouteTree) {
  return [...routes, ...pages.map((page) => ({ ...page, method: "GET" }))].map(
    ({ method, pattern, file }) => {
      const shape = patternShape(parsePattern(pattern))
      return { method, pattern, file, shape, key: `${method} ${shape}` }
    },
  )
}
