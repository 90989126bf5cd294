/** The esbuild options of `fw dev`, and the choice of packages that are not bundled. */
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import type { BuildOptions } from "esbuild"
import { jsxOptions } from "../../project/jsx.ts"
import { readSettings } from "../../project/settings.ts"

/** Returns the options for translating a module. They are the same with and without bundling. */
export function createCommonOptions(root: string) {
  return {
    absWorkingDir: root,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    target: `node${process.versions.node}`,
    keepNames: true,
    charset: "utf8",
    ...jsxOptions,
    logLevel: "silent",
  } as const satisfies BuildOptions
}

/**
 * Returns the options for packages. A package that links to a folder of the workspace is bundled like the project's
 * own code: it may be TypeScript, and it may change.
 */
export function readPackageOptions(root: string): BuildOptions {
  const linkedPackages = findLinkedPackages(root)
  if (linkedPackages.size === 0) return { packages: "external" }
  return {
    external: [
      "fw",
      ...readSettings(root).optional,
      ...findInstalledPackages(root).filter((name) => !linkedPackages.has(name)),
    ],
  }
}

/** Returns the packages in every `node_modules` from which the project can import, the nearest first. */
function findInstalledPackages(root: string): string[] {
  return [...new Set(listModuleDirectories(root).flatMap((directory) => listPackages(directory)))]
}

/**
 * Returns the packages that are links to directories outside every `node_modules`. fw itself is never bundled,
 * wherever it is.
 */
function findLinkedPackages(root: string): Set<string> {
  const names = new Set<string>()
  for (const directory of listModuleDirectories(root)) {
    for (const name of listPackages(directory)) {
      const path = join(directory, name)
      if (name === "fw" || !lstatSync(path).isSymbolicLink() || !existsSync(path)) continue
      if (!realpathSync(path).split(sep).includes("node_modules")) names.add(name)
    }
  }
  return names
}

function listModuleDirectories(root: string): string[] {
  const parent = dirname(root)
  return [join(root, "node_modules"), ...(parent === root ? [] : listModuleDirectories(parent))]
}

function listPackages(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory).flatMap((name) => {
    if (name.startsWith(".")) return []
    if (!name.startsWith("@")) return [name]
    return readdirSync(join(directory, name)).map((inner) => `${name}/${inner}`)
  })
}
