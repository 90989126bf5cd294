/** Finds the TypeScript that a project has installed. */

import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Returns the path of the project's `tsc`, a module for Node; null if it is not installed. */
export function findTypeScript(root: string): string | null {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json")
    return join(dirname(manifest), "bin", "tsc")
  } catch {
    return null
  }
}
