/** Reads `export const prerender` of a page or a route file, which says whether its answers are made at build time. */
import { isWithinOneEdit } from "../one-edit.ts"
import { type ModuleExport, type ModuleText, toLocation } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { isLiteralEnd } from "./mcp-export.ts"
import type { ReportProblem } from "./walk.ts"

/** What is known about a file from its name and its directory. */
export interface PrerenderPlace {
  readonly role: "page" | "route" | "layout"
  /** The names of the parameters in its path. */
  readonly params: readonly string[]
  /** True for a page, and for a route file with `Get`. */
  readonly answersGet: boolean
}

/** Names, in lower case, that other frameworks have for the same export. */
const aliases = ["prerendered", "getstaticpaths", "generatestaticparams"]

/** Returns true if the answers of a file are made at build time. If the export has a mistake, they are not. */
export function readPrerender(module: ModuleText, place: PrerenderPlace, report: ReportProblem): boolean {
  const prerenderExport = module.exports.find(({ name }) => name === "prerender")
  if (prerenderExport) {
    const value = readValue(module, prerenderExport)
    const message = value === false ? null : findProblem(value, place)
    if (message) report(scanFault(message, [place.params], toLocation(module, prerenderExport)))
    return value !== false && message === null
  }
  const similarExport = module.exports.find(({ name }) => {
    const lower = name.toLowerCase()
    return aliases.includes(lower) || isWithinOneEdit(lower, "prerender")
  })
  if (similarExport && place.role !== "layout")
    report(scanFault("exports.near", [similarExport.name, "prerender"], toLocation(module, similarExport)))
  return false
}

/** Returns the name of the message about a value of `prerender` that is wrong in this place; null for a valid one. */
function findProblem(value: true | "function" | null, { role, params, answersGet }: PrerenderPlace) {
  if (role === "layout") return "prerender_export.layout"
  if (!answersGet) return "prerender_export.get"
  if (params.length > 0) return value === "function" ? null : "prerender_export.list"
  return value === true ? null : "prerender_export.literal"
}

/** Returns the value of an export that is `true` or `false`, `function` if it may be a function, and null otherwise. */
function readValue({ tokens }: ModuleText, { kind, value }: ModuleExport): boolean | "function" | null {
  if (kind === "value") return "function"
  const text = value === undefined ? undefined : tokens[value]?.text
  if ((text !== "true" && text !== "false") || !isLiteralEnd(tokens[(value as number) + 1])) return null
  return text === "true"
}
