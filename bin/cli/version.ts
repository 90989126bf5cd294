/** The version of fw, and what it is tested with. Asked for by `--version` and by what writes fw into a project. */
import { readFileSync } from "node:fs"

/** The package.json that this file was installed with. */
function manifest() {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8")
  return JSON.parse(text) as { version: string; devDependencies: Readonly<Record<string, string>> }
}

/** The version of this fw. */
export function readVersion(): string {
  return manifest().version
}

/** The command that installs a TypeScript of the range that new projects get: the one that fw is tested with. */
export function installTypeScript(): string {
  return `npm install --save-dev "typescript@${manifest().devDependencies.typescript}"`
}
