/** Finds the installed packages that stay outside of a bundle, and lists their files for copying. */

import { existsSync, readdirSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { buildFault } from "../messages/build.ts"
import { readManifest } from "../project/manifest.ts"
import { isForMachine } from "./binary-format.ts"
import { formatMachine, type Machine } from "./executable/node-release.ts"

/** A file to copy. */
export interface FileToCopy {
  /** Target path, relative to the directory that contains `node_modules`. */
  readonly path: string
  /** Absolute path of the source. */
  readonly source: string
}

/** A function that throws if the runtime can load none of the addons of a package. */
export type AddonCheck = (name: string, addons: readonly string[]) => void

/** The fields of package.json that are used. */
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

/** The machine that will load the packages, and the directories of packages by their path in `node_modules`. */
interface PackageLayout {
  readonly directoriesByPath: Map<string, string>
  readonly machine: Machine
}

/** Matches files of a native package that no program reads: sources, documentation and build files. */
const skippedFilePattern = /\.(?:c|cc|cpp|cxx|h|hpp|gyp|gypi|mk|o|obj|a|lib|pdb|map|md|markdown|ts|cts|mts|flow)$/i

/** Finds the packages that stay outside of the bundle of one build. */
export class ExternalPackages {
  /**
   * The real directories of the packages that stay outside, by name: those that the project lists, and imported
   * ones with native code.
   */
  readonly #roots = new Map<string, string>()
  /** The directories of the packages that the project lists, and of all their dependencies. */
  readonly #listedDirectories = new Set<string>()
  /**
   * The project's development tools. A package with such a tool as an optional peer does not need it when the
   * program runs.
   */
  readonly #devTools: ReadonlySet<string>
  readonly #nativeDirectories = new Map<string, boolean>()
  readonly #filesByDirectory = new Map<string, readonly string[]>()

  constructor(root?: string) {
    this.#devTools = new Set(
      root === undefined ? [] : Object.keys(readManifest<PackageManifest>(root).devDependencies ?? {}),
    )
  }

  /** Adds a package that the project lists, with all its dependencies. Returns false if it is not installed. */
  add(name: string, root: string): boolean {
    const directory = resolvePackage(name, root)
    if (directory === null) return false
    this.#roots.set(name, directory)
    const visit = (path: string): void => {
      if (this.#listedDirectories.has(path)) return
      this.#listedDirectories.add(path)
      for (const needed of this.#listDependencies(path)) visit(needed.directory)
    }
    visit(directory)
    return true
  }

  /**
   * Returns the real directory of a package that stays outside of the bundle; null for any other package, and for
   * one that is not installed. A package stays outside if it has native code, or if the project lists it or it is a
   * dependency of a listed one: otherwise the program would have a second copy of it.
   */
  find(name: string, from: string): string | null {
    const directory = resolvePackage(name, from)
    if (directory === null) return null
    if (this.#listedDirectories.has(directory) && (this.#roots.get(name) ?? directory) === directory) return directory
    const isNative = this.#nativeDirectories.get(directory) ?? this.#isNative(directory)
    this.#nativeDirectories.set(directory, isNative)
    return isNative ? directory : null
  }

  /**
   * Marks a package as imported.
   *
   * @throws FwError `native_versions` for a second version of the package.
   */
  markImported(name: string, directory: string): void {
    const other = this.#roots.get(name)
    if (other !== undefined && other !== directory) {
      throw buildFault("native_versions", [name])
    }
    this.#roots.set(name, directory)
  }

  /**
   * Returns all files that the imported packages need, laid out for one `node_modules`.
   *
   * @param check is called with the addons of each imported package.
   * @throws FwError `native_machine` for a package without code for this machine.
   */
  listNeededFiles(machine: Machine, check?: AddonCheck): readonly FileToCopy[] {
    const directoriesByPath = new Map<string, string>()
    const files: FileToCopy[] = []
    for (const [name, directory] of [...this.#roots].sort()) directoriesByPath.set(`node_modules/${name}`, directory)
    for (const [name, directory] of [...this.#roots].sort()) {
      const paths = this.#placePackage(`node_modules/${name}`, directory, { directoriesByPath, machine })
      const packageFiles = paths.flatMap((path) =>
        this.#listCopies(path, directoriesByPath.get(path) as string, machine),
      )
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

  /** Returns true if the package has native code itself, or in one of its packages for single machines. */
  #isNative(directory: string): boolean {
    if (this.#hasAddon(directory)) return true
    return this.#listDependencies(directory).some((found) => {
      const { os, cpu } = readManifest<PackageManifest>(found.directory)
      return (os !== undefined || cpu !== undefined) && this.#hasAddon(found.directory)
    })
  }

  #hasAddon(directory: string): boolean {
    return this.#listCached(directory).some((path) => path.endsWith(".node"))
  }

  /**
   * Returns the paths of a package and all its dependencies. A dependency goes to the top of `node_modules`; if
   * Node would find another version of it there, it goes below the package. All dependencies of a package get their
   * paths before their own dependencies do, because Node searches the nearest directory first.
   */
  #placePackage(path: string, directory: string, layout: PackageLayout): string[] {
    const { directoriesByPath, machine } = layout
    const dependencies = this.#listDependencies(directory).filter((found) =>
      isInstallable(readManifest<PackageManifest>(found.directory), machine),
    )
    const paths = dependencies.map(({ name, directory: found }) => {
      const nearestPath = findNearestPath(path, name, directoriesByPath)
      if (nearestPath !== undefined && directoriesByPath.get(nearestPath) === found) return () => [nearestPath]
      const newPath = nearestPath === undefined ? `node_modules/${name}` : `${path}/node_modules/${name}`
      directoriesByPath.set(newPath, found)
      return () => this.#placePackage(newPath, found, layout)
    })
    return [path, ...paths.flatMap((inner) => inner())]
  }

  /** Returns the dependencies of a package that are installed. fw is left out, because it is part of the bundle. */
  #listDependencies(directory: string): { name: string; directory: string }[] {
    const manifest = readManifest<PackageManifest>(directory)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = manifest
    // Some packages list an optional peer only in `peerDependenciesMeta`, and not in `peerDependencies`.
    const peers = Object.keys({ ...peerDependencies, ...peerDependenciesMeta }).filter(
      (name) => name !== "fw" && !(peerDependenciesMeta[name]?.optional && this.#devTools.has(name)),
    )
    const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].filter(isCode))
    return [...names].sort().flatMap((name) => {
      const found = resolvePackage(name, directory)
      return found === null ? [] : [{ name, directory: found }]
    })
  }

  #listCopies(path: string, directory: string, machine: Machine): FileToCopy[] {
    const list = this.#listCached(directory)
    const isUnread = this.#listedDirectories.has(directory)
      ? createUnreadFileTest(list)
      : (file: string) => skippedFilePattern.test(file)
    return list
      .filter((file) => !isUnread(file))
      .map((file) => ({ path: `${path}/${file}`, source: join(directory, file) }))
      .filter(({ source }) => !/\.(?:node|so|dylib|dll)(?:\.[\d.]+)?$/.test(source) || isForMachine(source, machine))
  }

  #listCached(directory: string): readonly string[] {
    const files = this.#filesByDirectory.get(directory) ?? listFiles(directory)
    this.#filesByDirectory.set(directory, files)
    return files
  }
}

/** Returns false for a package that contains only types. */
function isCode(name: string): boolean {
  return !name.startsWith("@types/")
}

/**
 * Returns a function that is true for source maps and for the types of modules: declarations next to a module, and
 * those in a directory that has nothing else. The program may read any other file of the list, as TypeScript reads
 * its own declarations.
 */
function createUnreadFileTest(list: readonly string[]): (file: string) => boolean {
  const files = new Set(list)
  const declaration = /\.d\.[cm]?ts$/
  const others = new Set(list.flatMap((file) => (/\.map$/.test(file) || declaration.test(file) ? [] : dirname(file))))
  return (file) => {
    if (!declaration.test(file)) return file.endsWith(".map")
    return files.has(file.replace(/d\.([cm]?)ts$/, "$1js")) || !others.has(dirname(file))
  }
}

/** Returns the names that package.json uses for a machine. The Node in an executable needs glibc. */
function toNpmNames({ os, arch }: Machine): { os: string; cpu: string; libc: string } {
  return { os: os === "windows" ? "win32" : os, cpu: arch === "amd64" ? "x64" : "arm64", libc: "glibc" }
}

/**
 * Returns true if npm would install a package on a machine, by its fields `os`, `cpu` and `libc` (npm
 * documentation, package.json).
 */
function isInstallable(manifest: PackageManifest, machine: Machine): boolean {
  const names = toNpmNames(machine)
  // Some packages for musl lack the field `libc`, but all tools that make such packages put it into the name.
  if (/-musl$/.test(manifest.name ?? "")) return false
  return (["os", "cpu", "libc"] as const).every((key) => {
    const list = [manifest[key] ?? []].flat()
    if (list.length === 0 || (key === "libc" && machine.os !== "linux")) return true
    if (list.includes(`!${names[key]}`)) return false
    return list.includes(names[key]) || list.every((name) => name.startsWith("!"))
  })
}

/** Returns the files of a package, relative to it, without the packages inside it. */
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
 * Returns the path from which Node would load a dependency for the package at `path`; undefined if it would find
 * none.
 */
function findNearestPath(
  path: string,
  name: string,
  directoriesByPath: PackageLayout["directoriesByPath"],
): string | undefined {
  const candidate = `${path}/node_modules/${name}`
  if (directoriesByPath.has(candidate)) return candidate
  if (path === "") return directoriesByPath.has(candidate.slice(1)) ? candidate.slice(1) : undefined
  return findNearestPath(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name, directoriesByPath)
}

/** Returns the real directory of an installed package, as Node finds it from a directory. */
function resolvePackage(name: string, from: string): string | null {
  const base = basename(from) === "node_modules" ? dirname(from) : from
  const path = join(base, "node_modules", name)
  if (existsSync(join(path, "package.json"))) return realpathSync(path)
  const parent = dirname(base)
  return parent === base ? null : resolvePackage(name, parent)
}

/** Returns true if a module in a directory can import a package. */
export function isInstalled(name: string, from: string): boolean {
  return resolvePackage(name, from) !== null
}

/** Returns true if the package of a directory lists another package as optional in its package.json. */
export function isOptionalFor(name: string, directory: string): boolean {
  const manifest = readManifest<PackageManifest>(directory)
  const { optionalDependencies = {}, peerDependenciesMeta = {} } = manifest
  if (Object.hasOwn(optionalDependencies, name) || peerDependenciesMeta[name]?.optional === true) return true
  // A directory inside a package may have a package.json of its own that only sets the type of its modules.
  return manifest.name === undefined && dirname(directory) !== directory && isOptionalFor(name, dirname(directory))
}

function noCodeError(name: string, machine: Machine): FwError {
  const { os, cpu } = toNpmNames(machine)
  return buildFault("native_machine", [name, formatMachine(machine), os, cpu])
}
