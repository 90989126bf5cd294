/** The test files of a project. */
import { sep } from "node:path"
import { findFiles } from "../project/find-files.ts"
import { isTestFile } from "../project/test-file.ts"

/**
 * Returns the test files below a project, relative to it and with forward slashes, sorted. Directories with
 * a package.json of their own are other projects.
 */
export function findTests(root: string): Promise<string[]> {
  return findFiles(root, isTestFile)
}

/** Returns the files with a text in their paths, which may be written with the separators of this system. */
export function filterTests(files: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return files
  const wanted = text.split(sep).join("/").replace(/^\.\//, "").toLowerCase()
  return files.filter((file) => file.toLowerCase().includes(wanted))
}
