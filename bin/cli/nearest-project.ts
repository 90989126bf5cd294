/** The directory of the project that contains another directory. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** Returns the nearest directory with a package.json; the directory itself if there is none above. */
export function findNearestProject(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at
    if (at === dirname(at)) return cwd
  }
}
