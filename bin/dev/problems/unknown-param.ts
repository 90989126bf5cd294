/** Calls of `c.param()` with a name that no parameter of the request's route has. */
import { type Pattern, parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree, TreePage } from "../../../lib/tree.ts"
import { findNearest } from "../../cli/find-nearest.ts"

/**
 * Returns the error for such a call; undefined where the call may be right: a file may have several routes, as with
 * an optional catch-all, and other code serves several files.
 *
 * @param file the file of the call, relative to the project.
 */
export function findUnknownParamError(
  name: string,
  { text: pattern, names }: Pattern,
  tree: RouteTree,
  file: string | undefined,
): Error | undefined {
  const routes = [...tree.pages, ...tree.routes]
  const own = routes.filter((one) => one.file === file)
  const possibleRoutes = own.some((one) => one.pattern === pattern) ? own : routes
  if (possibleRoutes.some((one) => findNames(one).includes(name))) return undefined
  // Routes that the program registers itself are not in the tree, so this code may also serve some of those.
  if (!routes.some((one) => one.pattern === pattern)) return undefined
  const all = sortByNearness(name, names)
  const [first] = all
  const has = first === undefined ? "It has none" : `It has ${all.join(", ")}`
  const fix =
    first === undefined
      ? `A directory in brackets makes a parameter, as in [${name}]. A value of the query is read with c.query(${JSON.stringify(name)}).`
      : `Write ${JSON.stringify(first)}, or rename the directory to [${name}]. With the type Context<${all.map((one) => JSON.stringify(one)).join(" | ")}>, the type check finds a wrong name.`
  const message = `the route ${pattern} has no parameter ${JSON.stringify(name)}. ${has}`
  return Object.assign(new TypeError(message), { fix })
}

/** Returns the names of the parameters of a route. A catch-all has the name of its directory. */
function findNames({ pattern, rest }: Pick<TreePage, "pattern" | "rest">): readonly string[] {
  const { names } = parsePattern(pattern)
  return rest === undefined ? names : [...names, rest]
}

/** Returns names with the most likely one first: a similar one, or one that is a part of the name. */
function sortByNearness(name: string, names: readonly string[]): string[] {
  const lower = name.toLowerCase()
  const near =
    findNearest(name, names) ??
    names.find((one) => lower.includes(one.toLowerCase()) || one.toLowerCase().includes(lower))
  return [...names].sort((a, b) => Number(b === near) - Number(a === near))
}
