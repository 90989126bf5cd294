/** The route tree of a project, for every command that reads it. */
import { scanDirectory } from "../../lib/directory.ts"
import { FwError } from "../../lib/errors.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { withSyntax } from "./syntax.ts"

/** Scans a project. @throws FwError for a directory that is not there or holds mistakes. */
export async function scanProject(root: string, appDir: string): Promise<RouteTree> {
  try {
    return await withSyntax(root, () => scanDirectory(root, appDir))
  } catch (error) {
    if (!(error instanceof FwError) || error.code !== "app_dir") throw error
    const fix = "Run this in a project's own directory, or name its routes with --app-dir <dir>."
    throw new FwError(error.code, error.message, fix, { cause: error })
  }
}
