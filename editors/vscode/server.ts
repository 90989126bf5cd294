/** The language server of a project: the `fw lsp` that is installed in it. */

import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** The program that serves a project. */
export interface Server {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Variables in addition to those of the editor. */
  readonly env: Readonly<Record<string, string>>
}

const programNames = ["node_modules", "fw", "dist", "bin", "fw.js"]

/**
 * Returns the project that a file belongs to: the nearest directory above it in which fw is installed.
 *
 * @param exists returns true if there is a file with a path. Default: in the file system.
 */
export function findProject(file: string, exists: (path: string) => boolean = existsSync): string | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    if (exists(join(at, ...programNames))) return at
    if (at === dirname(at)) return undefined
  }
}

/**
 * Returns the server of a project.
 *
 * @param node the Node that runs it. Default: that of the editor, which is a desktop program, and acts as Node if this
 * variable is set.
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
