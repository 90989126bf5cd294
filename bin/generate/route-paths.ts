/** Parses the paths of new convention files, which users type, by the rules of the scan. */
import { stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { createDirectorySource } from "../../adapters/disk/directory.ts"
import { FwError } from "../../lib/errors.ts"
import { type DirectorySource, ScanError, scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { newFault, type PathProblem } from "../messages/new.ts"
import { projectFault } from "../messages/project.ts"
import type { NewFile } from "./files.ts"

/** The directory of a project, and the route directory as the user wrote it. */
export interface RouteProject {
  readonly cwd: string
  readonly appDir: string
}

/**
 * Returns the route directory relative to the project, with forward slashes.
 *
 * @throws FwError `app_dir` for a directory outside the project.
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
 * Parses the path of a directory below the route directory: `users/[id]`, also written `/users/[id]`, `users/{id}`
 * or `users/:id`; `.` is the route directory itself.
 *
 * @returns the names of the directories.
 * @throws FwError `path` for a name that some system does not allow for a directory.
 */
export function readRoutePath(text: string): string[] {
  // Users often type a slash first, because URL paths have one.
  const path = text.replace(/^\/(?!\/)/, "") || "."
  if (path === "." || path === "./") return []
  if (path.includes("\\")) throw newFault("path", [path, "backslash"])
  if (path.startsWith("/")) throw newFault("path", [path, "slashes"])
  const names = path.replace(/^\.\//, "").replace(/\/$/, "").split("/")
  if (names.includes("")) throw newFault("path", [path, "empty"])
  return names.map((name) => {
    const parameter = /^(?:\{(.*)\}|:(.*))$/.exec(name)
    const directory = parameter ? `[${parameter[1] ?? parameter[2]}]` : name
    const problem = findPathProblem(directory)
    if (problem) throw newFault("path", [path, problem, name])
    return directory
  })
}

/** The longest name of a directory, in bytes (Linux, macOS). */
const maxNameBytes = 255

/** Returns why a directory of a route cannot have a name; null if it can. */
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
 * Scans only the new files, for their patterns and titles.
 *
 * @throws FwError for directories that do not form a pattern.
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
 * Checks that new files do not conflict with the project: no two files may answer the same requests or have the
 * same purpose. Problems that the project had before are ignored.
 *
 * @throws FwError the first new problem, which names both files.
 */
export async function checkNoConflicts({ cwd, appDir }: RouteProject, files: readonly NewFile[]): Promise<void> {
  const source = createDirectorySource(cwd)
  const oldProblems = new Set((await findProblemsIn(source, appDir)).map(String))
  const newProblems = await findProblemsIn(addFiles(source, files), appDir)
  const isAbove = (path: string) => files.some(({ file }) => file === path || file.startsWith(`${path}/`))
  const newProblem = newProblems.find((one) => !oldProblems.has(String(one)) || isAbove(one.at?.file ?? ""))
  if (newProblem) throw newProblem
}

/** Returns the problems of a scan; none if the route directory does not exist yet. */
async function findProblemsIn(source: DirectorySource, appDir: string): Promise<readonly FwError[]> {
  try {
    await scan(source, appDir)
    return []
  } catch (error) {
    if (error instanceof ScanError) return error.problems
    if (error instanceof FwError) return []
    throw error
  }
}

/** Returns a source that also contains the given files. */
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
      return files.find((newFile) => newFile.file === file)?.text ?? source.read(file)
    },
  }
}
