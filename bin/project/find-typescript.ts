/** The TypeScript that a project has installed. */

import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Returns the path of the project's `tsc`, which Node runs; null if it has none. */
export function findTypeScript(root: string): string | null {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json")
    return join(dirname(manifest), "bin", "tsc")
  } catch {
    return null
  }
}
