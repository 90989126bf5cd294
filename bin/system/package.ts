/**
 * The package of this command: its directory, and the files in it that are found by their path. Others ask here, because only
 * this module knows the two forms of the code: sources that run as they are, and the bundles in `dist/`.
 */
import { existsSync, realpathSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const thisFile = fileURLToPath(import.meta.url)

/** The directory of the package, with a separator at the end: below a `node_modules`, or a checkout. */
export const packageDirectory = findPackageDirectory(thisFile)

/** True if the sources run. Child processes then run sources, too. */
const isSource = thisFile.endsWith(".ts")

/** Programs and modules that other processes load by their path. The build makes a file of each. */
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
export function programPath(name: (typeof programs)[number]): string {
  // Node 20 does not run `--import` in the process of `node --test`, so that process cannot read types.
  const isBuilt = !isSource || (name === "bin/testing/reporter" && !("typescript" in process.features))
  return join(packageDirectory, isBuilt ? `dist/${name}.js` : `${name}.ts`)
}

/** The extension for Visual Studio Code, which only a build makes. */
export const extensionFile = join(packageDirectory, "dist/editors/fw-templates.vsix")

/** The flags of Node that a process needs to run one of {@link programs}. */
export const programFlags: readonly string[] = isSource ? process.execArgv : []

/** The conditions of package.json with which a bundler takes the form of fw that runs. */
export const packageConditions: readonly string[] = isSource ? ["fw-source"] : []

/** Returns a function that recognizes the code of fw: of this package, and of the one in a project. */
export function createFrameworkTest(root?: string): (file: string) => boolean {
  const folders = ["dist", "lib", "template", "adapters", "bin"].map((folder) => packageDirectory + folder + sep)
  const own = root === undefined ? null : findInstalled(root)
  if (own) folders.push(own)
  return (file) => folders.some((folder) => file.startsWith(folder)) || installedFilePattern.test(file)
}

/** A file of an installed package, wherever it is. */
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
