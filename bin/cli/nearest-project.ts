/** Finds the project that contains a directory. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** Returns the nearest directory with a package.json, starting at `cwd`. Returns `cwd` if there is none. */
export function findNearestProject(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at
    if (at === dirname(at)) return cwd
  }
}
