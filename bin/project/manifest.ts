/** The package.json of a project or of an installed package, for what is not worth an error of its own. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Returns the fields of a directory's package.json. There are none if it is missing or broken: npm and esbuild report that. */
export function readManifest<Manifest = Readonly<Record<string, unknown>>>(directory: string): Manifest {
  try {
    return Object(JSON.parse(readFileSync(join(directory, "package.json"), "utf8")))
  } catch {
    return {} as Manifest
  }
}
