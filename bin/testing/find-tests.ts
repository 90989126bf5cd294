/** Finds the test files of a project. */
import { sep } from "node:path"
import { findFiles } from "../project/find-files.ts"
import { isTestFile } from "../project/test-file.ts"

/**
 * Returns the test files of a project, relative to it, with forward slashes and sorted. A directory with its own
 * package.json is another project and is skipped.
 */
export function findTests(root: string): Promise<string[]> {
  return findFiles(root, isTestFile)
}

/** Returns the files whose paths contain a text. The text may have the separators of this system. */
export function filterTests(files: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return files
  const pattern = text.split(sep).join("/").replace(/^\.\//, "").toLowerCase()
  return files.filter((file) => file.toLowerCase().includes(pattern))
}
