/** The package.json of a project, for what is not worth an error of its own. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Returns the fields of a project's package.json. There are none if it is missing or broken: npm and esbuild report that. */
export function readManifest(root: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(join(root, "package.json"), "utf8")))
  } catch {
    return {}
  }
}
