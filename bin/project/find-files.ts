/** Finds the source files of a project. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { isIgnoredDirectory, outputDirectories } from "../system/watch.ts"

/**
 * Returns the files of a project with certain names, relative to it, with forward slashes and sorted. A directory
 * with its own package.json is another project and is skipped.
 */
export async function findFiles(root: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const files: string[] = []
  await collectFiles({ root, isWanted }, "", files)
  return files.sort(compareByCodeUnit)
}

interface FileSearch {
  readonly root: string
  readonly isWanted: (name: string) => boolean
}

async function collectFiles(search: FileSearch, directory: string, files: string[]): Promise<void> {
  const entries = await readdir(join(search.root, directory), { withFileTypes: true }).catch(() => [])
  if (directory !== "" && entries.some(({ name }) => name === "package.json")) return
  for (const entry of entries) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`
    if (entry.isFile() && search.isWanted(entry.name)) files.push(path)
    const isSkipped = isIgnoredDirectory(entry.name) || (directory === "" && outputDirectories.includes(entry.name))
    if (entry.isDirectory() && !isSkipped) await collectFiles(search, path, files)
  }
}
