/**
 * Walks through the route directory. Finds the convention files, and what each inherits from the directories above it.
 */
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
    /** A link to a file that does not exist. */
    | "dangling"
    /** A link to a directory outside of the project. */
    | "outside"
    /** A link to a directory that contains the link. */
    | "loop"
}

/** Access to the files of a project. Paths are relative to the project, with forward slashes. */
export interface DirectorySource {
  /** Returns the entries of a directory, in any order; null if it does not exist. */
  list(directory: string): Promise<readonly DirectoryEntry[] | null>
  /** Returns the text of a file. */
  read(file: string): Promise<string>
  /** Reads the exports of a module, as `readModule` does. A source may return what it has stored. */
  module?(text: string, options: TokenOptions): ModuleText
}

/** A directory, and what it inherits from the directories above it. */
export interface RouteDirectory {
  readonly path: string
  /** The names of the directories below the route directory. */
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

/** Takes a problem of the route directory. The scan continues after the call. */
export type ReportProblem = (problem: FwError) => void

/**
 * The files that a walk has found. The files of a directory come before its subdirectories, and all are sorted by code
 * unit.
 */
export interface WalkResult {
  readonly files: readonly ConventionFile[]
  readonly middleware: readonly TreeMiddleware[]
  readonly layouts: readonly TreeLayout[]
}

/** Reads something at a path. If that fails, reports a problem with the path and returns null. */
export async function readOrReport<T>(path: string, read: () => Promise<T>, report: ReportProblem): Promise<T | null> {
  try {
    return await read()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    report(scanFault("unreadable", [reason], { at: { file: path }, cause }))
    return null
  }
}

/**
 * Walks a route directory.
 *
 * @throws FwError `app_dir` if the directory does not exist. Other problems are reported, and the walk continues.
 */
export async function walkRoutes(source: DirectorySource, appDir: string, report: ReportProblem): Promise<WalkResult> {
  const walker = new Walker(source, appDir, report)
  const listing = await readOrReport(appDir, async () => ({ entries: await source.list(appDir) }), report)
  if (listing?.entries === null) {
    throw scanFault("app_dir", [appDir, joinPath(appDir, "api/health/route.ts")])
  }
  const patterns = parseDirectoryPatterns([])
  const place: RouteDirectory = { path: appDir, names: [], patterns, middleware: [], layout: null }
  await walker.walkDirectory(place, listing?.entries ?? [])
  return walker
}

/** Roles of files that a project has only once. */
const singleRoles: readonly FileRole[] = ["proxy", "not-found", "error"]

function joinPath(directory: string, name: string): string {
  return directory === "." ? name : `${directory}/${name}`
}

/**
 * Returns true for directories without routes, such as `_drafts`, `.git` and `node_modules`. Returns false for
 * `.well-known` (RFC 8615).
 */
function isIgnoredName(name: string): boolean {
  return (/^[_.]/.test(name) && name !== ".well-known") || name === "node_modules"
}

class Walker implements WalkResult {
  readonly files: ConventionFile[] = []
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

  async walkDirectory(place: RouteDirectory, directoryEntries: readonly DirectoryEntry[]): Promise<void> {
    const entries = [...directoryEntries].sort((a, b) => compareByCodeUnit(a.name, b.name))
    const inner = this.#recordFiles(place, this.#findRoles(place, entries))
    for (const { name, kind } of entries) {
      if (kind !== "file" && kind !== "directory" && !isIgnoredName(name))
        this.#reportLink(joinPath(place.path, name), kind)
    }
    const subdirectories = entries.filter(({ name, kind }) => kind === "directory" && !isIgnoredName(name))
    // Subdirectories are listed at the same time, but processed one after the other, because the tree needs a fixed
    // order.
    const listings = await Promise.all(subdirectories.map(({ name }) => this.#listSubdirectory(inner, name)))
    for (const found of listings) if (found) await this.walkDirectory(found.place, found.listed)
  }

  /** Lists a subdirectory. Returns null if it has no routes. */
  async #listSubdirectory(parent: RouteDirectory, name: string) {
    const path = joinPath(parent.path, name)
    const names = [...parent.names, name]
    const patterns = this.#parsePatterns(names, path)
    const entries = patterns && (await readOrReport(path, () => this.#source.list(path), this.#report))
    return patterns && entries && { place: { ...parent, path, names, patterns }, listed: entries }
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

  /** Returns the convention files of a directory, at most one per role. */
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
      const topPath = joinPath(this.#appDir, name)
      this.#report(scanFault("misplaced", [role, topPath], { at: { file } }))
    } else roles.set(role, file)
  }

  /**
   * Adds the files of a directory to the result. Returns the directory with what its routes and subdirectories inherit.
   */
  #recordFiles(place: RouteDirectory, roles: ReadonlyMap<FileRole, string>): RouteDirectory {
    let { middleware, layout } = place
    const path = (place.patterns.at(-1) as Pattern).text
    const middlewareFile = roles.get("middleware")
    if (middlewareFile) middleware = [...middleware, this.middleware.push({ path, file: middlewareFile }) - 1]
    const layoutFile = roles.get("layout")
    if (layoutFile) layout = this.layouts.push({ path, file: layoutFile }) - 1
    const inner = { ...place, middleware, layout }
    for (const [role, file] of roles) this.files.push({ role, file, directory: inner })
    return inner
  }
}
