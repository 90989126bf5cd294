/** Where new convention files may go: a path as it is typed becomes directories, by the rules of the scan. Used by the `fw generate` commands. */
import { stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { directorySource } from "../../lib/directory.ts"
import { FwError } from "../../lib/errors.ts"
import { type DirectorySource, ScanError, scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"
import type { NewFile } from "./new-files.ts"

/** A project's directory, and its route directory as it was given. */
export interface RouteProject {
  readonly cwd: string
  readonly appDir: string
}

/** The route directory relative to the project, with forward slashes. @throws FwError `app_dir` outside a project. */
export async function appDirOf({ cwd, appDir }: RouteProject): Promise<string> {
  const path = resolve(cwd, appDir)
  const shown = relative(cwd, path).split(sep).join("/") || "."
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return shown
  if (!found && (await stat(join(cwd, "package.json")).catch(() => null))) return shown
  const what = found
    ? `${shown} is no directory`
    : `there is neither a directory "${shown}" nor a package.json`
  const fix = "Run this in a project's own directory, or name its routes with --app-dir <dir>."
  throw new FwError("app_dir", what, fix)
}

/**
 * Reads the path of a directory below the route directory: `users/[id]`, also `/users/[id]`, `users/{id}` and `users/:id`,
 * and `.` for the route directory itself.
 *
 * @returns the names of the directories.
 * @throws FwError `path` for a name that no directory of a route has on every system.
 */
export function readRoutePath(given: string): string[] {
  // An address begins with a slash, so it is often typed that way.
  const path = given.replace(/^\/(?!\/)/, "") || "."
  if (path === "." || path === "./") return []
  const refuse = (what: string, fix: string): never => {
    throw new FwError("path", `the path ${JSON.stringify(path)} ${what}`, fix)
  }
  if (path.includes("\\")) refuse("holds a backslash", `Write ${path.replace(/\\+/g, "/")}.`)
  if (path.startsWith("/")) refuse("begins with two slashes", `Write ${path.replace(/^\/+/, "") || "."}.`)
  const names = path.replace(/^\.\//, "").replace(/\/$/, "").split("/")
  if (names.includes("")) refuse("has an empty part", "Take one of the slashes away.")
  return names.map((name) => {
    const spelled = /^(?:\{(.*)\}|:(.*))$/.exec(name)
    const directory = spelled ? `[${spelled[1] ?? spelled[2]}]` : name
    const wrong = unusable(directory)
    if (wrong) refuse(`has a part that ${wrong[0]}, ${JSON.stringify(name)}`, wrong[1])
    return directory
  })
}

/** Why a name is none for a directory of a route, and what to do; null if it is one. */
function unusable(name: string): readonly [what: string, fix: string] | null {
  if (name === "." || name === "..")
    return ["leads elsewhere", "Write the path from the route directory down."]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (/[\0-\x1f\x7f]/.test(name)) return ["holds a control character", "Take it away."]
  if (name === "*") return ["has no name", "Write a catch-all with one: [...slug]."]
  if (/[<>:"|?*]/.test(name))
    return ["holds a character that not all systems take", 'Leave < > : " | ? * out.']
  if (/[. ]$/.test(name)) return ["ends with a dot or a blank, which Windows drops", "Take it away."]
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name))
    return ["is a device on Windows", "Choose another name."]
  if ((/^[_.]/.test(name) && name !== ".well-known") || name === "node_modules")
    return ["the scan leaves out as private", "Begin it without _ and dot."]
  if (/^(?:page|layout|route|middleware|proxy)\.[a-z]+$/.test(name))
    return ["is a file's name", "Name its directory alone."]
  return null
}

/**
 * Scans new files by themselves, as if nothing else were there: their patterns, titles and so on.
 *
 * @throws FwError for directories that make no pattern.
 */
export async function scanNew(appDir: string, files: readonly NewFile[]): Promise<RouteTree> {
  const nothing: DirectorySource = { list: async () => [], read: async () => "" }
  try {
    return await scan(withFiles(nothing, files), appDir)
  } catch (error) {
    throw error instanceof ScanError ? (error.problems[0] as FwError) : error
  }
}

/**
 * Checks that new files go with what the project has: no two that answer the same requests or do the same thing. What
 * was wrong in the project before is not their fault.
 *
 * @throws FwError the first problem that they bring, naming both files.
 */
export async function checkFits({ cwd, appDir }: RouteProject, files: readonly NewFile[]): Promise<void> {
  const source = directorySource(cwd)
  const before = new Set((await problemsOf(source, appDir)).map(String))
  const after = await problemsOf(withFiles(source, files), appDir)
  const isAbove = (path: string) => files.some(({ file }) => file === path || file.startsWith(`${path}/`))
  const brought = after.find((problem) => !before.has(String(problem)) || isAbove(problem.at?.file ?? ""))
  if (brought) throw brought
}

async function problemsOf(source: DirectorySource, appDir: string): Promise<readonly FwError[]> {
  try {
    await scan(source, appDir)
    return []
  } catch (error) {
    if (error instanceof ScanError) return error.problems
    // The route directory is not there yet.
    if (error instanceof FwError) return []
    throw error
  }
}

/** A source in which further files are there. */
function withFiles(source: DirectorySource, files: readonly NewFile[]): DirectorySource {
  return {
    async list(directory) {
      const listed = await source.list(directory)
      const start = directory === "." ? "" : `${directory}/`
      const inside = files.filter(({ file }) => file.startsWith(start))
      if (inside.length === 0) return listed
      const entries = new Map((listed ?? []).map((entry) => [entry.name, entry]))
      for (const { file } of inside) {
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
