/** Reads the route directory to a RouteTree. The code of the routes does not run. */
import { FwError } from "./errors.ts"
import { compareByCodeUnit } from "./order.ts"
import { getPatternShape, isGroupName, type Pattern } from "./pattern.ts"
import {
  checkExport,
  checkTemplateFile,
  type HandlerText,
  isCodeRole,
  isTemplateRole,
  readHandlers,
  readProxy,
  readTemplateExport,
} from "./scan/conventions.ts"
import { type ModuleText, readModule } from "./scan/exports.ts"
import { scanFault } from "./scan/fault.ts"
import type { FileRole } from "./scan/file-names.ts"
import { readPrerender } from "./scan/prerender-export.ts"
import {
  type ConventionFile,
  type DirectorySource,
  type ReportProblem,
  type RouteDirectory,
  readOrReport,
  type WalkResult,
  walkRoutes,
} from "./scan/walk.ts"

import { handlerExports, type RouteTree, type TreeJob, type TreePage, type TreeProxy, type TreeRoute } from "./tree.ts"

export type { DirectoryEntry, DirectorySource } from "./scan/walk.ts"

/** The error for a route directory with problems. Its message lists each problem with its position and its fix. */
export class ScanError extends FwError {
  declare readonly problems: readonly FwError[]

  constructor(problems: readonly FwError[]) {
    const { message, fix } = scanFault("scan", [problems])
    const at = problems[0]?.at
    super("scan", message, fix, at ? { at, problems } : { problems })
    this.name = "ScanError"
  }

  override toString(): string {
    return this.message
  }
}

/** A tree, and the problems of its directory. If there are problems, the tree contains what could be read. */
export interface ScanResult {
  readonly tree: RouteTree
  /** The problems, sorted by position. */
  readonly problems: readonly FwError[]
}

/**
 * Scans a route directory.
 *
 * @param appDir the directory, relative to the project.
 * @throws FwError `app_dir` if the directory does not exist; {@link ScanError} if it has problems.
 */
export async function scan(source: DirectorySource, appDir: string): Promise<RouteTree> {
  const { tree, problems } = await examine(source, appDir)
  if (problems.length > 0) throw new ScanError(problems)
  return tree
}

/**
 * Scans a route directory. Returns the tree together with the problems.
 *
 * @throws FwError `app_dir` if the directory does not exist.
 */
export async function examine(source: DirectorySource, appDir: string): Promise<ScanResult> {
  const problems: FwError[] = []
  const top = normalizePath(appDir)
  const report = (problem: FwError) => void problems.push(problem)
  const walk = await walkRoutes(source, top, report)
  const builder = new TreeBuilder(source, report)
  // Several files are read at once, because most of the time is spent waiting for the disk. The number of open files is
  // limited.
  for (let start = 0; start < walk.files.length; start += 32) {
    const batch = walk.files.slice(start, start + 32)
    const texts = await Promise.all(batch.map((file) => builder.read(file)))
    for (const [index, file] of batch.entries()) builder.add(file, texts[index] ?? null)
  }
  builder.reportConflicts()
  return { tree: builder.createTree(top, walk), problems: problems.sort(compareLocations) }
}

function normalizePath(path: string): string {
  const names = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".")
  return names.join("/") || "."
}

/** A method and a pattern that a file has a handler for. */
interface RouteClaim {
  readonly method: string
  readonly pattern: Pattern
  readonly file: string
  readonly line?: number
}

/** Reads files that the walk has found, and builds the tree. */
class TreeBuilder {
  readonly #source: DirectorySource
  readonly #report: ReportProblem
  readonly #routes: TreeRoute[] = []
  readonly #pages: TreePage[] = []
  readonly #claims: RouteClaim[] = []
  /** The comments of middleware, by file. */
  readonly #comments = new Map<string, { comment?: string }>()
  /** The files whose answers to GET are made at build time. */
  readonly #prerenderFiles = new Set<string>()
  readonly #jobs = new Map<string, TreeJob>()
  #proxy: TreeProxy | undefined

  constructor(source: DirectorySource, report: ReportProblem) {
    this.#source = source
    this.#report = report
  }

  /** Returns the text of a file; null if it cannot be read, which is reported. */
  async read({ file }: ConventionFile): Promise<string | null> {
    return await readOrReport(file, () => this.#source.read(file), this.#report)
  }

  add(conventionFile: ConventionFile, text: string | null): void {
    const { role, file } = conventionFile
    if (role === "page") this.#addPage(conventionFile)
    if (text === null) return
    try {
      if (file.endsWith(".tpl")) {
        if (!isTemplateRole(role)) return
        checkTemplateFile(role, file, text, this.#report)
        this.#readPrerender(conventionFile, readTemplateExport(file, text, "prerender"))
        return
      }
      if (!isCodeRole(role)) return
      const options = { file, allowsJSX: !/\.m?ts$/.test(file) }
      const module = this.#source.module?.(text, options) ?? readModule(text, options)
      this.#readPrerender(conventionFile, module)
      if (role === "route") this.#addRoutes(conventionFile, readHandlers(module, this.#report))
      else if (role === "proxy") {
        this.#proxy = { file, ...readProxy(module, this.#report), ...findComment(module, "Proxy") }
      } else {
        checkExport(role, module, this.#report)
        if (role === "job") this.#addJob(conventionFile, findComment(module, "Job"))
        if (role === "middleware") this.#comments.set(file, findComment(module, "Middleware"))
      }
    } catch (error) {
      if (!(error instanceof FwError)) throw error
      this.#report(error)
    }
  }

  #readPrerender({ role, file, directory: { patterns } }: ConventionFile, module: ModuleText): void {
    if (role !== "page" && role !== "route" && role !== "layout") return
    // An optional catch-all has two patterns. The last one has the name of the rest.
    const params = patterns.at(-1)?.names ?? []
    const answersGet = role === "page" || module.exports.some(({ name }) => name === "Get")
    if (readPrerender(module, { role, params, answersGet }, this.#report)) this.#prerenderFiles.add(file)
  }

  #addRoutes({ file, directory: place }: ConventionFile, handlers: readonly HandlerText[]): void {
    for (const pattern of place.patterns) {
      for (const { name, ...text } of handlers) {
        const method = handlerExports[name]
        this.#claims.push({ method, pattern, file, line: text.line })
        this.#routes.push({
          method,
          ...toPatternFields(pattern),
          file,
          export: name,
          ...text,
          ...toInheritedFields(place),
        })
      }
    }
  }

  #addJob({ file, directory: { names } }: ConventionFile, comment: { readonly comment?: string }): void {
    const name = names.filter((part) => !isGroupName(part)).join("/")
    const other = this.#jobs.get(name)
    if (name === "") this.#report(scanFault("job_file.top", [], { at: { file } }))
    else if (other) this.#report(scanFault("job_file.twice", [other.file, file, name], { at: { file } }))
    else this.#jobs.set(name, { name, file, ...comment })
  }

  #addPage({ file, directory: place }: ConventionFile): void {
    const title = deriveTitle(place.names)
    for (const pattern of place.patterns) {
      this.#claims.push({ method: "GET", pattern, file })
      this.#pages.push({ ...toPatternFields(pattern), file, ...toInheritedFields(place), title })
    }
  }

  /** Reports each pair of files with the same path once, with all methods that both have. */
  reportConflicts(): void {
    const firstClaims = new Map<string, RouteClaim>()
    const conflicts = new Map<string, { first: RouteClaim; second: RouteClaim; methods: string[] }>()
    for (const second of this.#claims) {
      const shape = getPatternShape(second.pattern)
      const first = firstClaims.get(`${second.method} ${shape}`)
      if (!first) firstClaims.set(`${second.method} ${shape}`, second)
      else {
        const pair = JSON.stringify([first.file, second.file, shape])
        const conflict = conflicts.get(pair) ?? { first, second, methods: [] }
        conflict.methods.push(second.method)
        conflicts.set(pair, conflict)
      }
    }
    for (const { first, second, methods } of conflicts.values()) {
      const { file, line } = second
      const paths = [...new Set([first.pattern.text, second.pattern.text])].join(", the same as ")
      const place = { at: line === undefined ? { file } : { file, line } }
      this.#report(scanFault("conflict.files", [first.file, file, `${methods.join(", ")} ${paths}`], place))
    }
  }

  #markPrerendered<Item extends TreeRoute | TreePage>(item: Item, method = "GET"): Item {
    return method === "GET" && this.#prerenderFiles.has(item.file) ? { ...item, prerender: true } : item
  }

  createTree(appDir: string, { files, middleware, layouts }: WalkResult): RouteTree {
    const findFile = (role: FileRole) => files.find((item) => item.role === role)?.file
    const [notFound, error] = [findFile("not-found"), findFile("error")]
    return {
      appDir,
      routes: this.#routes
        .map((route) => this.#markPrerendered(route, route.method))
        .sort((a, b) => comparePatterns(a, b) || getMethodRank(a) - getMethodRank(b)),
      middleware: middleware.map((item) => ({ ...item, ...this.#comments.get(item.file) })),
      pages: this.#pages.map((page) => this.#markPrerendered(page)).sort(comparePatterns),
      layouts,
      ...(this.#proxy && { proxy: this.#proxy }),
      ...(this.#jobs.size > 0 && { jobs: [...this.#jobs.values()].sort((a, b) => compareByCodeUnit(a.name, b.name)) }),
      ...(notFound !== undefined && { notFound: { file: notFound } }),
      ...(error !== undefined && { error: { file: error } }),
    }
  }
}

function findComment({ exports }: ModuleText, name: string): { comment?: string } {
  const comment = exports.find((item) => item.name === name)?.comment
  return comment === undefined ? {} : { comment }
}

function comparePatterns(a: { pattern: string }, b: { pattern: string }): number {
  return compareByCodeUnit(a.pattern, b.pattern)
}

const handlerMethods: readonly string[] = Object.values(handlerExports)

function getMethodRank({ method }: TreeRoute): number {
  return handlerMethods.indexOf(method)
}

function compareLocations({ at: a }: FwError, { at: b }: FwError): number {
  const files = compareByCodeUnit(a?.file ?? "", b?.file ?? "")
  return files || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)
}

function toPatternFields(pattern: Pattern): { pattern: string; rest?: string } {
  const last = pattern.segments.at(-1)
  return last?.kind === "rest" ? { pattern: pattern.text, rest: last.name } : { pattern: pattern.text }
}

/**
 * Returns a title made from the nearest directory that adds its name to the URL: "User settings" for `user-settings`.
 */
function deriveTitle(names: readonly string[]): string {
  const name = names.findLast((part) => !isGroupName(part) && !/[[\]{}*]|^:/.test(part)) ?? "home"
  const words = name.replace(/[-_.]+/g, " ").trim()
  return words.replace(/^./u, (letter) => letter.toUpperCase())
}

/** Returns the layout and the middleware that apply to the routes and pages in a directory. */
function toInheritedFields({ layout, middleware }: RouteDirectory): {
  layout?: number
  middleware: readonly number[]
} {
  return layout === null ? { middleware } : { layout, middleware }
}
