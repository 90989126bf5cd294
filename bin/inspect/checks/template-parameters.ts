/** Finds pages and error pages whose template expects other arguments than fw passes: the context, and nothing that a caller chose. */
import type { Parameter, Template } from "../../../lib/template/ast.ts"
import { parseModule } from "../../../lib/template/module.ts"
import { lineStarts, locate } from "../../../lib/template/position.ts"
import { type Finding, failure, warning } from "./finding.ts"
import { ofTemplates } from "./of-sources.ts"

/** The templates that fw calls, by the end of their file's name, with their parameters. */
const called: Readonly<Record<string, readonly [name: string, parameters: readonly string[]]>> = {
  "page.tpl": ["Page", ["c: Context"]],
  "not-found.tpl": ["NotFound", ["c: Context", "message: string"]],
  "error.tpl": ["Failure", ["c: Context", "status: number", "message: string"]],
}

/** A type that no context has: a primitive, a literal, an object or a list. */
const neverContext =
  /^(?:string|number|boolean|bigint|symbol|null|undefined|Date|["'`{[\d]|(?:readonly\s)?.*\[\]$)/s
/** Names that a context, or its type, probably has. */
const contextName = /^_*(?:c|ctx|context|req|request)$/i
const contextType = /c(?:on)?te?xt|^(?:C|any|unknown|never)\b/i

/** Returns the problem of a page whose first parameter cannot be the context. */
export function checkParameters(file: string, source: string): Finding[] {
  const found = calledTemplate(file, source)
  const first = found?.parameters[0]
  if (!found || !first || (!isDestructured(source, first) && !hasOwnType(source, first))) return []
  return [failure("page_parameters", placeOf(file, source, first), ...textsOf(file, source, first))]
}

/** Returns warnings for the pages of a project whose parameters are named as if they were not the context. */
export const unlikelyParameters = ofTemplates((file, text) =>
  nameOf(file) in called ? unlikelyIn(file, text) : [],
)

function unlikelyIn(file: string, text: string): Finding[] {
  const found = calledTemplate(file, text)
  const [first, second] = found?.parameters ?? []
  if (!found || !first || checkParameters(file, text).length > 0) return []
  const [, { length }] = called[nameOf(file)] as (typeof called)[string]
  const type = first.type ? text.slice(first.type.start, first.type.end).trim() : undefined
  const isContext = type === undefined ? contextName.test(first.name) : contextType.test(type)
  const odd = isContext ? (length === 1 && second && !second.optional ? second : undefined) : first
  return odd ? [warning("page_parameters", placeOf(file, text, odd), ...textsOf(file, text, odd))] : []
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1)
}

function calledTemplate(file: string, source: string): Template | undefined {
  const [wanted] = called[nameOf(file)] ?? []
  // Most templates of a project have other names.
  if (wanted === undefined || !source.includes(`template ${wanted}`)) return undefined
  const { parts, problems } = parseModule(source)
  // The compiler reports only these in such a file.
  if (problems.length > 0) return undefined
  return parts.find((part): part is Template => part.kind === "template" && part.name === wanted)
}

function isDestructured(source: string, { start }: Parameter): boolean {
  return source[start] === "{" || source[start] === "["
}

/** Returns true for a type that the file itself declares, or that no context has. */
function hasOwnType(source: string, { type }: Parameter): boolean {
  const text = type ? source.slice(type.start, type.end).trim() : ""
  if (text === "") return false
  const isDeclared =
    /^\w+$/.test(text) && new RegExp(`^(?:export )?(?:interface|class|enum) ${text} \\{`, "m").test(source)
  return isDeclared || neverContext.test(text)
}

function textsOf(
  file: string,
  source: string,
  { name, start, type }: Parameter,
): [what: string, fix: string] {
  const [template, parameters] = called[nameOf(file)] as (typeof called)[string]
  const shown = source.slice(start, type?.end ?? start + name.length).replace(/\s+/g, " ")
  const value = /^\w+$/.test(name) ? name : "item"
  const what = `fw calls ${template} with ${parameters.length === 1 ? "the context only" : "the context, the status and the message"}, and this one takes ${shown}`
  const text = type ? source.slice(type.start, type.end).trim() : ""
  const read =
    text === "" || /^(?:string|number)\b/.test(text)
      ? `The page reads values from it, such as c.param("${value}") or c.query("${value}").`
      : `The page gets its data itself, as in {const ${value} = await find(c.param("id"))}.`
  return [
    what,
    `Write template ${template}(${parameters.join(", ")}). ${read} A template with another name can take any values.`,
  ]
}

function placeOf(file: string, source: string, { start }: Parameter) {
  const { line, column } = locate(lineStarts(source), start)
  return { file, line: line + 1, column: column + 1 }
}
