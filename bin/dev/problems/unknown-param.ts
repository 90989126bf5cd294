/** Finds calls of `c.param()` with a name that the request's route does not have. */
import { type Pattern, parsePattern } from "../../../lib/pattern.ts"
import type { RouteTree, TreePage } from "../../../lib/tree.ts"
import { findNearest } from "../../cli/find-nearest.ts"

/**
 * Returns the error for a call with an unknown name; undefined if the call may be right, because the code may also
 * serve other routes.
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
  const routesOfFile = routes.filter((one) => one.file === file)
  const possibleRoutes = routesOfFile.some((one) => one.pattern === pattern) ? routesOfFile : routes
  if (possibleRoutes.some((one) => findNames(one).includes(name))) return undefined
  // The tree does not have the routes that the main file registers, and this code may serve one of them.
  if (!routes.some((one) => one.pattern === pattern)) return undefined
  const sortedNames = sortByNearness(name, names)
  const [first] = sortedNames
  const nameList = first === undefined ? "It has none" : `It has ${sortedNames.join(", ")}`
  const fix =
    first === undefined
      ? `A directory in brackets makes a parameter, as in [${name}]. A value of the query is read with c.query(${JSON.stringify(name)}).`
      : `Write ${JSON.stringify(first)}, or rename the directory to [${name}]. With the type Context<${sortedNames.map((one) => JSON.stringify(one)).join(" | ")}>, the type check finds a wrong name.`
  const message = `the route ${pattern} has no parameter ${JSON.stringify(name)}. ${nameList}`
  return Object.assign(new TypeError(message), { fix })
}

/** Returns the names of a route's parameters. A catch-all has the name of its directory. */
function findNames({ pattern, rest }: Pick<TreePage, "pattern" | "rest">): readonly string[] {
  const { names } = parsePattern(pattern)
  return rest === undefined ? names : [...names, rest]
}

/** Sorts names by similarity: first a similar name, or one that is a part of the given name. */
function sortByNearness(name: string, names: readonly string[]): string[] {
  const lower = name.toLowerCase()
  const nearest =
    findNearest(name, names) ??
    names.find((one) => lower.includes(one.toLowerCase()) || one.toLowerCase().includes(lower))
  return [...names].sort((a, b) => Number(b === nearest) - Number(a === nearest))
}
