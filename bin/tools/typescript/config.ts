/**
 * Creates the configuration with which a project's types are read. It extends the project's own `tsconfig.json`.
 */
import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { entryDeclarations } from "../../system/framework-files.ts"
import { packageDirectory } from "../../system/package.ts"
import type { ParsedConfig } from "./api.ts"

/** The path of the configuration. It is in `.fw/`, so that it hides no file of the user. */
export const configFile = ".fw/tsconfig.types.json"

/** The files of a program. */
export interface ProgramFiles {
  /** The files whose types are read, relative to the project. */
  readonly files: readonly string[]
  /** Files that are not on the disk, by their path relative to the project. */
  readonly virtual: ReadonlyMap<string, string>
}

/**
 * Returns the text of the configuration.
 *
 * @param parsed the project's own configuration; null if it has none.
 */
export function createTypesConfig(root: string, parsed: ParsedConfig | null, { files, virtual }: ProgramFiles): string {
  // A declaration file may contain global declarations, which are nowhere else.
  const declarations = (parsed?.fileNames ?? []).filter(
    (file) => /\.d\.[cm]?ts$/.test(file) && !file.includes("/node_modules/"),
  )
  return JSON.stringify({
    ...(parsed ? { extends: "../tsconfig.json" } : {}),
    compilerOptions: {
      ...(parsed ? {} : { target: "es2022", module: "nodenext" }),
      ...(isInstalled(root) ? {} : createFrameworkPaths()),
      ...forcedOptions,
      noEmit: true,
      composite: false,
      // A composite project has this option by default, and other options need it.
      ...(parsed?.options.composite === true && { declaration: true }),
      incremental: false,
      skipLibCheck: true,
    },
    contentMappers: [],
    files: [...new Set([...[...files, ...virtual.keys()].map((file) => `../${file}`), ...declarations])],
    include: [],
  })
}

/** null and undefined must be distinguished in responses, even if the project's own options do not do so. */
const forcedOptions = { strict: true, allowJs: true, checkJs: false, allowImportingTsExtensions: true }

/** Returns the directory of the fw that the project has installed; null if it has none. */
function findFramework(root: string): string | null {
  try {
    return dirname(realpathSync(createRequire(join(root, "package.json")).resolve("fw/package.json")))
  } catch {
    return null
  }
}

/** Returns true if the project has its own fw. */
export function isInstalled(root: string): boolean {
  return findFramework(root) !== null
}

/** Returns the `dist/` of the fw whose types a project uses, with a slash at the end. */
export function findFrameworkDist(root: string): string {
  const directory = findFramework(root)
  return `${toSlashes(directory ? `${directory}/` : packageDirectory)}dist/`
}

/**
 * Returns the options for a project that has not installed fw. It uses the command's own copy, as under `fw dev`.
 */
function createFrameworkPaths(): object {
  const entries = Object.entries(entryDeclarations)
  return {
    paths: Object.fromEntries(entries.map(([name, path]) => [name, [`${toSlashes(packageDirectory)}dist/${path}`]])),
  }
}

/** Returns the project's own `tsconfig.json`; null if it has none. */
export function findOwnConfig(root: string): string | null {
  const config = join(root, "tsconfig.json")
  return existsSync(config) ? toSlashes(config) : null
}

/** Returns a path in TypeScript's notation, with forward slashes. */
export function toSlashes(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/")
}

/** Returns a path in TypeScript's notation relative to the project. */
export function toRelative(root: string, path: string): string {
  const inside = `${toSlashes(root)}/`
  return path.startsWith(inside) ? path.slice(inside.length) : toSlashes(relative(root, path))
}
