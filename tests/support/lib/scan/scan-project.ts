/** Creates and scans projects in temporary directories. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { scanDirectory } from "../../../../adapters/disk/directory.ts"
import type { FwError } from "../../../../lib/errors.ts"
import { ScanError } from "../../../../lib/scan.ts"
import type { RouteTree } from "../../../../lib/tree.ts"

/** Files by path. */
export type Files = Readonly<Record<string, string>>

/** Writes files into a new directory, calls a function, and removes the directory. */
export async function inProject<T>(files: Files, run: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "fw-project-"))
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), text)
    }
    return await run(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Scans a project of these files. */
export function scanFiles(files: Files, appDir = "app"): Promise<RouteTree> {
  return inProject(files, (root) => scanDirectory(root, appDir))
}

/** Returns the problems of a project with these files. */
export async function findProblems(files: Files): Promise<readonly FwError[]> {
  try {
    await scanFiles(files)
    return []
  } catch (error) {
    if (error instanceof ScanError) return error.problems
    throw error
  }
}

/** Returns a route file with these handlers, such as `Get`. */
export function handlers(...names: string[]): string {
  return names.map((name) => `export function ${name}(c) { return c.json(200, {}) }\n`).join("")
}

/** A middleware file. */
export const middleware = "export function Middleware() { return (next) => (c) => next(c) }\n"

/** A page whose content does not matter. */
export const page = "template Page(c: Context) {\n  <p>It's a page</p>\n}\n"
