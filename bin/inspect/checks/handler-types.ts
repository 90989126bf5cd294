/**
 * Checks the types of a project with its own TypeScript: of the exports of convention files, of templates,
 * and of all files.
 */
import { parsePattern } from "../../../lib/pattern.ts"
import type { ModuleExport, ModuleText } from "../../../lib/scan/exports.ts"
import { type Compiled, mapMessages, outputPath } from "../../../lib/template/index.ts"
import { moduleFile, type RouteTree } from "../../../lib/tree.ts"
import { projectMessages } from "../../messages/project.ts"
import { linksFile, linksModule } from "../../project/links-module.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import { type LineError as CheckError, openTypes } from "../../tools/typescript/program.ts"
import { callFindings } from "./calls.ts"
import { type Finding, failure, type Spot } from "./finding.ts"
import { projectTypes } from "./project-types.ts"

/** Result of the check. */
export interface TypesChecked {
  readonly findings: readonly Finding[]
  /** Reason why types could not be checked; null if they were. */
  readonly untyped: Untyped | null
  /** Number of files whose types were checked completely: none if fw is not installed in the project. */
  readonly files: number
}

/** A type condition: a line of the check file. */
interface Claim {
  readonly spot: Spot
  readonly code: string
  readonly what: string
  readonly fix: string
  /** The fix for a function that returns nothing. */
  readonly empty?: string
}

/** A file of the tree with its exports. */
export interface Source {
  readonly file: string
  readonly module: ModuleText | null
  readonly template: Compiled | null
}

/** The input of the check. */
export interface TypedProject {
  readonly root: string
  readonly tree: RouteTree
  /** Every module of the tree, and the main file. */
  readonly files: readonly string[]
  /** Files whose exports are checked. */
  readonly sources: readonly Source[]
  /** Every template of the project, because pages import others. */
  readonly templates: readonly Compiled[]
  readonly main: ModuleText | null
  /** Problems that other checks have found. */
  readonly found: readonly Finding[]
  /** True to make every type that cannot be checked an error. */
  readonly isStrict: boolean
}

const checkFile = ".fw/validate.ts"
const head = `import type { App, Context, HandlerFunc, MiddlewareFunc, ProxyFunc, SocketFunc } from "fw"
import type { Html } from "fw/html"
type Rendered = Html | Response | Promise<Html | Response>
type Title = string | ((c: Context) => string | Promise<string>)
type Named<F> = F extends (c: Context<infer P>) => unknown ? (string extends P ? never : P) : never
type Use<T extends readonly unknown[]> = T
`
/** The required type of each file's main export. */
const forms = {
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

/** TypeScript gives up, as for a type whose tuples contain itself. Then nothing is known about the export. */
const tooDeep = [
  "TypeScript cannot work out the type that this returns, because the type contains itself too often",
  "Write its return type, such as Response or Promise<Response>.",
] as const

/** Checks everything at once. Runs none of the project's code, and writes nothing. */
export async function checkTypes(project: TypedProject): Promise<TypesChecked> {
  const check = new CheckFile(project)
  // Generated files need not be on disk.
  const good = project.templates.filter(({ diagnostics }) => diagnostics.length === 0)
  const outputs = good.map(({ file, code }) => [outputPath(file), code] as const)
  const links = [linksFile, linksModule(project.tree)] as const
  const virtual = new Map([...outputs, links, [checkFile, check.text]])
  const options = { files: project.files, virtual, whole: true }
  const types = await openTypes(project.root, options)
  if ("untyped" in types) return { findings: [], untyped: types, files: 0 }
  try {
    const found = types.errors(checkFile).flatMap(({ line, message }) => check.finding(line, message))
    for (const compiled of good)
      found.push(...templateErrors(compiled, types.errors(outputPath(compiled.file))))
    const whole = projectTypes(types)
    found.push(...callFindings(types, project.isStrict))
    found.push(...whole.findings)
    const broken = good.length < project.templates.length
    return { findings: broken ? found.filter(isOwn) : found, untyped: null, files: whole.files }
  } finally {
    types.close()
  }
}

/** Returns true if a problem is not only that another template does not compile. */
function isOwn({ message }: Finding): boolean {
  return !/^Cannot find module .*'[^']*\.tpl\.ts'/.test(message)
}

/** Returns type errors of a compiled template, at their positions in the `.tpl`. */
function templateErrors(compiled: Compiled, errors: readonly CheckError[]): Finding[] {
  const messages = errors.map(({ line, column, message }) => {
    return { text: message, line, column: column - 1, unit: "utf16" as const }
  })
  return mapMessages(compiled, messages).map((found) => {
    return failure("template", found, found.message, found.fix)
  })
}

/**
 * Returns only the part of a TypeScript message that names the mismatch, because the complete types are long.
 */
function shortened(message: string): string {
  return /^Type '.*?' does not satisfy the expected type '.*?'\. (\S.*)$/s.exec(message)?.[1] ?? message
}

/** The file with which TypeScript compares each export with its required type, one condition per line. */
class CheckFile {
  readonly claims: (Claim | null)[] = []
  readonly #found: readonly Finding[]
  readonly #lines: string[] = []

  constructor({ tree, sources, main, found }: TypedProject) {
    this.#found = found
    for (const [index, source] of sources.entries()) this.#add(index, source, tree)
    const exported = main?.exports.find(({ name }) => name === "default")
    if (main && exported) {
      this.#import("main", main.file)
      this.#form("main", main.file, exported)
    }
  }

  get text(): string {
    return `${head}${this.#lines.join("\n")}\n`
  }

  /** Returns the problem in the project for an error on a line of the file. */
  finding(line: number, message: string): Finding[] {
    const claim = this.claims[line - head.split("\n").length]
    if (!claim) return []
    const { code, spot, what, fix, empty = fix } = claim
    if (/excessively deep|infinitely circular/.test(message)) return [failure(code, spot, ...tooDeep)]
    const isEmpty = /Type '(?:Promise<)?void>?'/.test(message)
    if (isEmpty && this.#isUnsent(spot)) return []
    return [failure(code, spot, `${what}: ${shortened(message)}`, isEmpty ? empty : fix)]
  }

  /** Returns true if the reason why a function returns nothing has been found: an answer in it that is not sent. */
  #isUnsent({ file, line: first = 0 }: Spot): boolean {
    const lines = this.claims.flatMap((claim) => (claim?.spot.file === file ? (claim.spot.line ?? []) : []))
    const next = Math.min(...lines.filter((line) => line > first))
    return this.#found.some(({ code, line, ...found }) => {
      return code === "unsent" && found.file === file && line !== null && line >= first && line < next
    })
  }

  #line(text: string, claim: Claim | null): void {
    this.#lines.push(text)
    this.claims.push(claim)
  }

  #import(name: string, file: string): void {
    this.#line(`import * as ${name} from ${JSON.stringify(`../${moduleFile(file)}`)}`, null)
  }

  #add(index: number, { file, module, template }: Source, tree: RouteTree): void {
    const name = `m${index}`
    const exports = module?.exports ?? template?.templates
    if (!exports || template?.diagnostics.length) return
    this.#import(name, file)
    for (const exported of exports) {
      if (exported.name in forms) this.#form(name, file, exported)
      else this.#handler(name, file, exported, tree)
    }
  }

  #form(
    name: string,
    file: string,
    { name: exported, line, column }: Pick<ModuleExport, "name" | "line" | "column">,
  ): void {
    const [form, fix] = forms[exported as keyof typeof forms]
    const what =
      exported === "default" ? "the default export is not an App" : `${exported} has the wrong type`
    this.#line(`${name}.${exported} satisfies ${form}`, {
      spot: { file, line, column },
      code: "types",
      what,
      fix,
    })
  }

  /**
   * Adds the conditions of a handler: it accepts the context, returns a response, and uses only parameters of
   * its path.
   */
  #handler(
    name: string,
    file: string,
    { name: exported, line, column }: Pick<ModuleExport, "name" | "line" | "column">,
    tree: RouteTree,
  ): void {
    const routes = tree.routes.filter((route) => route.file === file && route.export === exported)
    const route = routes.at(-1)
    if (!route) return
    const spot = { file, line, column }
    const names = parsePattern(route.pattern).names.map((one) => (one === "*" ? (route.rest ?? one) : one))
    const union = names.map((one) => JSON.stringify(one)).join(" | ") || "never"
    const isSocket = exported === "Socket"
    const result = isSocket ? "what handles a connection" : "a Response"
    const example = isSocket ? "{ message(socket, data) { … } }" : "c.json(200, data)"
    this.#line(`${name}.${exported} satisfies ${isSocket ? "SocketFunc" : "HandlerFunc"}<any>`, {
      spot,
      code: "types",
      what: `${exported} is not a handler`,
      fix: `Take the context, and return ${result}: export function ${exported}(c: Context) { return ${example} }`,
      empty: `Return ${result}, such as ${example}, at every end of the function. One that only throws needs a type: ${exported}(c: Context): never, or Promise<never> if it is async.`,
    })
    this.#line(`null! as Use<[Named<typeof ${name}.${exported}>]>[0] satisfies ${union}`, {
      spot,
      code: "parameters",
      what: `${exported} names a parameter that ${route.pattern} does not have`,
      fix:
        names.length > 0
          ? `Its parameters are ${names.join(", ")}: write Context<${union}>.`
          : "It has none: write Context.",
    })
  }
}
