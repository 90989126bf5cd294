/** Installs versions of htmx from npm, for tests in a browser. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { installTools } from "./tools.ts"

/** Installs versions of htmx, and returns a function that reads the script of one. */
export async function installHtmx(versions: readonly string[]): Promise<(version: string) => string> {
  const names = versions.map((version) => `htmx-${version}@npm:htmx.org@${version}`)
  const packages = await installTools(names)
  return (version) => readFileSync(join(packages, `htmx-${version}/dist/htmx.min.js`), "utf8")
}
