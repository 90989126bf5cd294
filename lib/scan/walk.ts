/** Walks the route directory: finds the convention files and what each inherits, by name only. */
import { FwError } from "../errors.ts"
import { compareByCodeUnit } from "../order.ts"
import { type Pattern, parseDirectoryPatterns } from "../pattern.ts"
import type { TreeLayout, TreeMiddleware } from "../tree.ts"
import type { ModuleText } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { type FileRole, findRole } from "./file-names.ts"
import type { TokenOptions } from "./tokens.ts"

/** An entry of a directory. The last three kinds are symbolic links that a scan does not follow. */
export interface DirectoryEntry {
  readonly name: string
  readonly kind:
    | "file"
    | "directory"
    /** Points to a missing file. */
    | "dangling"
    /** Points to a directory outside the project. */
    | "outside"
    /** Points to a directory that contains it. */
    | "loop"
}

/** The files that a scan reads. Paths are relative to the project, with forward slashes. */
export interface DirectorySource {
  /** Returns the entries of a directory, in any order; null if it does not exist. */
  list(directory: string): Promise<readonly DirectoryEntry[] | null>
  /** Returns the text of a file. */
  read(file: string): Promise<string>
  /** Reads the exports of a module, as `readModule` does. A source that keeps what it read has it already. */
  module?(text: string, options: TokenOptions): ModuleText
}

/** A directory, with what it inherits from those above. */
export interface RouteDirectory {
  readonly path: string
  /** Names below the route directory. */
  readonly names: readonly string[]
  readonly patterns: readonly Pattern[]
  readonly middleware: readonly number[]
  readonly layout: number | null
}

/** A convention file. */
export interface ConventionFile {
  readonly role: FileRole
  readonly file: string
  readonly directory: RouteDirectory
}

/** Receives a problem. */
export type ReportProblem = (problem: FwError) => void

/**
 * The files that a walk found, in its order: a directory's files before its subdirectories, each sorted by
 * code unit.
 */
export interface WalkResult {
  readonly found: readonly ConventionFile[]
  readonly middleware: readonly TreeMiddleware[]
  readonly layouts: readonly TreeLayout[]
}

/** Returns the result of reading a path; on an error, reports a problem with the path and returns null. */
export async function readOrReport<T>(path: string, read: () => Promise<T>, report: ReportProblem): Promise<T | null> {
  try {
    return await read()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    report(scanFault("unreadable", [why], { at: { file: path }, cause }))
    return null
  }
}

/**
 * Walks a route directory.
 *
 * @throws FwError `app_dir` if it does not exist. Other problems are reported, and the walk continues.
 */
export async function walkRoutes(source: DirectorySource, appDir: string, report: ReportProblem): Promise<WalkResult> {
  const walker = new Walker(source, appDir, report)
  const listed = await readOrReport(appDir, async () => ({ entries: await source.list(appDir) }), report)
  if (listed?.entries === null) {
    throw scanFault("app_dir", [appDir, joinPath(appDir, "api/health/route.ts")])
  }
  const patterns = parseDirectoryPatterns([])
  const place: RouteDirectory = { path: appDir, names: [], patterns, middleware: [], layout: null }
  await walker.walkDirectory(place, listed?.entries ?? [])
  return walker
}

/** Files that an application has only once. */
const singleRoles: readonly FileRole[] = ["proxy", "not-found", "error"]

function joinPath(directory: string, name: string): string {
  return directory === "." ? name : `${directory}/${name}`
}

/**
 * Returns true for `_drafts`, `.git` and `node_modules`, which contain no routes; false for `.well-known`
 * (RFC 8615).
 */
function isIgnoredName(name: string): boolean {
  return (/^[_.]/.test(name) && name !== ".well-known") || name === "node_modules"
}

class Walker implements WalkResult {
  readonly found: ConventionFile[] = []
  readonly middleware: TreeMiddleware[] = []
  readonly layouts: TreeLayout[] = []
  readonly #source: DirectorySource
  readonly #appDir: string
  readonly #report: ReportProblem

  constructor(source: DirectorySource, appDir: string, report: ReportProblem) {
    this.#source = source
    this.#appDir = appDir
    this.#report = report
  }

  async walkDirectory(place: RouteDirectory, listed: readonly DirectoryEntry[]): Promise<void> {
    const entries = [...listed].sort((a, b) => compareByCodeUnit(a.name, b.name))
    const inner = this.#recordFiles(place, this.#findRoles(place, entries))
    for (const { name, kind } of entries) {
      if (kind !== "file" && kind !== "directory" && !isIgnoredName(name))
        this.#reportLink(joinPath(place.path, name), kind)
    }
    const below = entries.filter(({ name, kind }) => kind === "directory" && !isIgnoredName(name))
    // Siblings are listed in parallel and processed in order, which is the order of the tree.
    const entered = await Promise.all(below.map(({ name }) => this.#listSubdirectory(inner, name)))
    for (const found of entered) if (found) await this.walkDirectory(found.place, found.listed)
  }

  /** Lists a subdirectory; null if it has no routes. */
  async #listSubdirectory(parent: RouteDirectory, name: string) {
    const path = joinPath(parent.path, name)
    const names = [...parent.names, name]
    const patterns = this.#parsePatterns(names, path)
    const listed = patterns && (await readOrReport(path, () => this.#source.list(path), this.#report))
    return patterns && listed && { place: { ...parent, path, names, patterns }, listed }
  }

  #parsePatterns(names: readonly string[], path: string): readonly Pattern[] | null {
    try {
      return parseDirectoryPatterns(names, { at: { file: path } })
    } catch (error) {
      if (!(error instanceof FwError)) throw error
      this.#report(error)
      return null
    }
  }

  #reportLink(path: string, kind: "dangling" | "outside" | "loop"): void {
    this.#report(scanFault("link", [kind], { at: { file: path } }))
  }

  /** Returns the convention files of a directory, one per role. */
  #findRoles(place: RouteDirectory, entries: readonly DirectoryEntry[]): Map<FileRole, string> {
    const roles = new Map<FileRole, string>()
    for (const { name, kind } of entries) {
      const role = kind === "file" ? findRole(name) : null
      const file = joinPath(place.path, name)
      if (typeof role === "string") this.#addRole(roles, role, name, place)
      else if (role) this.#report(role({ at: { file } }))
    }
    return roles
  }

  #addRole(roles: Map<FileRole, string>, role: FileRole, name: string, place: RouteDirectory): void {
    const file = joinPath(place.path, name)
    const other = roles.get(role)
    if (other) {
      this.#report(scanFault("duplicate", [other, file, role], { at: { file } }))
    } else if (singleRoles.includes(role) && place.names.length > 0) {
      const right = joinPath(this.#appDir, name)
      this.#report(scanFault("misplaced", [role, right], { at: { file } }))
    } else roles.set(role, file)
  }

  /** Records the files of a directory; returns the directory with what its files and subdirectories inherit. */
  #recordFiles(place: RouteDirectory, roles: ReadonlyMap<FileRole, string>): RouteDirectory {
    let { middleware, layout } = place
    const path = (place.patterns.at(-1) as Pattern).text
    const wrapper = roles.get("middleware")
    if (wrapper) middleware = [...middleware, this.middleware.push({ path, file: wrapper }) - 1]
    const frame = roles.get("layout")
    if (frame) layout = this.layouts.push({ path, file: frame }) - 1
    const inner = { ...place, middleware, layout }
    for (const [role, file] of roles) this.found.push({ role, file, directory: inner })
    return inner
  }
}
