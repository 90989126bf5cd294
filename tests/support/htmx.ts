/** Versions of htmx from npm, for tests in a browser. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { project } from "./bin/cli/command.ts"

/** Installs versions of htmx, and returns a function that reads the script of one. */
export function installHtmx(versions: readonly string[]): (version: string) => string {
  const cwd = project({ "package.json": '{ "private": true }\n' })
  const names = versions.map((version) => `htmx-${version}@npm:htmx.org@${version}`)
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...names], {
    cwd,
    stdio: "ignore",
  })
  return (version) => readFileSync(join(cwd, `node_modules/htmx-${version}/dist/htmx.min.js`), "utf8")
}
