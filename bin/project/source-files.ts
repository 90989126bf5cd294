/** The files that a project's types are made of, as they were when last looked at, and which of them import which. */
import { type Dirent, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isIgnoredDirectory, produced } from "../system/watch.ts"
import { slashes } from "../tools/typescript/config.ts"
import { stampOf } from "./stamps.ts"

/** Changes between two checks, as absolute paths with forward slashes. */
export interface SourceChanges {
  readonly changed: readonly string[]
  readonly created: readonly string[]
  readonly deleted: readonly string[]
  /** True if something changed on which all types may depend: packages, options, global declarations. */
  readonly ground: boolean
}

/** Modules and the files that they may import. */
const source = /\.(?:[cm]?[jt]sx?|json)$/
/** Files that determine how modules are found and read. */
const ground = /^(?:package(?:-lock)?|npm-shrinkwrap|[jt]sconfig.*)\.json$/
/** Every way to name another module. Other text that matches does no harm. */
const specifiers = /\b(?:from|import|require|path)\b\s*[(=]?\s*["'`]([^"'`\n]+)["'`]/g
const isModule = /^\s*(?:import|export)\b|\bimport\s*\(/m

/**
 * The modules of a project. They are checked synchronously, which for many small files takes a fifth of the
 * time.
 */
export class SourceFiles {
  readonly #root: string
  /** Further files and directories to check: modules outside the project, the list of packages. */
  #outside: readonly string[] = []
  #aliases: ReadonlyArray<readonly [pattern: string, target: string]> = []
  #stamps = new Map<string, string>()
  /** The imports of each file: the last part of each specifier, without its extension. Read on demand. */
  readonly #imports = new Map<string, readonly string[]>()

  constructor(root: string) {
    this.#root = root
  }

  /** Also checks files outside the project. Known ones keep their state. */
  follow(files: readonly string[]): void {
    this.#outside = files
    const fresh = files.filter((path) => !this.#stamps.has(path))
    for (const path of fresh) note(path, this.#stamps)
  }

  /** Aliases: pairs of a pattern, such as `#lib/*`, and its target. */
  set aliases(aliases: ReadonlyArray<readonly [pattern: string, target: string]>) {
    if (JSON.stringify(aliases) === JSON.stringify(this.#aliases)) return
    this.#aliases = aliases
    this.#imports.clear()
  }

  /** Checks every file. @returns the changes since the last check; at the first, every file is new. */
  look(): SourceChanges {
    const stamps = new Map<string, string>()
    this.#walk(this.#root, stamps)
    const others = [join(this.#root, "node_modules/.package-lock.json"), ...this.#outside]
    for (const path of others) note(path, stamps)
    const before = this.#stamps
    this.#stamps = stamps
    const paths = [...stamps.keys()]
    const created = paths.filter((path) => !before.has(path))
    const changed = paths.filter((path) => before.has(path) && before.get(path) !== stamps.get(path))
    const deleted = [...before.keys()].filter((path) => !stamps.has(path))
    const all = [...created, ...changed, ...deleted]
    const ground = all.some((path) => this.#isGround(path) || this.#isShared(path))
    for (const path of all) this.#imports.delete(path)
    return { created, changed, deleted, ground }
  }

  /**
   * Returns the files that import some others, directly or indirectly, with these themselves; null for every
   * file, if a module with global declarations has changed.
   */
  dependents(of: readonly string[]): ReadonlySet<string> | null {
    const files = [...this.#stamps.keys()]
    for (const file of files) this.#read(file)
    const importers = new Map<string, string[]>()
    for (const file of files)
      for (const name of this.#imports.get(file) ?? [])
        importers.set(name, [...(importers.get(name) ?? []), file])
    const found = new Set<string>()
    const open = [...of]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue
      if (this.#isShared(next)) return null
      found.add(next)
      for (const name of namesOf(next)) open.push(...(importers.get(name) ?? []))
    }
    return found
  }

  #read(file: string): void {
    if (this.#imports.has(file)) return
    const text = unlessGone(() => readFileSync(file, "utf8")) ?? ""
    const written = [...text.matchAll(specifiers)].map(([, specifier]) => specifier as string)
    const names = written.flatMap((specifier) => [specifier, ...this.#targets(specifier)]).flatMap(namesOf)
    const global =
      !file.endsWith(".json") &&
      (/\.d\.[cm]?ts$/.test(file) || !isModule.test(text) || /\bdeclare\s+(?:global|module)\b/.test(text))
    this.#imports.set(file, [...new Set([...names, ...(global ? [everything] : [])])])
  }

  #walk(directory: string, stamps: Map<string, string>): void {
    const entries = unlessGone((): Dirent[] => readdirSync(directory, { withFileTypes: true })) ?? []
    for (const entry of entries) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) {
        const isProduced = directory === this.#root && produced.includes(entry.name)
        if (!isIgnoredDirectory(entry.name) && !isProduced) this.#walk(path, stamps)
      } else if (source.test(entry.name)) note(path, stamps)
    }
  }

  /** Returns the targets of a specifier in `imports` of package.json or `paths` of tsconfig.json. */
  #targets(specifier: string): string[] {
    return this.#aliases.flatMap(([pattern, target]) => {
      const [start = "", end] = pattern.split("*")
      if (end === undefined) return pattern === specifier ? [target] : []
      const isMeant = specifier.startsWith(start) && specifier.endsWith(end)
      return isMeant
        ? [target.replace("*", specifier.slice(start.length, specifier.length - end.length))]
        : []
    })
  }

  /**
   * Returns true if a file affects others that do not import it: with global declarations, or as a part of a
   * package.
   */
  #isShared(path: string): boolean {
    if (this.#imports.get(path)?.includes(everything)) return true
    if (!path.startsWith(`${slashes(this.#root)}/`)) return true
    for (
      let directory = dirname(path);
      directory.length > slashes(this.#root).length;
      directory = dirname(directory)
    )
      if (this.#stamps.has(`${directory}/package.json`)) return true
    return false
  }

  #isGround(path: string): boolean {
    return ground.test(basename(path)) || basename(dirname(path)) === "node_modules"
  }
}

/** Marks a file with global declarations, which affect all others. */
const everything = "*"

function note(path: string, stamps: Map<string, string>): void {
  const stamp = stampOf(path)
  if (stamp !== null) stamps.set(slashes(path), stamp)
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    // It was deleted meanwhile, or this user cannot read it.
    return undefined
  }
}

/**
 * Returns the names with which a module may be imported, on any path: `../lib/order.ts`, `#lib/order` and
 * `./order/index.js` all end in `order` or `index`.
 */
function namesOf(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "")
  const last = stem(parts.at(-1) ?? "")
  const isIndex = last === "index" || /^\.*$/.test(last)
  return isIndex ? ["index", stem(parts.at(-2) ?? "")] : [last]
}

function stem(name: string): string {
  return name.replace(/(?:\.d)?(?:\.tpl)?\.(?:[cm]?[jt]sx?|json|tpl)$/, "")
}
