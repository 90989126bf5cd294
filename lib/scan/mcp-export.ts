/** Reads `export const mcp` of a route file, which lists the methods that are offered to language models. */
import type { FwError } from "../errors.ts"
import { type HandlerExport, offerableExports } from "../tree.ts"
import { type ModuleExport, type ModuleText, toLocation } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { parseStringLiteral } from "./proxy-config.ts"
import type { ModuleToken } from "./tokens.ts"
import type { ReportProblem } from "./walk.ts"

/** Names, in lower case, that are probably meant to be `mcp`. */
const misspellings = ["mcp", "mcps", "mpc"]

/**
 * Returns the handlers that the export offers. If the export has a mistake, it offers none.
 *
 * @param handlers the handlers that the file exports.
 */
export function readOfferedHandlers(
  module: ModuleText,
  handlers: readonly HandlerExport[],
  report: ReportProblem,
): readonly HandlerExport[] {
  const mcpExport = module.exports.find(({ name }) => name === "mcp")
  if (!mcpExport) {
    const misspelledExport = module.exports.find(({ name }) => misspellings.includes(name.toLowerCase()))
    if (misspelledExport)
      report(scanFault("exports.near", [misspelledExport.name, "mcp"], toLocation(module, misspelledExport)))
    return []
  }
  const names = readLiteral(module, mcpExport)
  const problems = names
    ? findProblems(names, handlers, toLocation(module, mcpExport))
    : [createLiteralError(module, mcpExport)]
  for (const problem of problems) report(problem)
  return problems.length > 0 ? [] : (names as readonly HandlerExport[])
}

function createLiteralError(module: ModuleText, mcpExport: ModuleExport): FwError {
  return scanFault("mcp_export.literal", [], toLocation(module, mcpExport))
}

function findProblems(
  names: readonly string[],
  handlers: readonly string[],
  place: ReturnType<typeof toLocation>,
): FwError[] {
  return names.flatMap((name) => {
    if (!offerableExports.some((known) => known === name))
      return [scanFault("mcp_export.method", [name, offerableExports], place)]
    return handlers.includes(name) ? [] : [scanFault("mcp_export.missing", [name], place)]
  })
}

/** Returns the method names in the literal; `true` stands for `Get`. Returns null for any other expression. */
function readLiteral({ tokens }: ModuleText, { value }: ModuleExport): readonly string[] | null {
  if (value === undefined) return null
  const first = tokens[value]?.text
  if (first === "true" || first === "false") {
    if (!isLiteralEnd(tokens[value + 1])) return null
    return first === "true" ? ["Get"] : []
  }
  const end = tokens.findIndex(({ text }, at) => at > value && text === "]")
  if (first !== "[" || end < 0 || !isLiteralEnd(tokens[end + 1])) return null
  const items = tokens.slice(value + 1, end)
  const isList = items.every(({ kind, text }, at) => (at % 2 === 0 ? kind === "string" : text === ","))
  return isList ? items.filter(({ kind }) => kind === "string").map(({ text }) => parseStringLiteral(text)) : null
}

/** Returns true if a token shows that the literal before it has ended. */
export function isLiteralEnd(token: ModuleToken | undefined): boolean {
  return !token || token.isOnNewLine || [";", "as", "satisfies"].includes(token.text)
}
