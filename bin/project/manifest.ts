/** Reads package.json files whose errors need not be reported here. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Returns the fields of a directory's package.json; an empty object if it is missing or invalid, which npm and
 * esbuild report.
 */
export function readManifest<Manifest = Readonly<Record<string, unknown>>>(directory: string): Manifest {
  try {
    return Object(JSON.parse(readFileSync(join(directory, "package.json"), "utf8")))
  } catch {
    return {} as Manifest
  }
}
