/**
 * The step that scans the route directory and writes `.fw/routes.ts`, `.fw/links.ts` and the entry. After a change,
 * it reads only the changed files again.
 */
import { existsSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { createDirectorySource } from "../../adapters/disk/directory.ts"
import { FwError } from "../../lib/errors.ts"
import { findRole } from "../../lib/scan/file-names.ts"
import { type DirectoryEntry, type DirectorySource, scan } from "../../lib/scan.ts"
import { createEmptyTree } from "../../lib/tree.ts"
import { renderRoutesModule } from "../project/codegen.ts"
import { scanWithSyntax } from "../project/explain-syntax.ts"
import { jobsFile, renderJobsModule } from "../project/jobs-module.ts"
import { linksFile, renderLinksModule } from "../project/links-module.ts"
import { type Problem, toProblems, toProjectPath } from "../project/problems.ts"
import { findMain, type Project } from "../project/project.ts"
import { removeFile, writeIfChanged } from "../system/whole-file.ts"
import type { DevEntry } from "./bundle/dev-entry.ts"
import type { GenerateResult, GenerateStep } from "./generate.ts"

const routesFile = ".fw/routes.ts"

/** Returns the step. It caches the files that it has read. */
export function createRoutesStep(entry: DevEntry): GenerateStep {
  let source: CachedSource | undefined
  let problems: readonly Problem[] = []
  let main: string | null | undefined
  return async (project, changed) => {
    source ??= new CachedSource(project)
    const isUnchanged = changed !== null && (await source.update(changed))
    if (isUnchanged && findMain(project) === main) return { problems, written: [] }
    main = findMain(project)
    const result = await writeRoutes(project, main, source, entry)
    problems = result.problems
    return result
  }
}

/** Scans the routes and writes the generated files. */
async function writeRoutes(
  project: Project,
  main: string | null,
  source: DirectorySource,
  entry: DevEntry,
): Promise<GenerateResult> {
  const { root, appDir } = project
  try {
    const tree = existsSync(join(root, appDir))
      ? await scanWithSyntax(root, () => scan(source, appDir))
      : createEmptyTree(appDir)
    const written = await Promise.all([
      writeIfChanged({ root, path: routesFile }, renderRoutesModule(tree)),
      writeIfChanged({ root, path: linksFile }, renderLinksModule(tree)),
      writeJobs(root, renderJobsModule(tree)),
      entry.setParts({ tree, main }),
    ])
    const files = [routesFile, linksFile, jobsFile, entry.file].filter((_, i) => written[i])
    return { problems: [], written: files.map((file) => join(root, file)) }
  } catch (error) {
    if (error instanceof FwError) return { problems: toProblems(root, error), written: [] }
    throw error
  }
}

/**
 * Writes the module with the types of the job files, or removes it if there are no job files. Returns true only if it
 * wrote a changed text.
 */
async function writeJobs(root: string, text: string | undefined): Promise<boolean> {
  if (text !== undefined) return writeIfChanged({ root, path: jobsFile }, text)
  await removeFile({ root, path: jobsFile })
  return false
}

/** Lists and reads files of the project, and caches the results until they change. */
class CachedSource implements DirectorySource {
  readonly #project: Project
  readonly #disk: DirectorySource
  readonly #lists = new Map<string, Promise<readonly DirectoryEntry[] | null>>()
  readonly #texts = new Map<string, Promise<string>>()
  /** The results of scanning single files, as of the last change of each file. */
  readonly #scans = new Map<string, string | null>()

  constructor(project: Project) {
    this.#project = project
    this.#disk = createDirectorySource(project.root)
  }

  list(directory: string): Promise<readonly DirectoryEntry[] | null> {
    return getCached(this.#lists, directory, () => this.#disk.list(directory))
  }

  read(file: string): Promise<string> {
    return getCached(this.#texts, file, () => this.#disk.read(file))
  }

  /**
   * Removes changed files from the cache.
   *
   * @returns true if a scan would have the same result as before.
   */
  async update(changed: ReadonlySet<string>): Promise<boolean> {
    const { root, appDir } = this.#project
    const files = [...changed].map((path) => toProjectPath(root, path))
    const routeFiles = files.filter((file) => file.startsWith(`${appDir}/`) || mayBeRoute(file))
    const places = routeFiles.map((file) => [file, this.#findDirectory(file)] as const)
    if (places.every(([, directory]) => directory !== null)) {
      const results = await Promise.all(places.map(([file, directory]) => this.#rescan(file, directory as string)))
      return results.every((isSame) => isSame)
    }
    this.#lists.clear()
    this.#texts.clear()
    this.#scans.clear()
    return false
  }

  /**
   * Returns the nearest cached directory above a file; null if the path may be a directory itself, or is behind a
   * link.
   */
  #findDirectory(file: string): string | null {
    if (this.#lists.has(file) || !basename(file).includes(".")) return null
    let directory = dirname(file)
    while (!this.#lists.has(directory) && directory !== ".") directory = dirname(directory)
    return this.#lists.has(directory) ? directory : null
  }

  /**
   * Reads and scans a single file again, which is fast. If its result is the same as before, and no file was
   * created or deleted, the result of a complete scan is the same too.
   */
  async #rescan(file: string, directory: string): Promise<boolean> {
    const last = this.#scans.has(file) ? this.#scans.get(file) : await this.#scanFile(file)
    const before = [last, toNames(await this.list(directory))]
    this.#texts.delete(file)
    this.#lists.delete(directory)
    this.#scans.delete(file)
    const after = [await this.#scanFile(file), toNames(await this.list(directory))]
    this.#scans.set(file, after[0] as string | null)
    return before[0] !== null && before.every((value, i) => value === after[i])
  }

  /** Returns the result of scanning a single file; null if the file has a problem. */
  async #scanFile(file: string): Promise<string | null> {
    const parts = file.split("/")
    const singleFile: DirectorySource = {
      list: async (directory) => {
        const depth = directory.split("/").length
        const kind = depth === parts.length - 1 ? "file" : "directory"
        return [{ name: parts[depth] as string, kind }]
      },
      read: (name) => this.read(name),
    }
    return scan(singleFile, this.#project.appDir).then(JSON.stringify, () => null)
  }
}

/**
 * Returns true if a file outside the route directory may belong to a route, because a link leads to its directory.
 */
function mayBeRoute(file: string): boolean {
  const name = basename(file)
  return !name.includes(".") || (file !== name && findRole(name) !== null)
}

function toNames(entries: readonly DirectoryEntry[] | null): string {
  return JSON.stringify(entries?.map(({ name, kind }) => [name, kind]).sort())
}

function getCached<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const cached = map.get(key)
  if (cached) return cached
  const value = make()
  map.set(key, value)
  return value
}
