/** Reads the version of fw and of the tools for new projects. */
import { readFileSync } from "node:fs"
import { packageDirectory } from "../system/package.ts"

/** Returns the package.json of the running fw. */
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

/** Returns the command that installs TypeScript in the version that new projects get. */
export function getTypeScriptInstallCommand(): string {
  return `npm install --save-dev "typescript@${readManifest().devDependencies.typescript}"`
}
