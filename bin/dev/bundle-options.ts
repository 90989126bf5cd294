/** What the builds of `fw dev` ask of esbuild, and which packages stay outside of them. Used by `bundle.ts` and `bundle-patch.ts`. */
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import type { BuildOptions } from "esbuild"
import { jsxOptions } from "../project/jsx.ts"

/** How a module is translated, alike whether it is in a bundle or apart from it. */
export function commonOptions(root: string) {
  return {
    absWorkingDir: root,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    target: `node${process.versions.node}`,
    sourcesContent: false,
    keepNames: true,
    charset: "utf8",
    ...jsxOptions,
    logLevel: "silent",
  } as const satisfies BuildOptions
}

/** A package that is a link to a folder of the workspace is the project's own code: it may be TypeScript, and it changes. */
export function packageOptions(root: string): BuildOptions {
  const linked = linkedPackages(root)
  if (linked.size === 0) return { packages: "external" }
  return { external: ["fw", ...installedPackages(root).filter((name) => !linked.has(name))] }
}

/** The names below the `node_modules` that the project resolves from, nearest first. */
function installedPackages(root: string): string[] {
  return [...new Set(moduleDirectories(root).flatMap((directory) => packagesIn(directory)))]
}

/** Packages whose files are nowhere below a `node_modules`. fw itself is never bundled, wherever it is. */
function linkedPackages(root: string): Set<string> {
  const linked = new Set<string>()
  for (const directory of moduleDirectories(root)) {
    for (const name of packagesIn(directory)) {
      const path = join(directory, name)
      if (name === "fw" || !lstatSync(path).isSymbolicLink() || !existsSync(path)) continue
      if (!realpathSync(path).split(sep).includes("node_modules")) linked.add(name)
    }
  }
  return linked
}

function moduleDirectories(root: string): string[] {
  const parent = dirname(root)
  return [join(root, "node_modules"), ...(parent === root ? [] : moduleDirectories(parent))]
}

function packagesIn(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory).flatMap((name) => {
    if (name.startsWith(".")) return []
    if (!name.startsWith("@")) return [name]
    return readdirSync(join(directory, name)).map((inner) => `${name}/${inner}`)
  })
}
