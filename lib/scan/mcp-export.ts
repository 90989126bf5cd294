/** Reads `export const mcp` of a route file: the methods that are offered to language models. */
import type { FwError } from "../errors.ts"
import { type HandlerExport, offeredExports } from "../tree.ts"
import type { ModuleExport, ModuleText } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { stringValue } from "./proxy-config.ts"
import type { Token } from "./tokens.ts"
import type { Report } from "./walk.ts"

/** Spellings, in small letters, that are meant to be `mcp`. */
const near = ["mcp", "mcps", "mpc"]

/**
 * Returns the handlers that the export offers. If anything is wrong with it, it offers none.
 *
 * @param handlers the handlers that the file exports.
 */
export function readOffered(
  module: ModuleText,
  handlers: readonly HandlerExport[],
  report: Report,
): readonly HandlerExport[] {
  const found = module.exports.find(({ name }) => name === "mcp")
  if (!found) {
    const wrong = module.exports.find(({ name }) => near.includes(name.toLowerCase()))
    if (wrong) report(scanFault("exports.near", [wrong.name, "mcp"], placeOf(module, wrong)))
    return []
  }
  const names = literalOf(module, found)
  const problems = names ? problemsOf(names, handlers, placeOf(module, found)) : [unreadable(module, found)]
  for (const problem of problems) report(problem)
  return problems.length > 0 ? [] : (names as readonly HandlerExport[])
}

function unreadable(module: ModuleText, found: ModuleExport): FwError {
  return scanFault("mcp_export.literal", [], placeOf(module, found))
}

function problemsOf(
  names: readonly string[],
  handlers: readonly string[],
  place: ReturnType<typeof placeOf>,
): FwError[] {
  return names.flatMap((name) => {
    if (!offeredExports.some((known) => known === name))
      return [scanFault("mcp_export.method", [name, offeredExports], place)]
    return handlers.includes(name) ? [] : [scanFault("mcp_export.missing", [name], place)]
  })
}

function placeOf({ file }: ModuleText, { line, column }: ModuleExport) {
  return { at: { file, line, column } }
}

/** Returns the names in the literal; null for any other expression. `true` is `Get`. */
function literalOf({ tokens }: ModuleText, { value }: ModuleExport): readonly string[] | null {
  if (value === undefined) return null
  const first = tokens[value]?.text
  if (first === "true" || first === "false") {
    if (!isEnd(tokens[value + 1])) return null
    return first === "true" ? ["Get"] : []
  }
  const end = tokens.findIndex(({ text }, at) => at > value && text === "]")
  if (first !== "[" || end < 0 || !isEnd(tokens[end + 1])) return null
  const items = tokens.slice(value + 1, end)
  const isList = items.every(({ kind, text }, at) => (at % 2 === 0 ? kind === "string" : text === ","))
  return isList ? items.filter(({ kind }) => kind === "string").map(({ text }) => stringValue(text)) : null
}

/** Returns true for the token after a whole literal. */
function isEnd(token: Token | undefined): boolean {
  return !token || token.newline || [";", "as", "satisfies"].includes(token.text)
}
