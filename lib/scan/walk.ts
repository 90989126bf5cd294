/** Walks the route directory: finds the convention files and what each inherits, by name only. */
import { FwError } from "../errors.ts"
import { byCodeUnit } from "../order.ts"
import { directoryPatterns, type Pattern } from "../pattern.ts"
import type { TreeLayout, TreeMiddleware } from "../tree.ts"
import type { ModuleText } from "./exports.ts"
import { scanFault } from "./fault.ts"
import { type Role, roleOf } from "./file-names.ts"
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
export interface Found {
  readonly role: Role
  readonly file: string
  readonly place: RouteDirectory
}

/** Receives a problem. */
export type Report = (problem: FwError) => void

/**
 * The files that a walk found, in its order: a directory's files before its subdirectories, each sorted by
 * code unit.
 */
export interface Walked {
  readonly found: readonly Found[]
  readonly middleware: readonly TreeMiddleware[]
  readonly layouts: readonly TreeLayout[]
}

/** Returns the result of reading a path; on an error, reports a problem with the path and returns null. */
export async function readOrReport<T>(
  path: string,
  read: () => Promise<T>,
  report: Report,
): Promise<T | null> {
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
export async function walk(source: DirectorySource, appDir: string, report: Report): Promise<Walked> {
  const walker = new Walker(source, appDir, report)
  const listed = await readOrReport(appDir, async () => ({ entries: await source.list(appDir) }), report)
  if (listed?.entries === null) {
    throw scanFault("app_dir", [appDir, pathOf(appDir, "api/health/route.ts")])
  }
  const patterns = directoryPatterns([])
  const place: RouteDirectory = { path: appDir, names: [], patterns, middleware: [], layout: null }
  await walker.directory(place, listed?.entries ?? [])
  return walker
}

/** Files that an application has only once. */
const once: readonly Role[] = ["proxy", "not-found", "error"]

function pathOf(directory: string, name: string): string {
  return directory === "." ? name : `${directory}/${name}`
}

/**
 * Returns true for `_drafts`, `.git` and `node_modules`, which contain no routes; false for `.well-known`
 * (RFC 8615).
 */
function isPrivate(name: string): boolean {
  return (/^[_.]/.test(name) && name !== ".well-known") || name === "node_modules"
}

class Walker implements Walked {
  readonly found: Found[] = []
  readonly middleware: TreeMiddleware[] = []
  readonly layouts: TreeLayout[] = []
  readonly #source: DirectorySource
  readonly #appDir: string
  readonly #report: Report

  constructor(source: DirectorySource, appDir: string, report: Report) {
    this.#source = source
    this.#appDir = appDir
    this.#report = report
  }

  async directory(place: RouteDirectory, listed: readonly DirectoryEntry[]): Promise<void> {
    const entries = [...listed].sort((a, b) => byCodeUnit(a.name, b.name))
    const inner = this.#inherit(place, this.#roles(place, entries))
    for (const { name, kind } of entries) {
      if (kind !== "file" && kind !== "directory" && !isPrivate(name))
        this.#link(pathOf(place.path, name), kind)
    }
    const below = entries.filter(({ name, kind }) => kind === "directory" && !isPrivate(name))
    // Siblings are listed in parallel and processed in order, which is the order of the tree.
    const entered = await Promise.all(below.map(({ name }) => this.#enter(inner, name)))
    for (const found of entered) if (found) await this.directory(found.place, found.listed)
  }

  /** Lists a subdirectory; null if it has no routes. */
  async #enter(parent: RouteDirectory, name: string) {
    const path = pathOf(parent.path, name)
    const names = [...parent.names, name]
    const patterns = this.#patterns(names, path)
    const listed = patterns && (await readOrReport(path, () => this.#source.list(path), this.#report))
    return patterns && listed && { place: { ...parent, path, names, patterns }, listed }
  }

  #patterns(names: readonly string[], path: string): readonly Pattern[] | null {
    try {
      return directoryPatterns(names, { at: { file: path } })
    } catch (error) {
      if (!(error instanceof FwError)) throw error
      this.#report(error)
      return null
    }
  }

  #link(path: string, kind: "dangling" | "outside" | "loop"): void {
    this.#report(scanFault("link", [kind], { at: { file: path } }))
  }

  /** Returns the convention files of a directory, one per role. */
  #roles(place: RouteDirectory, entries: readonly DirectoryEntry[]): Map<Role, string> {
    const roles = new Map<Role, string>()
    for (const { name, kind } of entries) {
      const role = kind === "file" ? roleOf(name) : null
      const file = pathOf(place.path, name)
      if (typeof role === "string") this.#take(roles, role, name, place)
      else if (role) this.#report(role({ at: { file } }))
    }
    return roles
  }

  #take(roles: Map<Role, string>, role: Role, name: string, place: RouteDirectory): void {
    const file = pathOf(place.path, name)
    const other = roles.get(role)
    if (other) {
      this.#report(scanFault("duplicate", [other, file, role], { at: { file } }))
    } else if (once.includes(role) && place.names.length > 0) {
      const right = pathOf(this.#appDir, name)
      this.#report(scanFault("misplaced", [role, right], { at: { file } }))
    } else roles.set(role, file)
  }

  /** Records the files of a directory; returns the directory with what its files and subdirectories inherit. */
  #inherit(place: RouteDirectory, roles: ReadonlyMap<Role, string>): RouteDirectory {
    let { middleware, layout } = place
    const path = (place.patterns.at(-1) as Pattern).text
    const wrapper = roles.get("middleware")
    if (wrapper) middleware = [...middleware, this.middleware.push({ path, file: wrapper }) - 1]
    const frame = roles.get("layout")
    if (frame) layout = this.layouts.push({ path, file: frame }) - 1
    const inner = { ...place, middleware, layout }
    for (const [role, file] of roles) this.found.push({ role, file, place: inner })
    return inner
  }
}
