/** Paths of new convention files: parses typed paths into directories, by the rules of the scan. */
import { stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { createDirectorySource } from "../../adapters/disk/directory.ts"
import { FwError } from "../../lib/errors.ts"
import { type DirectorySource, ScanError, scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { newFault, type PathProblem } from "../messages/new.ts"
import { projectFault } from "../messages/project.ts"
import type { NewFile } from "./files.ts"

/** A project's directory, and its route directory as given. */
export interface RouteProject {
  readonly cwd: string
  readonly appDir: string
}

/**
 * Returns the route directory relative to the project, with forward slashes. @throws FwError `app_dir`
 * outside a project.
 */
export async function findAppDir({ cwd, appDir }: RouteProject): Promise<string> {
  const path = resolve(cwd, appDir)
  const appPath = relative(cwd, path).split(sep).join("/") || "."
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return appPath
  if (!found && (await stat(join(cwd, "package.json")).catch(() => null))) return appPath
  throw projectFault(found ? "app_dir.file" : "app_dir.neither", [appPath])
}

/**
 * Parses the path of a directory below the route directory: `users/[id]`, also `/users/[id]`, `users/{id}`
 * and `users/:id`, and `.` for the route directory itself.
 *
 * @returns the names of the directories.
 * @throws FwError `path` for a name that a directory of a route cannot have on every system.
 */
export function readRoutePath(given: string): string[] {
  // A URL path begins with a slash, so users often type one.
  const path = given.replace(/^\/(?!\/)/, "") || "."
  if (path === "." || path === "./") return []
  if (path.includes("\\")) throw newFault("path", [path, "backslash"])
  if (path.startsWith("/")) throw newFault("path", [path, "slashes"])
  const names = path.replace(/^\.\//, "").replace(/\/$/, "").split("/")
  if (names.includes("")) throw newFault("path", [path, "empty"])
  return names.map((name) => {
    const spelled = /^(?:\{(.*)\}|:(.*))$/.exec(name)
    const directory = spelled ? `[${spelled[1] ?? spelled[2]}]` : name
    const problem = findPathProblem(directory)
    if (problem) throw newFault("path", [path, problem, name])
    return directory
  })
}

/** Most bytes in the name of a directory (Linux, macOS). */
const maxNameBytes = 255

/** Returns why a name cannot be that of a directory of a route, or null. */
function findPathProblem(name: string): PathProblem | null {
  if (name === "." || name === "..") return "up"
  if (Buffer.byteLength(name) > maxNameBytes) return "length"
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (/[\0-\x1f\x7f]/.test(name)) return "control"
  if (name === "*") return "unnamed"
  if (/[<>:"|?*]/.test(name)) return "character"
  if (/[. ]$/.test(name)) return "end"
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)) return "device"
  if ((/^[_.]/.test(name) && name !== ".well-known") || name === "node_modules") return "private"
  return /^(?:page|layout|route|middleware|proxy)\.[a-z]+$/.test(name) ? "file" : null
}

/**
 * Scans only new files: their patterns, titles and so on.
 *
 * @throws FwError for directories that form no pattern.
 */
export async function scanNewFiles(appDir: string, files: readonly NewFile[]): Promise<RouteTree> {
  const emptySource: DirectorySource = { list: async () => [], read: async () => "" }
  try {
    return await scan(addFiles(emptySource, files), appDir)
  } catch (error) {
    throw error instanceof ScanError ? (error.problems[0] as FwError) : error
  }
}

/**
 * Checks that new files do not conflict with the project: no two files answer the same requests or have the
 * same purpose. Earlier problems of the project are ignored.
 *
 * @throws FwError the first new problem, which names both files.
 */
export async function checkNoConflicts({ cwd, appDir }: RouteProject, files: readonly NewFile[]): Promise<void> {
  const source = createDirectorySource(cwd)
  const known = new Set((await problemsIn(source, appDir)).map(String))
  const after = await problemsIn(addFiles(source, files), appDir)
  const isAbove = (path: string) => files.some(({ file }) => file === path || file.startsWith(`${path}/`))
  const newProblem = after.find((one) => !known.has(String(one)) || isAbove(one.at?.file ?? ""))
  if (newProblem) throw newProblem
}

/** Scans the routes, and returns their problems. There are none if the route directory does not exist yet. */
async function problemsIn(source: DirectorySource, appDir: string): Promise<readonly FwError[]> {
  try {
    await scan(source, appDir)
    return []
  } catch (error) {
    if (error instanceof ScanError) return error.problems
    if (error instanceof FwError) return []
    throw error
  }
}

/** Returns a source that also contains further files. */
export function addFiles(source: DirectorySource, files: readonly NewFile[]): DirectorySource {
  return {
    async list(directory) {
      const existingEntries = await source.list(directory)
      const start = directory === "." ? "" : `${directory}/`
      const newInside = files.filter(({ file }) => file.startsWith(start))
      if (newInside.length === 0) return existingEntries
      const entries = new Map((existingEntries ?? []).map((entry) => [entry.name, entry]))
      for (const { file } of newInside) {
        const [name = "", ...below] = file.slice(start.length).split("/")
        if (!entries.has(name)) entries.set(name, { name, kind: below.length > 0 ? "directory" : "file" })
      }
      return [...entries.values()]
    },
    async read(file) {
      return files.find((given) => given.file === file)?.text ?? source.read(file)
    },
  }
}
