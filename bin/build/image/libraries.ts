/** Finds the shared libraries of a program on this machine, for an image without a base. */
import { existsSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { buildFault } from "../../messages/build.ts"
import { isForMachine } from "../binary-format.ts"
import { formatMachine, linuxTriples, type Machine } from "../executable/node-release.ts"
import { readElfNeeds } from "./elf.ts"

/** A library to copy into an image. */
export interface Library {
  /** Absolute path in the image. */
  readonly path: string
  /** The file on this machine. */
  readonly source: string
}

/** Libraries that glibc opens when it looks up the names of hosts and users. Programs do not list them as needed. */
const glibcLibraries = ["libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2"]

/** The Debian packages of libraries that small installations lack. */
const debianPackages: Readonly<Record<string, string>> = {
  "libatomic.so.1": "libatomic1",
  "libstdc++.so.6": "libstdc++6",
  "libgcc_s.so.1": "libgcc-s1",
}

/** The directories of one system that contain libraries, and the directory in which its loader looks for them. */
interface LibraryDirectories {
  readonly from: readonly string[]
  readonly to: string
}

/**
 * Returns the directories to search: those of Debian, of Debian's packages for other processors, and of most other
 * systems.
 */
function listLibraryDirectories(triple: string): LibraryDirectories[] {
  const to = `/lib/${triple}`
  return [
    { from: [to, `/usr/lib/${triple}`], to },
    { from: [`/usr/${triple}/lib`], to },
    { from: ["/lib64", "/usr/lib64"], to: "/lib64" },
  ]
}

/**
 * Returns the libraries that some files for one machine need, all libraries that these need, and the loader.
 *
 * @throws FwError `image_libraries` for a library that is not on this machine.
 */
export async function findLibraries(files: readonly string[], machine: Machine): Promise<Library[]> {
  const system = listLibraryDirectories(linuxTriples[machine.arch]).find(
    ({ from }) => findLibrary("libc.so.6", from, machine) !== null,
  )
  if (!system) throw buildFault("image_libraries.none", [formatMachine(machine)])
  const libraries = new Map<string, Library>()
  const queue = [...files]
  const add = (name: string, path: string): boolean => {
    const source = findLibrary(name, system.from, machine)
    if (source === null) return false
    if (!libraries.has(name)) queue.push(source)
    libraries.set(name, { path, source })
    return true
  }
  // A package may bring a library next to its addons. The system's library of the same name is then not added.
  const suppliedNames = new Set(files.map((path) => path.replace(/^.*[/\\]/, "")))
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const needs = await readElfNeeds(file)
    for (const name of needs?.libraries ?? []) {
      if (suppliedNames.has(name) || libraries.has(name)) continue
      if (!add(name, join(system.to, name)))
        throw buildFault("image_libraries", [name, formatMachine(machine), debianPackages[name]])
    }
    // The program contains the path of its loader.
    if (needs?.loader) add(needs.loader.replace(/^.*\//, ""), needs.loader)
  }
  for (const name of glibcLibraries) add(name, join(system.to, name))
  return [...libraries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function findLibrary(name: string, directories: readonly string[], machine: Machine): string | null {
  for (const directory of directories) {
    const path = join(directory, name)
    if (existsSync(path) && isForMachine(path, machine)) return realpathSync(path)
  }
  return null
}
