/**
 * Finds the package of this command and the files in it that are needed by their path. Other modules must ask here,
 * because only this module knows the two forms of the code: sources, and the bundles in `dist/`.
 */
import { existsSync, realpathSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const thisFile = fileURLToPath(import.meta.url)

/** The directory of the package, with a separator at the end. It is in a `node_modules` or is a checkout. */
export const packageDirectory = findPackageDirectory(thisFile)

/** True if the sources are running. Child processes run sources too, then. */
const isSource = thisFile.endsWith(".ts")

/** Programs and modules that other processes load by their path. The build creates a file for each. */
export const programs = [
  "bin/build/pages/child",
  "bin/dev/server/child",
  "bin/dev/types/facts-child",
  "bin/openapi/load-child",
  "bin/testing/reporter",
  "bin/testing/child",
  "adapters/executable/external",
] as const

/** Returns the path of one of {@link programs}. */
export function getProgramPath(name: (typeof programs)[number]): string {
  // Node 20 ignores `--import` in the process of `node --test`, which then cannot load TypeScript.
  const isBuilt = !isSource || (name === "bin/testing/reporter" && !("typescript" in process.features))
  return join(packageDirectory, isBuilt ? `dist/${name}.js` : `${name}.ts`)
}

/** The extension for Visual Studio Code. Only the build creates it. */
export const extensionFile = join(packageDirectory, "dist/editors/fw-templates.vsix")

/** The flags with which Node must be started to run one of {@link programs}. */
export const programFlags: readonly string[] = isSource ? process.execArgv : []

/** The conditions for package.json with which a bundler finds the same form of fw as is running. */
export const packageConditions: readonly string[] = isSource ? ["fw-source"] : []

/** Returns a function that recognizes files of fw, both of this package and of the one in a project. */
export function createFrameworkTest(root?: string): (file: string) => boolean {
  const folders = ["dist", "lib", "template", "adapters", "bin"].map((folder) => packageDirectory + folder + sep)
  const installedDirectory = root === undefined ? null : findInstalled(root)
  if (installedDirectory) folders.push(installedDirectory)
  return (file) => folders.some((folder) => file.startsWith(folder)) || installedFilePattern.test(file)
}

/** Matches a file of an installed fw, wherever it is. */
const installedFilePattern = /[/\\]node_modules[/\\]fw[/\\]/

function findInstalled(root: string): string | null {
  try {
    return realpathSync(join(root, "node_modules", "fw")) + sep
  } catch {
    return null
  }
}

function findPackageDirectory(file: string): string {
  let directory = dirname(file)
  while (!existsSync(join(directory, "package.json"))) directory = dirname(directory)
  return directory + sep
}
