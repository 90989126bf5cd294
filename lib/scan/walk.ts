/** Walks the route directory: finds the convention files and what each inherits, by names alone. Called by `lib/scan.ts`. */
import { FwError } from "../errors.ts"
import { byCodeUnit } from "../order.ts"
import { directoryPatterns, type Pattern } from "../pattern.ts"
import type { TreeLayout, TreeMiddleware } from "../tree.ts"
import { type Role, roleOf } from "./file-names.ts"

/** A name in a directory. The last three kinds are symbolic links that a scan does not follow. */
export interface DirectoryEntry {
  readonly name: string
  readonly kind:
    | "file"
    | "directory"
    /** Leads to nothing. */
    | "dangling"
    /** Leads to a directory outside the project. */
    | "outside"
    /** Leads back to a directory that it is in. */
    | "loop"
}

/** Where a scan reads. Paths are relative to the project, with forward slashes. */
export interface DirectorySource {
  /** What a directory holds, in any order; null where there is none. */
  list(directory: string): Promise<readonly DirectoryEntry[] | null>
  /** The text of a file. */
  read(file: string): Promise<string>
}

/** A directory on the way down, with what it inherits. */
export interface Place {
  readonly path: string
  /** Names below the route directory. */
  readonly names: readonly string[]
  readonly patterns: readonly Pattern[]
  readonly middleware: readonly number[]
  readonly layout: number | null
}

/** A convention file that was found. */
export interface Found {
  readonly role: Role
  readonly file: string
  readonly place: Place
}

/** Takes what is wrong. */
export type Report = (problem: FwError) => void

/** What a walk found, in its order: a directory's files before its subdirectories, each sorted by code unit. */
export interface Walked {
  readonly found: readonly Found[]
  readonly middleware: readonly TreeMiddleware[]
  readonly layouts: readonly TreeLayout[]
}

/** What a source gives, or null and a problem that names the place where it fails. */
export async function attempt<T>(path: string, read: () => Promise<T>, report: Report): Promise<T | null> {
  try {
    return await read()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const fix = "Let this user read it, or move it out of the route directory."
    report(new FwError("unreadable", `it cannot be read: ${why}`, fix, { at: { file: path }, cause }))
    return null
  }
}

/**
 * Walks a route directory.
 *
 * @throws FwError `app_dir` where there is none. Everything else is reported, and the walk goes on.
 */
export async function walk(source: DirectorySource, appDir: string, report: Report): Promise<Walked> {
  const walker = new Walker(source, appDir, report)
  const listed = await attempt(appDir, async () => ({ entries: await source.list(appDir) }), report)
  if (listed?.entries === null) {
    throw new FwError(
      "app_dir",
      `there is no directory ${JSON.stringify(appDir)} to read routes from`,
      `Make it, with a first route in ${pathOf(appDir, "api/health/route.ts")}, or name another: new App({ appDir }).`,
    )
  }
  const patterns = directoryPatterns([])
  const place: Place = { path: appDir, names: [], patterns, middleware: [], layout: null }
  await walker.directory(place, listed?.entries ?? [])
  return walker
}

/** The files that an application has once. */
const once: readonly Role[] = ["proxy", "not-found", "error"]

function pathOf(directory: string, name: string): string {
  return directory === "." ? name : `${directory}/${name}`
}

/** `_drafts`, `.git` and `node_modules` hold no routes; `.well-known` (RFC 8615) does. */
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

  async directory(place: Place, listed: readonly DirectoryEntry[]): Promise<void> {
    const entries = [...listed].sort((a, b) => byCodeUnit(a.name, b.name))
    const inner = this.#inherit(place, this.#roles(place, entries))
    for (const { name, kind } of entries) {
      if (kind !== "file" && kind !== "directory" && !isPrivate(name))
        this.#link(pathOf(place.path, name), kind)
    }
    const below = entries.filter(({ name, kind }) => kind === "directory" && !isPrivate(name))
    // Siblings are listed at once, and taken in one after the other: their order is the tree's.
    const entered = await Promise.all(below.map(({ name }) => this.#enter(inner, name)))
    for (const found of entered) if (found) await this.directory(found.place, found.listed)
  }

  /** Lists a subdirectory; null where there is nothing to see in it. */
  async #enter(parent: Place, name: string) {
    const path = pathOf(parent.path, name)
    const names = [...parent.names, name]
    const patterns = this.#patterns(names, path)
    const listed = patterns && (await attempt(path, () => this.#source.list(path), this.#report))
    return patterns && listed && { place: { ...parent, path, names, patterns }, listed }
  }

  #patterns(names: readonly string[], path: string): readonly Pattern[] | null {
    try {
      return directoryPatterns(names)
    } catch (error) {
      if (!(error instanceof FwError)) throw error
      this.#problem(error.code, path, error.message, error.fix)
      return null
    }
  }

  #problem(code: string, file: string, what: string, fix: string): void {
    this.#report(new FwError(code, what, fix, { at: { file } }))
  }

  #link(path: string, kind: "dangling" | "outside" | "loop"): void {
    const what = {
      dangling: "the symbolic link leads to nothing",
      outside: "the symbolic link leads to a directory outside the project",
      loop: "the symbolic link leads back to a directory that it is in",
    }
    this.#problem("link", path, what[kind], "Remove it, or begin its name with _ to leave it out.")
  }

  /** The convention files of a directory, one a role. */
  #roles(place: Place, entries: readonly DirectoryEntry[]): Map<Role, string> {
    const roles = new Map<Role, string>()
    for (const { name, kind } of entries) {
      const role = kind === "file" ? roleOf(name) : null
      const file = pathOf(place.path, name)
      if (typeof role === "string") this.#take(roles, role, name, place)
      else if (role) this.#problem("file_name", file, role.what, role.fix)
    }
    return roles
  }

  #take(roles: Map<Role, string>, role: Role, name: string, place: Place): void {
    const file = pathOf(place.path, name)
    const other = roles.get(role)
    if (other) {
      this.#problem("duplicate", file, `${other} and ${file} are the same ${role}`, "Remove one of them.")
    } else if (once.includes(role) && place.names.length > 0) {
      const right = pathOf(this.#appDir, name)
      this.#problem("misplaced", file, `the ${role} file is read at the top only`, `Move it to ${right}.`)
    } else roles.set(role, file)
  }

  /** Keeps the files of a directory; gives the place as they, and its subdirectories, see it. */
  #inherit(place: Place, roles: ReadonlyMap<Role, string>): Place {
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
