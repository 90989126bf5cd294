/** Packages that stay outside of a bundle: finds them among the installed ones, and lays them out for copying. */

import { existsSync, readdirSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { buildFault } from "../messages/build.ts"
import { readManifest } from "../project/manifest.ts"
import { readFileMachines } from "./binary-format.ts"
import { formatMachine, type Machine } from "./executable/node-release.ts"

/** A file to copy. */
export interface FileToCopy {
  /** Target path, relative to the directory that contains `node_modules`. */
  readonly path: string
  /** Absolute path of the source. */
  readonly source: string
}

/** Throws if the runtime cannot load one of the addons of a package. */
export type AddonCheck = (name: string, addons: readonly string[]) => void

/** The part of a package.json that is read. */
interface PackageManifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly os?: readonly string[] | string
  readonly cpu?: readonly string[] | string
  readonly libc?: readonly string[] | string
}

/** The packages that were placed so far, by path, and the machine for which they are. */
interface PackageLayout {
  readonly placed: Map<string, string>
  readonly machine: Machine
}

/** Files of a package with native code that a program does not read: sources, notes, and build files. */
const skippedFilePattern = /\.(?:c|cc|cpp|cxx|h|hpp|gyp|gypi|mk|o|obj|a|lib|pdb|map|md|markdown|ts|cts|mts|flow)$/i

/** The installed packages of one build, with a cache. */
export class ExternalPackages {
  /**
   * The packages that stay outside, by their real directories: those that the project names, and imported ones with
   * native code.
   */
  readonly #roots = new Map<string, string>()
  /** The directories of the packages that the project names, and of all packages that they need. */
  readonly #named = new Set<string>()
  /** The project's development tools: a package that can use one does not need it when the program runs. */
  readonly #tools: ReadonlySet<string>
  readonly #answers = new Map<string, boolean>()
  readonly #filesByDirectory = new Map<string, readonly string[]>()

  constructor(root?: string) {
    this.#tools = new Set(
      root === undefined ? [] : Object.keys(readManifest<PackageManifest>(root).devDependencies ?? {}),
    )
  }

  /** Adds a package that the project names, with all packages that it needs. Returns false if it is not installed. */
  add(name: string, root: string): boolean {
    const directory = resolvePackage(name, root)
    if (directory === null) return false
    this.#roots.set(name, directory)
    const visit = (path: string): void => {
      if (this.#named.has(path)) return
      this.#named.add(path)
      for (const needed of this.#listNeeded(path)) visit(needed.directory)
    }
    visit(directory)
    return true
  }

  /**
   * Returns the directory of a package as resolved from another directory, if it stays outside: one that the project
   * names or that such a package needs, so that a program has one copy of it, or one with native code. Returns null
   * for other packages, and for a package that is not installed.
   */
  find(name: string, from: string): string | null {
    const directory = resolvePackage(name, from)
    if (directory === null) return null
    if (this.#named.has(directory) && (this.#roots.get(name) ?? directory) === directory) return directory
    const known = this.#answers.get(directory) ?? this.#isNative(directory)
    this.#answers.set(directory, known)
    return known ? directory : null
  }

  /** Marks a package as imported. @throws FwError `native_versions` for a second version of it. */
  markImported(name: string, directory: string): void {
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
  listNeededFiles(machine: Machine, check?: AddonCheck): readonly FileToCopy[] {
    const placed = new Map<string, string>()
    const files: FileToCopy[] = []
    for (const [name, directory] of [...this.#roots].sort()) placed.set(`node_modules/${name}`, directory)
    for (const [name, directory] of [...this.#roots].sort()) {
      const own = this.#placePackage(`node_modules/${name}`, directory, { placed, machine })
      const packageFiles = own.flatMap((path) => this.#listCopies(path, placed.get(path) as string, machine))
      const addons = packageFiles.filter(({ path }) => path.endsWith(".node"))
      if (addons.length === 0 && this.#isNative(directory)) throw noCodeError(name, machine)
      check?.(
        name,
        addons.map(({ source }) => source),
      )
      files.push(...packageFiles)
    }
    const unique = new Map(files.map((file) => [file.path, file]))
    return [...unique.values()].sort((a, b) => compareByCodeUnit(a.path, b.path))
  }

  /** Returns true if the package itself, or one of its packages for a machine, has native code. */
  #isNative(directory: string): boolean {
    if (this.#hasAddon(directory)) return true
    return this.#listNeeded(directory).some((found) => {
      const { os, cpu } = readManifest<PackageManifest>(found.directory)
      return (os !== undefined || cpu !== undefined) && this.#hasAddon(found.directory)
    })
  }

  #hasAddon(directory: string): boolean {
    return this.#listCached(directory).some((path) => path.endsWith(".node"))
  }

  /**
   * Returns the paths of everything that a package needs, itself first. If Node would find another version from
   * there, this one goes below the package. All packages that a package needs are placed before the packages that
   * those need in turn, because Node looks there first.
   */
  #placePackage(path: string, directory: string, layout: PackageLayout): string[] {
    const { placed, machine } = layout
    const needs = this.#listNeeded(directory).filter((found) =>
      isInstallable(readManifest<PackageManifest>(found.directory), machine),
    )
    const paths = needs.map(({ name, directory: found }) => {
      const near = nearestPlace(path, name, placed)
      if (near !== undefined && placed.get(near) === found) return () => [near]
      const at = near === undefined ? `node_modules/${name}` : `${path}/node_modules/${name}`
      placed.set(at, found)
      return () => this.#placePackage(at, found, layout)
    })
    return [path, ...paths.flatMap((inner) => inner())]
  }

  /**
   * Returns the installed packages among those that a package names. fw is left out, because it is part of the
   * bundle.
   */
  #listNeeded(directory: string): { name: string; directory: string }[] {
    const manifest = readManifest<PackageManifest>(directory)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = manifest
    // Some packages only list here which other packages they can use.
    const peers = Object.keys({ ...peerDependencies, ...peerDependenciesMeta }).filter(
      (name) => name !== "fw" && !(peerDependenciesMeta[name]?.optional && this.#tools.has(name)),
    )
    const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].filter(isCode))
    return [...names].sort().flatMap((name) => {
      const found = resolvePackage(name, directory)
      return found === null ? [] : [{ name, directory: found }]
    })
  }

  #listCopies(path: string, directory: string, machine: Machine): FileToCopy[] {
    const list = this.#listCached(directory)
    const isUnread = this.#named.has(directory)
      ? (file: string) => isAboutModule(file, list)
      : (file: string) => skippedFilePattern.test(file)
    return list
      .filter((file) => !isUnread(file))
      .map((file) => ({ path: `${path}/${file}`, source: join(directory, file) }))
      .filter(({ source }) => !/\.(?:node|so|dylib|dll)(?:\.[\d.]+)?$/.test(source) || isForMachine(source, machine))
  }

  #listCached(directory: string): readonly string[] {
    const known = this.#filesByDirectory.get(directory) ?? listFiles(directory)
    this.#filesByDirectory.set(directory, known)
    return known
  }
}

/** Returns false for a package of types, which no program loads. */
function isCode(name: string): boolean {
  return !name.startsWith("@types/")
}

/** Returns true for the source map or the types of a module. Any other file may be read by the program. */
function isAboutModule(file: string, list: readonly string[]): boolean {
  return file.endsWith(".map") || (/\.d\.[cm]?ts$/.test(file) && list.includes(file.replace(/d\.([cm]?)ts$/, "$1js")))
}

/** Returns the names of a machine in package.json; the Node in an executable needs glibc. */
function toNpmNames({ os, arch }: Machine): { os: string; cpu: string; libc: string } {
  return { os: os === "windows" ? "win32" : os, cpu: arch === "amd64" ? "x64" : "arm64", libc: "glibc" }
}

/**
 * Returns true if npm would install a package on a machine (npm documentation, package.json: `os`, `cpu`,
 * `libc`).
 */
function isInstallable(manifest: PackageManifest, machine: Machine): boolean {
  const names = toNpmNames(machine)
  // Not all packages for another C library have the field `libc`, but all tools that make such packages use this name.
  if (/-musl$/.test(manifest.name ?? "")) return false
  return (["os", "cpu", "libc"] as const).every((key) => {
    const list = [manifest[key] ?? []].flat()
    if (list.length === 0 || (key === "libc" && machine.os !== "linux")) return true
    if (list.includes(`!${names[key]}`)) return false
    return list.includes(names[key]) || list.every((name) => name.startsWith("!"))
  })
}

function isForMachine(path: string, { os, arch }: Machine): boolean {
  return (readFileMachines(path) ?? []).some((found) => found.os === os && found.arch === arch)
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

/**
 * Returns the place from which Node would load a package that the package at a path needs; undefined if there is
 * none.
 */
function nearestPlace(path: string, name: string, placed: PackageLayout["placed"]): string | undefined {
  const place = `${path}/node_modules/${name}`
  if (placed.has(place)) return place
  if (path === "") return placed.has(place.slice(1)) ? place.slice(1) : undefined
  return nearestPlace(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name, placed)
}

/** Returns the real directory of an installed package, as Node resolves it from a directory. */
function resolvePackage(name: string, from: string): string | null {
  const base = basename(from) === "node_modules" ? dirname(from) : from
  const path = join(base, "node_modules", name)
  if (existsSync(join(path, "package.json"))) return realpathSync(path)
  const parent = dirname(base)
  return parent === base ? null : resolvePackage(name, parent)
}

/** Returns true if Node finds a package from a directory. */
export function isInstalled(name: string, from: string): boolean {
  return resolvePackage(name, from) !== null
}

/** Returns true if the package of a directory says in its package.json that it can do without another one. */
export function isOptionalFor(name: string, directory: string): boolean {
  const manifest = readManifest<PackageManifest>(directory)
  const { optionalDependencies = {}, peerDependenciesMeta = {} } = manifest
  if (Object.hasOwn(optionalDependencies, name) || peerDependenciesMeta[name]?.optional === true) return true
  // A directory of the package may have a package.json that only says what kind of modules its files are.
  return manifest.name === undefined && dirname(directory) !== directory && isOptionalFor(name, dirname(directory))
}

function noCodeError(name: string, machine: Machine): FwError {
  const { os, cpu } = toNpmNames(machine)
  return buildFault("native_machine", [name, formatMachine(machine), os, cpu])
}
