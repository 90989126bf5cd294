/** The version of fw, and of the packages with which it is tested. */
import { readFileSync } from "node:fs"
import { packageDirectory } from "../system/package.ts"

/** Returns the package.json of this installation. */
function readManifest() {
  return JSON.parse(readFileSync(`${packageDirectory}package.json`, "utf8")) as {
    version: string
    devDependencies: Readonly<Record<string, string>>
  }
}

/** Returns the version of this fw. */
export function readVersion(): string {
  return readManifest().version
}

/** Returns the command that installs TypeScript in the range for new projects, with which fw is tested. */
export function typeScriptInstallCommand(): string {
  return `npm install --save-dev "typescript@${readManifest().devDependencies.typescript}"`
}
