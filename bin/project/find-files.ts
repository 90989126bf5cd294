/** Finds the source files of a project. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { isIgnoredDirectory, outputDirectories } from "../system/watch.ts"

/** What a search for files may have besides the project and the names. */
interface SearchOptions {
  /** The directory to search, relative to the project. Default: the whole project. */
  readonly top?: string | undefined
  /** True to search also directories with their own package.json. Otherwise they are other projects. */
  readonly entersPackages?: boolean
}

/** Returns the files of a project with certain names, relative to it, with forward slashes and sorted. */
export async function findFiles(
  root: string,
  isWanted: (name: string) => boolean,
  { top = "", entersPackages = false }: SearchOptions = {},
): Promise<string[]> {
  const files: string[] = []
  const visit = async (directory: string): Promise<void> => {
    const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => [])
    if (!entersPackages && directory !== "" && entries.some(({ name }) => name === "package.json")) return
    for (const entry of entries) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`
      if (entry.isFile() && isWanted(entry.name)) files.push(path)
      // `fw dev` skips the same directories. Below the top, `dist` may be a route directory.
      const isSkipped = isIgnoredDirectory(entry.name) || outputDirectories.includes(path)
      if (entry.isDirectory() && !isSkipped) await visit(path)
    }
  }
  await visit(top)
  return files.sort(compareByCodeUnit)
}
