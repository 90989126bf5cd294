/** The test files of a project. */
import { readdir } from "node:fs/promises"
import { join, sep } from "node:path"
import { byCodeUnit } from "../../lib/order.ts"
import { isTestFile } from "../project/test-file.ts"
import { isIgnoredDirectory, produced } from "../system/watch.ts"

/**
 * Returns the test files below a project, relative to it and with forward slashes, sorted. Directories with
 * a package.json of their own are other projects.
 */
export async function findTests(root: string): Promise<string[]> {
  const found: string[] = []
  await collect(root, "", found)
  return found.sort(byCodeUnit)
}

async function collect(root: string, directory: string, found: string[]): Promise<void> {
  const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => [])
  if (directory !== "" && entries.some(({ name }) => name === "package.json")) return
  for (const entry of entries) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`
    if (entry.isFile() && isTestFile(entry.name)) found.push(path)
    const isSkipped = isIgnoredDirectory(entry.name) || (directory === "" && produced.includes(entry.name))
    if (entry.isDirectory() && !isSkipped) await collect(root, path, found)
  }
}

/** Returns the files with a text in their paths, which may be written with the separators of this system. */
export function filterTests(files: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return files
  const wanted = text.split(sep).join("/").replace(/^\.\//, "").toLowerCase()
  return files.filter((file) => file.toLowerCase().includes(wanted))
}
