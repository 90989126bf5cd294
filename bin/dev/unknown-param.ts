/** Calls of `c.param()` with a name that no parameter of the request's route has. */
import { type Pattern, parsePattern } from "../../lib/pattern.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { nearest } from "../cli/suggest.ts"

/**
 * Returns the error for such a call; undefined where it may be meant: code that several routes share asks for a parameter that
 * only some of them have.
 *
 * @param file the file of the call, relative to the project.
 */
export function unknownParam(
  name: string,
  { text: pattern, names }: Pattern,
  method: string,
  tree: RouteTree,
  file: string | undefined,
): Error | undefined {
  const verb = method === "HEAD" ? "GET" : method
  const isOwn =
    tree.pages.some((page) => page.pattern === pattern && page.file === file) ||
    tree.routes.some((route) => route.pattern === pattern && route.file === file && route.method === verb)
  if (!isOwn && [...tree.pages, ...tree.routes].some((one) => namesOf(one.pattern).includes(name)))
    return undefined
  const all = nearestFirst(name, names)
  const [first] = all
  const has = first === undefined ? "It has none" : `It has ${all.join(", ")}`
  const fix =
    first === undefined
      ? `A directory in brackets makes a parameter, as in [${name}]. A value of the query is read with c.query(${JSON.stringify(name)}).`
      : `Write ${JSON.stringify(first)}, or rename the directory to [${name}]. With the type Context<${all.map((one) => JSON.stringify(one)).join(" | ")}>, the type check finds a wrong name.`
  const message = `the route ${pattern} has no parameter ${JSON.stringify(name)}. ${has}`
  return Object.assign(new TypeError(message), { fix })
}

function namesOf(pattern: string): readonly string[] {
  return parsePattern(pattern).names
}

/** Returns names with the most likely one first: a similar one, or one that is a part of the name. */
function nearestFirst(name: string, names: readonly string[]): string[] {
  const lower = name.toLowerCase()
  const near =
    nearest(name, names) ??
    names.find((one) => lower.includes(one.toLowerCase()) || one.toLowerCase().includes(lower))
  return [...names].sort((a, b) => Number(b === near) - Number(a === near))
}
