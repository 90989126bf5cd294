/** Reads `export const prerender` of a page or a route file: whether its answers are made at build time. */
import { isWithinOneEdit } from "../one-edit.ts"
import type { ModuleExport, ModuleText } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { isLiteralEnd } from "./mcp-export.ts"
import type { ReportProblem } from "./walk.ts"

/** What the place of a file says about its export. */
export interface PrerenderPlace {
  readonly role: "page" | "route" | "layout"
  /** Names of the parameters of its path. */
  readonly params: readonly string[]
  /** True for a page, and a route file with `Get`. */
  readonly answersGet: boolean
}

/** Names of the same export in other frameworks, in small letters. */
const aliases = ["prerendered", "getstaticpaths", "generatestaticparams"]

/** Returns true if the answers of a file are made at build time. If anything is wrong with the export, they are not. */
export function readPrerender(module: ModuleText, place: PrerenderPlace, report: ReportProblem): boolean {
  const found = module.exports.find(({ name }) => name === "prerender")
  if (found) {
    const value = readValue(module, found)
    const message = value === false ? null : findProblem(value, place)
    if (message) report(scanFault(message, [place.params], toLocation(module, found)))
    return value !== false && message === null
  }
  const near = module.exports.find(({ name }) => {
    const lower = name.toLowerCase()
    return aliases.includes(lower) || isWithinOneEdit(lower, "prerender")
  })
  if (near && place.role !== "layout")
    report(scanFault("exports.near", [near.name, "prerender"], toLocation(module, near)))
  return false
}

/** Returns the message about a value that the file cannot have; null for a right one. */
function findProblem(value: true | "function" | null, { role, params, answersGet }: PrerenderPlace) {
  if (role === "layout") return "prerender_export.layout"
  if (!answersGet) return "prerender_export.get"
  if (params.length > 0) return value === "function" ? null : "prerender_export.list"
  return value === true ? null : "prerender_export.literal"
}

/** Returns the value: `function` for what may be one; null for any other data. */
function readValue({ tokens }: ModuleText, { kind, value }: ModuleExport): boolean | "function" | null {
  if (kind === "value") return "function"
  const text = value === undefined ? undefined : tokens[value]?.text
  if ((text !== "true" && text !== "false") || !isLiteralEnd(tokens[(value as number) + 1])) return null
  return text === "true"
}

function toLocation({ file }: ModuleText, { line, column }: ModuleExport) {
  return { at: { file, line, column } }
}
