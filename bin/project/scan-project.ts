/** The route tree of a project, for every command that reads it. */
import { scanDirectory } from "../../adapters/disk/directory.ts"
import { FwError } from "../../lib/errors.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { projectFault } from "../messages/project.ts"
import { withSyntax } from "./syntax.ts"

/** Scans a project. @throws FwError if the directory is missing or has mistakes. */
export async function scanProject(root: string, appDir: string): Promise<RouteTree> {
  try {
    return await withSyntax(root, () => scanDirectory(root, appDir))
  } catch (error) {
    if (!(error instanceof FwError) || error.code !== "app_dir") throw error
    throw projectFault("app_dir.missing", [error.message], { cause: error })
  }
}
