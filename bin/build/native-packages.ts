/** Packages with native code: found among the installed ones, and laid out to be taken along whole. Used by `build-bundle.ts`. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { buildFault } from "../messages/build.ts"
import { machinesOf } from "./binary-format.ts"
import { type Machine, shownMachine } from "./executable/node-release.ts"
import { checkAbi } from "./native-abi.ts"

/** A file to take along. */
export interface TakenFile {
  /** Where it goes, from the directory that holds `node_modules`. */
  readonly path: string
  /** Where it is, absolute. */
  readonly source: string
}

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

/** What is placed already, by path, and for which machine. */
interface Layout {
  readonly placed: Map<string, string>
  readonly machine: Machine
}

/** What a program does not read: sources, notes, and what they are built by. */
const passedOver = /\.(?:c|cc|cpp|cxx|h|hpp|gyp|gypi|mk|o|obj|a|lib|pdb|map|md|markdown|ts|cts|mts|flow)$/i

/** The installed packages of one build. What was asked once is remembered. */
export class NativePackages {
  /** Native packages that the bundle asks for, by their real directories. */
  readonly #roots = new Map<string, string>()
  readonly #answers = new Map<string, boolean>()
  readonly #contents = new Map<string, readonly string[]>()

  /** The directory of a native package as it is found from another; null where it is not installed or has no native code. */
  find(name: string, from: string): string | null {
    const directory = resolvePackage(name, from)
    if (directory === null) return null
    const known = this.#answers.get(directory) ?? this.#isNative(directory)
    this.#answers.set(directory, known)
    return known ? directory : null
  }

  /** Marks a package as asked for. @throws FwError `native_versions` for a second version of it. */
  take(name: string, directory: string): void {
    const other = this.#roots.get(name)
    if (other !== undefined && other !== directory) {
      throw buildFault("native_versions", [name])
    }
    this.#roots.set(name, directory)
  }

  /**
   * Everything that the packages asked for need, in the layout of one `node_modules`.
   *
   * @param isEmbedded whether it goes into an executable, with a Node of its own.
   * @throws FwError `native_machine` that names a package without code for this machine, `native_node` for one that the
   *   executable's Node cannot load.
   */
  files(machine: Machine, isEmbedded = false): readonly TakenFile[] {
    const placed = new Map<string, string>()
    const files: TakenFile[] = []
    for (const [name, directory] of [...this.#roots].sort()) placed.set(`node_modules/${name}`, directory)
    for (const [name, directory] of [...this.#roots].sort()) {
      const own = this.#place(`node_modules/${name}`, directory, { placed, machine })
      const taken = own.flatMap((path) => this.#filesOf(path, placed.get(path) as string, machine))
      const addons = taken.filter(({ path }) => path.endsWith(".node"))
      if (addons.length === 0) throw noCode(name, machine)
      if (isEmbedded)
        checkAbi(
          name,
          addons.map(({ source }) => source),
        )
      files.push(...taken)
    }
    const unique = new Map(files.map((file) => [file.path, file]))
    return [...unique.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Native code is in the package itself, or in one that it brings for a machine. */
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

  /** The paths of all that a package needs, itself first. What stands elsewhere in another version goes below it. */
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

/** Machines as package.json names them; the Node in an executable is one for glibc. */
function npmNames({ os, arch }: Machine): { os: string; cpu: string; libc: string } {
  return { os: os === "windows" ? "win32" : os, cpu: arch === "amd64" ? "x64" : "arm64", libc: "glibc" }
}

/** Whether npm would install a package on a machine (npm documentation, package.json: `os`, `cpu`, `libc`). */
function fits(manifest: Manifest, machine: Machine): boolean {
  const names = npmNames(machine)
  // Not all that are for another C library say so in `libc`, but every generator of such packages names them so.
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

/** The files of a package without those of packages inside it, relative to it. */
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

/** The real directory of an installed package, as Node finds it from a directory. */
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
