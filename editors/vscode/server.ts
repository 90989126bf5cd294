/** Finds the language server of a project: the `fw lsp` of the fw that is installed in it. */

import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** How to start the language server of a project. */
export interface Server {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Environment variables that are set in addition to those of the editor. */
  readonly env: Readonly<Record<string, string>>
}

const programNames = ["node_modules", "fw", "dist", "bin", "fw.js"]

/**
 * Returns the project of a file: the nearest directory above it in which fw is installed.
 *
 * @param exists returns true if there is a file with a path. Default: looks in the file system.
 */
export function findProject(file: string, exists: (path: string) => boolean = existsSync): string | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    if (exists(join(at, ...programNames))) return at
    if (at === dirname(at)) return undefined
  }
}

/**
 * Returns how to start the language server of a project.
 *
 * @param node the path of the Node to run it with. Default: the editor's own program. It is a desktop program, but runs
 * as Node if the variable ELECTRON_RUN_AS_NODE is set.
 */
export function toServer(project: string, node = ""): Server {
  const env: Record<string, string> = node === "" ? { ELECTRON_RUN_AS_NODE: "1" } : {}
  return {
    command: node === "" ? process.execPath : node,
    args: [join(project, ...programNames), "lsp"],
    cwd: project,
    env,
  }
}
