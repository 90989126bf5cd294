/** The version of fw, and of the packages with which it is tested. `fw --version` loads it, and so it does not import node:fs. */

/** Returns the package.json of this installation. */
function manifest() {
  const { readFileSync } = process.getBuiltinModule("node:fs")
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8")
  return JSON.parse(text) as { version: string; devDependencies: Readonly<Record<string, string>> }
}

/** Returns the version of this fw. */
export function readVersion(): string {
  return manifest().version
}

/** Returns the command that installs TypeScript in the range for new projects, with which fw is tested. */
export function installTypeScript(): string {
  return `npm install --save-dev "typescript@${manifest().devDependencies.typescript}"`
}
