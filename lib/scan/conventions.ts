/** Checks that convention files export what they must, and finds exports that are probably mistakes. */
import { FwError } from "../errors.ts"
import { isWithinOneEdit } from "../one-edit.ts"
import { type HandlerExport, handlerExports } from "../tree.ts"
import { type ModuleExport, type ModuleText, readModule, toLocation } from "./exports.ts"
import { scanFault } from "./fault.ts"
import type { FileRole } from "./file-names.ts"
import { readOfferedHandlers } from "./mcp-export.ts"
import { type ProxyLiteral, readProxyConfig } from "./proxy-config.ts"
import type { ReportProblem } from "./walk.ts"

/** A handler that a route file exports. */
export interface HandlerText {
  readonly name: HandlerExport
  readonly line: number
  readonly comment?: string
  /** True if the file offers the handler to language models. */
  readonly mcp?: true
}

/** The main export of each role, and an example of it. */
const mainExports = {
  route: { name: "Get", example: "export function Get(c) { … }" },
  middleware: {
    name: "Middleware",
    example: "export function Middleware() { return (next) => (c) => next(c) }",
  },
  proxy: { name: "Proxy", example: "export function Proxy(c) { return proxy.continue() }" },
  page: { name: "Page", example: "export function Page(c) { … }" },
  layout: { name: "Layout", example: "export function Layout(title, c, children) { … }" },
  job: { name: "Job", example: "export async function Job(payload, job) { … }" },
} as const

/** The main template of each role. */
const mainTemplates = {
  page: "Page(c: Context)",
  layout: "Layout(title: string)",
  "not-found": "NotFound(c: Context, message: string)",
  error: "Failure(c: Context, status: number, message: string)",
} as const

/** A role whose file may contain templates. */
export type TemplateRole = keyof typeof mainTemplates

/** A file, and the names that it exports. */
type NamedModule = Pick<ModuleText, "file" | "exports">

/** Names that other frameworks have for the same exports. */
const exportAliases: Readonly<Record<string, readonly string[]>> = {
  Middleware: ["onrequest", "handle", "handler", "use"],
  Proxy: ["middleware", "handle", "handler"],
  ProxyConfig: ["config"],
  Page: ["index"],
  Layout: ["rootlayout"],
  NotFound: ["page", "not_found"],
  Failure: ["error", "errorpage", "page"],
  Job: ["run", "handle", "handler", "perform", "process"],
}

const handlerNames = Object.keys(handlerExports) as HandlerExport[]

/** A role whose file is code with a known export. */
export type CodeRole = keyof typeof mainExports

/** Returns the handlers of a route file, in the order of {@link handlerExports}. */
export function readHandlers(module: ModuleText, report: ReportProblem): HandlerText[] {
  const handlers: HandlerText[] = []
  let hasProblems = reportFormProblems("route", module, report)
  for (const moduleExport of module.exports) {
    const problem = isHandlerName(moduleExport.name)
      ? findCallProblem(module, moduleExport)
      : findMisspelledHandler(module, moduleExport)
    if (problem) report(problem)
    else if (isHandlerName(moduleExport.name)) handlers.push(toRouteHandler(moduleExport.name, moduleExport))
    hasProblems ||= problem !== null
  }
  if (handlers.length === 0 && !hasProblems) {
    report(scanFault("exports.none", [mainExports.route.example, handlerNames], { at: { file: module.file } }))
  }
  const offeredHandlers = readOfferedHandlers(
    module,
    handlers.map(({ name }) => name),
    report,
  )
  return handlers
    .map((handler): HandlerText => (offeredHandlers.includes(handler.name) ? { ...handler, mcp: true } : handler))
    .sort((a, b) => handlerNames.indexOf(a.name) - handlerNames.indexOf(b.name))
}

/** Checks that a file with another role than `route` has its main export. */
export function checkExport(role: Exclude<CodeRole, "route">, module: ModuleText, report: ReportProblem): void {
  const { name, example } = mainExports[role]
  const hasProblems = reportFormProblems(role, module, report)
  const mainExport = module.exports.find((item) => item.name === name)
  if (mainExport) {
    const problem = findCallProblem(module, mainExport)
    if (problem) report(problem)
  } else if (!hasProblems) {
    const { file } = module
    report(findMisspelling(module, name) ?? scanFault("exports.missing", [name, example], { at: { file } }))
  }
}

/** Checks that a template file contains its main template. The compiler reports other mistakes. */
export function checkTemplateFile(role: TemplateRole, file: string, source: string, report: ReportProblem): void {
  const form = mainTemplates[role]
  const name = form.slice(0, form.indexOf("("))
  // If a word such as `export` is before `template`, the message of the compiler is better.
  if (new RegExp(`\\btemplate\\s+${name}\\b`).test(source)) return
  const exports = readTemplateExports(source)
  const mainExport = exports.find((one) => one.name === name)
  if (mainExport && mainExport.kind !== "data") return
  report(
    (mainExport ? null : findMisspelling({ file, exports }, name)) ??
      scanFault("exports.template", [name, form], { at: { file } }),
  )
}

const exportHead =
  /^\ufeff?(?:(?:template|export (?:async )?(?:function|const|let|var))[ \t*]+([\p{ID_Start}$_][\p{ID_Continue}$]*)|export \{([^{}]*)\})/gmu

/**
 * Returns one export of a template file as a module. If it is missing, the module has the names of the other exports.
 */
export function readTemplateExport(file: string, source: string, name: string): ModuleText {
  const heads = [...source.matchAll(exportHead)]
  const headIndex = heads.findIndex(({ 1: found }) => found === name)
  if (headIndex < 0) return { source, file, tokens: [], exports: readTemplateExports(source) }
  const start = heads[headIndex]?.index as number
  const lines = "\n".repeat(source.slice(0, start).split("\n").length - 1)
  // What looks like the start of the next export may be in a literal, as in `const example = "template Page() {…}"`.
  // Then the text ends later.
  const ends = heads.slice(headIndex + 1).map(({ index }) => index)
  for (const end of ends) {
    try {
      return readModule(lines + source.slice(start, end), { file, allowsJSX: false })
    } catch (error) {
      if (!(error instanceof FwError)) throw error
    }
  }
  return readModule(lines + source.slice(start), { file, allowsJSX: false })
}

/** Returns the kind of the export with which a text begins; `value` if the rest of the text is not TypeScript. */
function readExportKind(source: string): ModuleExport["kind"] {
  if (!source.startsWith("export ")) return "value"
  try {
    return readModule(source, { file: "", allowsJSX: false }).exports[0]?.kind ?? "value"
  } catch (error) {
    if (error instanceof FwError) return "value"
    throw error
  }
}

/** Returns the templates and the named exports of a template file. Only the beginnings of lines are read. */
function readTemplateExports(source: string): ModuleExport[] {
  let line = 1
  let lineOffset = 0
  const heads = [...source.matchAll(exportHead)]
  return heads.flatMap(({ 0: head, 1: name, 2: list = "", index }, at): ModuleExport[] => {
    line += source.slice(lineOffset, index).split("\n").length - 1
    lineOffset = index
    if (name !== undefined) {
      const kind = readExportKind(source.slice(index, heads[at + 1]?.index))
      return [{ name, kind, line, column: head.length - name.length + 1 }]
    }
    const names = list.split(",").map((item) => item.trim().replace(/^\S+\s+as\s+/, ""))
    return names.map((exported) => ({ name: exported, kind: "value", line, column: 1 }))
  })
}

/** Returns the `ProxyConfig` of a proxy file. Without it, the proxy runs for every path. */
export function readProxy(module: ModuleText, report: ReportProblem): ProxyLiteral {
  checkExport("proxy", module, report)
  const config = module.exports.find((item) => item.name === "ProxyConfig")
  if (!config) {
    const similarExport = findNearest("ProxyConfig", module.exports)
    if (similarExport) report(createRenameError(module, similarExport, "ProxyConfig"))
    return { matchers: [], excludes: [] }
  }
  try {
    return readProxyConfig(module, config)
  } catch (error) {
    if (!(error instanceof FwError)) throw error
    report(error)
    return { matchers: [], excludes: [] }
  }
}

/** Returns true if the file of a role may contain templates. */
export function isTemplateRole(role: FileRole): role is TemplateRole {
  return Object.hasOwn(mainTemplates, role)
}

/** Returns true if the file of a role is code with a known export. */
export function isCodeRole(role: FileRole): role is CodeRole {
  return Object.hasOwn(mainExports, role)
}

function isHandlerName(name: string): name is HandlerExport {
  return Object.hasOwn(handlerExports, name)
}

function toRouteHandler(name: HandlerExport, { line, comment }: ModuleExport): HandlerText {
  return comment === undefined ? { name, line } : { name, line, comment }
}

/** Returns the error for an export that cannot be a handler because of its form; null for any other. */
function findFormProblem(role: CodeRole, module: ModuleText, moduleExport: ModuleExport): FwError | null {
  const { name } = moduleExport
  const place = toLocation(module, moduleExport)
  // A generator with another name is a helper of the file.
  if (moduleExport.isGenerator && (isHandlerName(name) || name === mainExports[role].name))
    return scanFault("exports.generator", [name], place)
  if (moduleExport.kind === "default") return scanFault("exports.default", [role, mainExports[role].example], place)
  if (moduleExport.kind === "star") return scanFault("exports.star", [mainExports[role].name], place)
  return moduleExport.kind === "pattern" ? scanFault("exports.pattern", [mainExports[role].name], place) : null
}

/** Reports exports whose form cannot be read, or cannot answer. Returns true if there are any. */
function reportFormProblems(role: CodeRole, module: ModuleText, report: ReportProblem): boolean {
  let hasProblems = false
  for (const moduleExport of module.exports) {
    const problem = findFormProblem(role, module, moduleExport)
    if (problem) report(problem)
    hasProblems ||= problem !== null
  }
  return hasProblems
}

function findCallProblem(module: ModuleText, moduleExport: ModuleExport): FwError | null {
  return moduleExport.kind === "data"
    ? scanFault("exports.data", [moduleExport.name], toLocation(module, moduleExport))
    : null
}

/** Returns the error for an export of a route file whose name resembles that of a handler; null for any other. */
function findMisspelledHandler(module: ModuleText, moduleExport: ModuleExport): FwError | null {
  const { name, kind } = moduleExport
  if (kind !== "value") return null
  const lower = name.toLowerCase()
  const handlerName =
    lower === "del"
      ? "Delete"
      : name === "Any" || name === "ANY"
        ? "All"
        : /^(?:Web[Ss]ocket|WEBSOCKET|W[sS])$/.test(name)
          ? "Socket"
          : handlerNames.find((handler) => {
              const isSimilar = /^[A-Z]/.test(name) && isWithinOneEdit(lower, handler.toLowerCase())
              return lower === handler.toLowerCase() || isSimilar
            })
  if (handlerName) return createRenameError(module, moduleExport, handlerName)
  if (!/^(?:T(?:race|RACE)|C(?:onnect|ONNECT))$/.test(name)) return null
  return scanFault("exports.handler", [name, handlerNames], toLocation(module, moduleExport))
}

function createRenameError(module: NamedModule, moduleExport: ModuleExport, name: string): FwError {
  return scanFault("exports.near", [moduleExport.name, name], toLocation(module, moduleExport))
}

/** Returns the error for an export whose name resembles the wanted one; null if there is none. */
function findMisspelling(module: NamedModule, name: string): FwError | null {
  const similarExport = findNearest(name, module.exports)
  return similarExport ? createRenameError(module, similarExport, name) : null
}

function findNearest(name: string, exports: readonly ModuleExport[]): ModuleExport | undefined {
  const wantedName = name.toLowerCase()
  const exact = exports.find((found) => isWithinOneEdit(found.name.toLowerCase(), wantedName))
  return exact ?? exports.find((found) => exportAliases[name]?.includes(found.name.toLowerCase()))
}
