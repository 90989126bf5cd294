/** The configuration that a program of a project's types is opened with. It extends the project's own `tsconfig.json`. */
import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { entryDeclarations } from "../../system/framework-files.ts"
import type { ParsedConfig } from "./api.ts"

/** It lies in `.fw/`, so that its paths are the project's and it hides no file that somebody wrote. */
export const configFile = ".fw/tsconfig.types.json"

const ownPackage = dirname(fileURLToPath(new URL("../../../../package.json", import.meta.url)))

/** What a program is made of. */
export interface ProgramFiles {
  /** Files whose types are asked for, relative to the project. */
  readonly files: readonly string[]
  /** Files that are not on disk, by their path relative to the project. */
  readonly virtual: ReadonlyMap<string, string>
  /** Whether every file that the project's `tsconfig.json` names is wanted too. */
  readonly whole: boolean
}

/** A configuration, and what a program of it says about the project. */
export interface TypesConfig {
  readonly text: string
  /** Whether its program has the project's own files and options, so that its errors are those of the project. */
  readonly isWhole: boolean
}

/** Makes the configuration. @param parsed the project's own; null where it has none. */
export function typesConfig(
  root: string,
  parsed: ParsedConfig | null,
  { files, virtual, whole }: ProgramFiles,
): TypesConfig {
  const wanted = [...files, ...virtual.keys()]
  const hasFw = isInstalled(root)
  const isWhole = whole && hasFw && (parsed === null || fits(root, parsed, wanted, virtual))
  const own = (parsed?.fileNames ?? []).filter((file) => !file.includes("/node_modules/"))
  const more = own.filter((file) => isDeclaration(file) || (isWhole && !isGenerated(root, file)))
  const text = JSON.stringify({
    ...(parsed ? { extends: "../tsconfig.json" } : {}),
    compilerOptions: {
      ...(parsed ? {} : { target: "es2022", module: "nodenext" }),
      ...(hasFw ? {} : lentFramework()),
      ...(parsed && isWhole ? {} : forced),
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
    },
    files: [...new Set([...wanted.map((file) => `../${file}`), ...more])],
    include: [],
  })
  return { text, isWhole }
}

/** Null and undefined are told apart by what is sent, whatever the project's own check overlooks. */
const forced = { strict: true, allowJs: true, checkJs: false, allowImportingTsExtensions: true }

/** Whether the project's options are as strict as what is asked of them, and take the files that are wanted. */
function fits(
  root: string,
  { options, fileNames }: ParsedConfig,
  wanted: readonly string[],
  virtual: ReadonlyMap<string, string>,
): boolean {
  const strict = ["strict", "strictNullChecks", "strictFunctionTypes", "noImplicitAny"]
  if (strict.some((name) => options[name] === false) || options.allowImportingTsExtensions !== true)
    return false
  const known = new Set(fileNames)
  const real = wanted.filter((file) => !virtual.has(file))
  return real.every((file) => known.has(slashes(join(root, file))))
}

/** What a file declares for all others is said nowhere else. */
function isDeclaration(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file)
}

/** Modules that fw writes: templates are checked as they are now, and routes by what they export. */
function isGenerated(root: string, file: string): boolean {
  return file.endsWith(".tpl.ts") || file.startsWith(`${slashes(join(root, ".fw"))}/`)
}

/** The directory of the fw that the project resolves, or null. */
function findFramework(root: string): string | null {
  try {
    return dirname(realpathSync(createRequire(join(root, "package.json")).resolve("fw/package.json")))
  } catch {
    return null
  }
}

/** Whether the project has an fw of its own. */
export function isInstalled(root: string): boolean {
  return findFramework(root) !== null
}

/** The `dist/` of the fw that the program of a project reads, with a slash at the end. */
export function frameworkPrograms(root: string): string {
  return `${slashes(findFramework(root) ?? ownPackage)}/dist/`
}

/** A project that has no fw installed is read with the command's own copy, as `fw dev` runs it. */
function lentFramework(): object {
  const entries = Object.entries(entryDeclarations)
  return {
    paths: Object.fromEntries(entries.map(([name, path]) => [name, [`${slashes(ownPackage)}/dist/${path}`]])),
  }
}

/** The project's own `tsconfig.json`, where it has one. */
export function ownConfig(root: string): string | null {
  const config = join(root, "tsconfig.json")
  return existsSync(config) ? slashes(config) : null
}

/** A path as TypeScript writes it. */
export function slashes(path: string): string {
  return path.split(sep).join("/")
}

/** A path of a program relative to the project. */
export function relativeTo(root: string, path: string): string {
  return slashes(relative(root, path))
}
