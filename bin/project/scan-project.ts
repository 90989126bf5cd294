/** Scans the routes of a project. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { scanDirectory } from "../../adapters/disk/directory.ts"
import { FwError } from "../../lib/errors.ts"
import { createEmptyTree, type RouteTree } from "../../lib/tree.ts"
import { projectFault } from "../messages/project.ts"
import { scanWithSyntax } from "./explain-syntax.ts"
import { findMain, type Project } from "./project.ts"

/**
 * Scans the route directory of a project.
 *
 * @throws FwError if the directory is missing or has mistakes.
 */
export async function scanProject(root: string, appDir: string): Promise<RouteTree> {
  try {
    return await scanWithSyntax(root, () => scanDirectory(root, appDir))
  } catch (error) {
    if (!(error instanceof FwError) || error.code !== "app_dir") throw error
    throw projectFault("app_dir.missing", [error.message], { cause: error })
  }
}

/**
 * Scans the route directory. If it is missing and the project has a main file, which may register all routes, the
 * tree is empty.
 *
 * @throws FwError as {@link scanProject} does, and if a directory that the user named is missing.
 */
export async function readProjectTree({ root, appDir }: Project): Promise<RouteTree> {
  const isEmpty = appDir === "app" && !existsSync(resolve(root, appDir)) && findMain({ root, appDir }) !== null
  return isEmpty ? createEmptyTree(appDir) : scanProject(root, appDir)
}
