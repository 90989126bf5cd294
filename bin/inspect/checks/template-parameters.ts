/**
 * Finds pages and error pages whose template has other parameters than those that fw passes.
 */
import { Context } from "../../../lib/context.ts"
import { type ModuleToken, tokenize } from "../../../lib/scan/tokens.ts"
import type { Parameter, Template } from "../../../template/ast.ts"
import { parseModule } from "../../../template/module.ts"
import { createTemplateCheck, type SourceProblem } from "./source-checks.ts"

/** The templates that fw calls, by the end of the file's name, and the parameters that they get. */
const calledTemplates: Readonly<Record<string, readonly [name: string, parameters: readonly string[]]>> = {
  "page.tpl": ["Page", ["c: Context"]],
  "not-found.tpl": ["NotFound", ["c: Context", "message: string"]],
  "error.tpl": ["Failure", ["c: Context", "status: number", "message: string"]],
}

/** Matches a type that a context cannot have: a primitive, a literal, a list, or a union of values. */
const neverContext = /^(?:string|number|boolean|bigint|symbol|null|undefined|Date|["'`[\d]|(?:readonly\s)?[^{}]*\[\]$)/s
/** Matches usual names of a context and of its type. */
const contextName = /^_*(?:c|ctx|context|req|request)$/i
const contextType = /c(?:on)?te?xt|^(?:C|any|unknown|never)\b/i

/**
 * Returns a warning for each page whose parameters probably do not match. It is not an error, because only the
 * types can tell for sure, and a build accepts such a page.
 */
export const findUnlikelyParameters = createTemplateCheck((text, file) => {
  const called = calledTemplates[file.slice(file.lastIndexOf("/") + 1)]
  return called ? checkParameters(text, ...called) : []
})

/** Returns the warning about the parameters of the template that fw calls. */
function checkParameters(source: string, name: string, expected: readonly string[]): SourceProblem[] {
  // A quick test: most templates of a project have other names.
  const { parts, problems } = source.includes(`template ${name}`) ? parseModule(source) : { parts: [], problems: [] }
  const template = parts.find((part): part is Template => part.kind === "template" && part.name === name)
  const [first, second] = template?.parameters ?? []
  // If a file cannot be parsed, the compiler reports only that.
  if (!first || problems.length > 0) return []
  const extra = expected.length === 1 && second && !second.isOptional ? second : undefined
  const unexpected = mayBeContext(source, first) ? extra : first
  if (!unexpected) return []
  return [
    { code: "page_parameters", offset: unexpected.start, ...describeParameter(source, unexpected, name, expected) },
  ]
}

/** Returns true if a parameter may be a context, as far as the text tells. */
function mayBeContext(source: string, { name, start, type }: Parameter): boolean {
  const text = type ? source.slice(type.start, type.end).trim() : ""
  if (neverContext.test(text) || source[start] === "[") return false
  if (contextType.test(text)) return true
  const members = source[start] === "{" ? source.slice(start, type?.start) : findMembers(source, text)
  if (members !== undefined) {
    const known = getContextMembers()
    return findRequiredNames(members).every((one) => known.has(one))
  }
  return contextName.test(name)
}

/** Returns the members of an object type, which may be declared in the file. */
function findMembers(source: string, type: string): string | undefined {
  if (type.startsWith("{")) return type
  if (!/^\w+$/.test(type)) return undefined
  const declaration = new RegExp(`^(?:export )?(?:(?:interface|class|enum) ${type}|type ${type} =) (\\{.*?^\\})`, "ms")
  return declaration.exec(source)?.[1]
}

/** Returns the names in a destructuring pattern or in the members of a type, without optional ones. */
function findRequiredNames(text: string): string[] {
  let tokens: readonly ModuleToken[]
  try {
    tokens = tokenize(text, { file: "", allowsJSX: false }).tokens.filter(({ depth }) => depth < 2)
  } catch {
    return []
  }
  return tokens.flatMap(({ text, kind, isOnNewLine }, at) => {
    const isFirst = /^(?:[{,;]|readonly)$/.test(tokens[at - 1]?.text ?? "") || isOnNewLine
    if (kind !== "word" || !isFirst || text === "readonly") return []
    const end = tokens.findIndex(({ text }, index) => index > at && /^[,;}]$/.test(text))
    const isOptional = tokens[at + 1]?.text === "?" || tokens.slice(at, end).some(({ text }) => text === "=")
    return isOptional ? [] : [text]
  })
}

/** Returns the names of the members that every context has. */
function getContextMembers(): ReadonlySet<string> {
  const names = ["error", "reported", "session", "log"]
  for (let at: object = Context.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at))
  return new Set(names)
}

function describeParameter(
  source: string,
  { name, start, type }: Parameter,
  template: string,
  expected: readonly string[],
): Pick<SourceProblem, "message" | "fix"> {
  const parameterText = source.slice(start, type?.end ?? start + name.length).replace(/\s+/g, " ")
  const value = /^\w+$/.test(name) ? name : "item"
  const passed = expected.length === 1 ? "the context only" : "the context, the status and the message"
  const text = type ? source.slice(type.start, type.end).trim() : ""
  const read =
    text === "" || /^(?:string|number)\b/.test(text)
      ? `The page reads values from it, such as c.param("${value}") or c.query("${value}").`
      : `The page gets its data itself, as in {const ${value} = await find(c.param("id"))}.`
  return {
    message: `fw calls ${template} with ${passed}, and this one takes ${parameterText}`,
    fix: `Write template ${template}(${expected.join(", ")}). ${read} A template with another name can take any values.`,
  }
}
