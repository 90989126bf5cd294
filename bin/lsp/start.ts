/**
 * Starts the language server. TypeScript's server starts first, for the directory in which the editor most likely is: it needs
 * as long as the modules of this one, and runs in another process.
 */

import { nearestProject } from "../cli/nearest-project.ts"
import type { Io } from "../cli/terminal.ts"
import { startProcess } from "./typescript-process.ts"

/** Serves until the editor disconnects. */
export async function start(io: Io, appDir = "app"): Promise<void> {
  const loading = import("./serve.ts")
  const root = nearestProject(io.cwd)
  const early = startProcess(root)
  const { serve } = await loading
  await serve(io, { root, appDir }, early)
}
