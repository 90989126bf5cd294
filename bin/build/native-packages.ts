/** Packages with native code: finds them among the installed ones, and lays them out for copying. */

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { byCodeUnit } from "../../lib/order.ts"
import { buildFault } from "../messages/build.ts"
import { machinesOf } from "./binary-format.ts"
import { type Machine, shownMachine } from "./executable/node-release.ts"

/** A file to copy. */
export interface TakenFile {
  /** Target path, relative to the directory that contains `node_modules`. */
  readonly path: string
  /** Absolute path of the source. */
  readonly source: string
}

/** Throws if the runtime cannot load one of the addons of a package. */
export type AddonCheck = (name: string, addons: readonly string[]) => void

/** The part of a package.json that is read. */
interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly os?: readonly string[] | string
  readonly cpu?: readonly string[] | string
  readonly libc?: readonly string[] | string
}

/** Packages placed so far, by path, and their machine. */
interface Layout {
  readonly placed: Map<string, string>
  readonly machine: Machine
}

/** Files that a program does not read: sources, notes, and build files. */
const passedOver = /\.(?:c|cc|cpp|cxx|h|hpp|gyp|gypi|mk|o|obj|a|lib|pdb|map|md|markdown|ts|cts|mts|flow)$/i

/** The installed packages of one build, with a cache. */
export class NativePackages {
  /** Native packages that the bundle imports, by their real directories. */
  readonly #roots = new Map<string, string>()
  readonly #answers = new Map<string, boolean>()
  readonly #contents = new Map<string, readonly string[]>()

  /**
   * Returns the directory of a native package as resolved from another directory; null if it is not installed
   * or has no native code.
   */
  find(name: string, from: string): string | null {
    const directory = resolvePackage(name, from)
    if (directory === null) return null
    const known = this.#answers.get(directory) ?? this.#isNative(directory)
    this.#answers.set(directory, known)
    return known ? directory : null
  }

  /** Marks a package as imported. @throws FwError `native_versions` for a second version of it. */
  take(name: string, directory: string): void {
    const other = this.#roots.get(name)
    if (other !== undefined && other !== directory) {
      throw buildFault("native_versions", [name])
    }
    this.#roots.set(name, directory)
  }

  /**
   * Returns all files that the imported packages need, in the layout of one `node_modules`.
   *
   * @param check is called with the addons of each imported package.
   * @throws FwError `native_machine` that names a package without code for this machine.
   */
  files(machine: Machine, check?: AddonCheck): readonly TakenFile[] {
    const placed = new Map<string, string>()
    const files: TakenFile[] = []
    for (const [name, directory] of [...this.#roots].sort()) placed.set(`node_modules/${name}`, directory)
    for (const [name, directory] of [...this.#roots].sort()) {
      const own = this.#place(`node_modules/${name}`, directory, { placed, machine })
      const taken = own.flatMap((path) => this.#filesOf(path, placed.get(path) as string, machine))
      const addons = taken.filter(({ path }) => path.endsWith(".node"))
      if (addons.length === 0) throw noCode(name, machine)
      check?.(
        name,
        addons.map(({ source }) => source),
      )
      files.push(...taken)
    }
    const unique = new Map(files.map((file) => [file.path, file]))
    return [...unique.values()].sort((a, b) => byCodeUnit(a.path, b.path))
  }

  /** Returns true if the package itself, or one of its packages for a machine, has native code. */
  #isNative(directory: string): boolean {
    if (this.#hasAddon(directory)) return true
    return dependenciesOf(directory).some((found) => {
      const { os, cpu } = manifestOf(found.directory)
      return (os !== undefined || cpu !== undefined) && this.#hasAddon(found.directory)
    })
  }

  #hasAddon(directory: string): boolean {
    return this.#list(directory).some((path) => path.endsWith(".node"))
  }

  /**
   * Returns the paths of everything that a package needs, itself first. If another version is placed already,
   * this one goes below the package.
   */
  #place(path: string, directory: string, layout: Layout): string[] {
    const { placed, machine } = layout
    placed.set(path, directory)
    return [
      path,
      ...dependenciesOf(directory).flatMap(({ name, directory: found }) => {
        if (!fits(manifestOf(found), machine)) return []
        const top = `node_modules/${name}`
        const at = [top, `${path}/node_modules/${name}`].find(
          (place) => (placed.get(place) ?? found) === found,
        )
        if (at === undefined) return []
        return placed.has(at) && at !== path ? [at] : this.#place(at, found, layout)
      }),
    ]
  }

  #filesOf(path: string, directory: string, machine: Machine): TakenFile[] {
    return this.#list(directory)
      .filter((file) => !passedOver.test(file))
      .map((file) => ({ path: `${path}/${file}`, source: join(directory, file) }))
      .filter(({ source }) => !/\.(?:node|so|dylib|dll)(?:\.[\d.]+)?$/.test(source) || isFor(source, machine))
  }

  #list(directory: string): readonly string[] {
    const known = this.#contents.get(directory) ?? listFiles(directory)
    this.#contents.set(directory, known)
    return known
  }
}

/** Returns the names of a machine in package.json; the Node in an executable is for glibc. */
function npmNames({ os, arch }: Machine): { os: string; cpu: string; libc: string } {
  return { os: os === "windows" ? "win32" : os, cpu: arch === "amd64" ? "x64" : "arm64", libc: "glibc" }
}

/**
 * Returns true if npm would install a package on a machine (npm documentation, package.json: `os`, `cpu`,
 * `libc`).
 */
function fits(manifest: Manifest, machine: Machine): boolean {
  const names = npmNames(machine)
  // Not all packages for another C library have `libc`, but all generators of such packages use this name.
  if (/-musl$/.test(manifest.name ?? "")) return false
  return (["os", "cpu", "libc"] as const).every((key) => {
    const list = [manifest[key] ?? []].flat()
    if (list.length === 0 || (key === "libc" && machine.os !== "linux")) return true
    if (list.includes(`!${names[key]}`)) return false
    return list.includes(names[key]) || list.every((name) => name.startsWith("!"))
  })
}

function isFor(path: string, { os, arch }: Machine): boolean {
  return (machinesOf(path) ?? []).some((found) => found.os === os && found.arch === arch)
}

/** Returns the files of a package without those of packages inside it, relative to it. */
function listFiles(directory: string): string[] {
  const files: string[] = []
  const visit = (path: string) => {
    for (const entry of readdirSync(join(directory, path), { withFileTypes: true })) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== "node_modules" && !entry.name.startsWith(".")) visit(name)
      } else if (statSync(join(directory, name), { throwIfNoEntry: false })?.isFile()) files.push(name)
    }
  }
  visit("")
  return files.sort()
}

function dependenciesOf(directory: string): { name: string; directory: string }[] {
  const { dependencies, optionalDependencies } = manifestOf(directory)
  const names = [...new Set(Object.keys({ ...dependencies, ...optionalDependencies }))].sort()
  return names.flatMap((name) => {
    const found = resolvePackage(name, directory)
    return found === null ? [] : [{ name, directory: found }]
  })
}

function manifestOf(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest
}

/** Returns the real directory of an installed package, as Node resolves it from a directory. */
function resolvePackage(name: string, from: string): string | null {
  const base = basename(from) === "node_modules" ? dirname(from) : from
  const path = join(base, "node_modules", name)
  if (existsSync(join(path, "package.json"))) return realpathSync(path)
  const parent = dirname(base)
  return parent === base ? null : resolvePackage(name, parent)
}

function noCode(name: string, machine: Machine): FwError {
  const { os, cpu } = npmNames(machine)
  return buildFault("native_machine", [name, shownMachine(machine), os, cpu])
}
