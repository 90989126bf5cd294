/**
 * Checks the types of a project with its own TypeScript: the exports of convention files, the templates, and all
 * files.
 */
import { parsePattern } from "../../../lib/pattern.ts"
import type { ModuleExport, ModuleText } from "../../../lib/scan/exports.ts"
import { getModuleFile, type RouteTree } from "../../../lib/tree.ts"
import { type Compiled, mapMessages, outputPath } from "../../../template/index.ts"
import { projectMessages } from "../../messages/project.ts"
import { jobsFile, renderJobsModule } from "../../project/jobs-module.ts"
import { linksFile, renderLinksModule } from "../../project/links-module.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import { type LineError as CheckError, openTypes, type TypeProgram } from "../../tools/typescript/program.ts"
import { listProblems } from "../../validators/prepare-validators.ts"
import { findFilesWithCalls, readCalls } from "../../validators/read-calls.ts"
import { createError, createWarning, type FilePosition, type Finding } from "./finding.ts"
import { findTypeErrors } from "./project-types.ts"

/** The result of checking types. */
export interface TypeCheckResult {
  readonly findings: readonly Finding[]
  /** Why the types could not be checked; null if they were. */
  readonly untyped: Untyped | null
  /** The number of files that were checked completely; 0 if fw is not installed in the project. */
  readonly files: number
}

/** A condition that a type must meet. It is a line of the check file. */
interface TypeCondition {
  readonly position: FilePosition
  readonly code: string
  readonly problem: string
  readonly fix: string
  /** The fix if a function returns nothing. */
  readonly emptyFix?: string
}

/** A file with its exports. */
export interface TypedSource {
  readonly file: string
  readonly module: ModuleText | null
  readonly template: Compiled | null
}

/** The project to check. */
export interface TypedProject {
  readonly root: string
  readonly tree: RouteTree
  /** All modules of the tree, and the main file. */
  readonly files: readonly string[]
  /** The files whose exports are checked. */
  readonly sources: readonly TypedSource[]
  /** All templates of the project, because pages may import any of them. */
  readonly templates: readonly Compiled[]
  readonly main: ModuleText | null
  /** The findings of other checks. */
  readonly knownFindings: readonly Finding[]
  /** True to report an error for every type that cannot be checked. */
  readonly isStrict: boolean
}

const checkFilePath = ".fw/validate.ts"
const checkFileHead = `import type { App, Context, HandlerFunc, MiddlewareFunc, ProxyFunc, SocketFunc } from "fw"
import type { Html } from "fw/html"
type Rendered = Html | Response | Promise<Html | Response>
type Title = string | ((c: Context) => string | Promise<string>)
type Named<F> = F extends (c: Context<infer P>) => unknown ? (string extends P ? never : P) : never
type Use<T extends readonly unknown[]> = T
`
/** The required type of the main export, by kind of file. */
const exportTypes = {
  Middleware: [
    "() => MiddlewareFunc | readonly MiddlewareFunc[]",
    "Write a function that returns the middleware, with () => before it: export const Middleware = () => rateLimit().",
  ],
  Proxy: ["ProxyFunc", "Return proxy.continue(), proxy.redirect(), proxy.rewrite() or proxy.responseJSON()."],
  Page: ["(c: Context) => Rendered", "Take the context, and return Html or a Response."],
  Layout: [
    "(title: string, c: Context, children: Html) => Html | Promise<Html>",
    "Take (title, c, children), and return Html.",
  ],
  title: ["Title", "Make it a string, or a function of the context that returns one or a promise of one."],
  default: ["App", projectMessages.main()[1]],
} as const

/**
 * The problem if TypeScript gives up, for example on a tuple type that contains itself. Nothing is known about the
 * export then.
 */
const tooDeepProblem = [
  "TypeScript cannot work out the type that this returns, because the type contains itself too often",
  "Write its return type, such as Response or Promise<Response>.",
] as const

/** Checks all types in one program. Does not run the project's code and writes nothing. */
export async function checkTypes(project: TypedProject): Promise<TypeCheckResult> {
  const check = new CheckFile(project)
  // The generated files are passed as texts, because they may be missing on the disk.
  const validTemplates = project.templates.filter(({ diagnostics }) => diagnostics.length === 0)
  const outputs = validTemplates.map(({ file, code }) => [outputPath(file), code] as const)
  const links = [linksFile, renderLinksModule(project.tree)] as const
  const jobs = renderJobsModule(project.tree)
  const generated = jobs === undefined ? [links] : [links, [jobsFile, jobs] as const]
  const virtual = new Map([...outputs, ...generated, [checkFilePath, check.text]])
  const types = await openTypes(project.root, { files: project.files, virtual })
  if ("untyped" in types) return { findings: [], untyped: types, files: 0 }
  try {
    const findings = types.findErrors(checkFilePath).flatMap(({ line, message }) => check.toFindings(line, message))
    for (const compiled of validTemplates)
      findings.push(...toTemplateFindings(compiled, types.findErrors(outputPath(compiled.file))))
    const projectTypes = findTypeErrors(types)
    findings.push(...checkCalls(types, project.isStrict))
    findings.push(...projectTypes.findings)
    const hasBrokenTemplates = validTemplates.length < project.templates.length
    return {
      findings: hasBrokenTemplates ? findings.filter(isOwnProblem) : findings,
      untyped: null,
      files: projectTypes.files,
    }
  } finally {
    types.close()
  }
}

/** Returns the calls that cannot be checked, and the first position where any value is accepted. */
function checkCalls(types: TypeProgram, isStrict: boolean): Finding[] {
  const calls = readCalls(types, findFilesWithCalls(types))
  return listProblems(calls, isStrict).map(({ isError, message, fix, ...spot }) =>
    (isError ? createError : createWarning)("validators", spot, message, fix),
  )
}

/** Returns false if the problem is only that another template does not compile. */
function isOwnProblem({ message }: Finding): boolean {
  return !/^Cannot find module .*'[^']*\.tpl\.ts'/.test(message)
}

/** Returns the type errors of a compiled template, with their positions in the `.tpl`. */
function toTemplateFindings(compiled: Compiled, errors: readonly CheckError[]): Finding[] {
  const messages = errors.map(({ line, column, message }) => {
    return { text: message, line, column: column - 1, unit: "utf16" as const }
  })
  return mapMessages(compiled, messages).map((found) => {
    return createError("template", found, found.message, found.fix)
  })
}

/** Returns the part of a TypeScript message that describes the mismatch. The rest repeats long types. */
function shortenMessage(message: string): string {
  return /^Type '.*?' does not satisfy the expected type '.*?'\. (\S.*)$/s.exec(message)?.[1] ?? message
}

/** The check file: TypeScript compares each export with its required type, one condition per line. */
class CheckFile {
  readonly conditions: (TypeCondition | null)[] = []
  readonly #knownFindings: readonly Finding[]
  readonly #lines: string[] = []

  constructor({ tree, sources, main, knownFindings }: TypedProject) {
    this.#knownFindings = knownFindings
    for (const [index, source] of sources.entries()) this.#addSource(index, source, tree)
    const exported = main?.exports.find(({ name }) => name === "default")
    if (main && exported) {
      this.#addImport("main", main.file)
      this.#addExport("main", main.file, exported)
    }
  }

  get text(): string {
    return `${checkFileHead}${this.#lines.join("\n")}\n`
  }

  /** Returns the finding for an error on a line of the check file. */
  toFindings(line: number, message: string): Finding[] {
    const condition = this.conditions[line - checkFileHead.split("\n").length]
    if (!condition) return []
    const { code, position, problem, fix, emptyFix = fix } = condition
    if (/excessively deep|infinitely circular/.test(message)) return [createError(code, position, ...tooDeepProblem)]
    const isEmpty = /Type '(?:Promise<)?void>?'/.test(message)
    if (isEmpty && this.#isUnsent(position)) return []
    return [createError(code, position, `${problem}: ${shortenMessage(message)}`, isEmpty ? emptyFix : fix)]
  }

  /** Returns true if a function returns nothing because it does not send an answer, which another check reports. */
  #isUnsent({ file, line: first = 0 }: FilePosition): boolean {
    const lines = this.conditions.flatMap((condition) =>
      condition?.position.file === file ? (condition.position.line ?? []) : [],
    )
    const next = Math.min(...lines.filter((line) => line > first))
    return this.#knownFindings.some(({ code, line, ...found }) => {
      return code === "unsent" && found.file === file && line !== null && line >= first && line < next
    })
  }

  #addLine(text: string, condition: TypeCondition | null): void {
    this.#lines.push(text)
    this.conditions.push(condition)
  }

  #addImport(name: string, file: string): void {
    this.#addLine(`import * as ${name} from ${JSON.stringify(`../${getModuleFile(file)}`)}`, null)
  }

  #addSource(index: number, { file, module, template }: TypedSource, tree: RouteTree): void {
    const name = `m${index}`
    const exports = module?.exports ?? template?.templates
    if (!exports || template?.diagnostics.length) return
    this.#addImport(name, file)
    for (const exported of exports) {
      if (exported.name in exportTypes) this.#addExport(name, file, exported)
      else this.#addHandler(name, file, exported, tree)
    }
  }

  #addExport(
    name: string,
    file: string,
    { name: exported, line, column }: Pick<ModuleExport, "name" | "line" | "column">,
  ): void {
    const [form, fix] = exportTypes[exported as keyof typeof exportTypes]
    const message = exported === "default" ? "the default export is not an App" : `${exported} has the wrong type`
    this.#addLine(`${name}.${exported} satisfies ${form}`, {
      position: { file, line, column },
      code: "types",
      problem: message,
      fix,
    })
  }

  /**
   * Adds the conditions of a handler: it must accept the context and return a response, and may use only parameters
   * of its path.
   */
  #addHandler(
    name: string,
    file: string,
    { name: exported, line, column }: Pick<ModuleExport, "name" | "line" | "column">,
    tree: RouteTree,
  ): void {
    const routes = tree.routes.filter((route) => route.file === file && route.export === exported)
    const route = routes.at(-1)
    if (!route) return
    const position = { file, line, column }
    const names = parsePattern(route.pattern).names.map((one) => (one === "*" ? (route.rest ?? one) : one))
    const union = names.map((one) => JSON.stringify(one)).join(" | ") || "never"
    const isSocket = exported === "Socket"
    const result = isSocket ? "what handles a connection" : "a Response"
    const example = isSocket ? "{ message(socket, data) { … } }" : "c.json(200, data)"
    this.#addLine(`${name}.${exported} satisfies ${isSocket ? "SocketFunc" : "HandlerFunc"}<any>`, {
      position,
      code: "types",
      problem: `${exported} is not a handler`,
      fix: `Take the context, and return ${result}: export function ${exported}(c: Context) { return ${example} }`,
      emptyFix: `Return ${result}, such as ${example}, at every end of the function. One that only throws needs a type: ${exported}(c: Context): never, or Promise<never> if it is async.`,
    })
    this.#addLine(`null! as Use<[Named<typeof ${name}.${exported}>]>[0] satisfies ${union}`, {
      position,
      code: "parameters",
      problem: `${exported} names a parameter that ${route.pattern} does not have`,
      fix:
        names.length > 0
          ? `Its parameters are ${names.join(", ")}: write Context<${union}>.`
          : "It has none: write Context.",
    })
  }
}
