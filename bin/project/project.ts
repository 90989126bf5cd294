/** The project that a command works on: its main file, its environment, and the effects of changed files. */
import { existsSync, readFileSync } from "node:fs"
import { basename, extname, join, relative, resolve, sep } from "node:path"
import { parseEnv } from "node:util"
import { findRole } from "../../lib/scan/file-names.ts"
import type { Io } from "../cli/terminal.ts"
import { projectFault } from "../messages/project.ts"

/** The directories of a project. */
export interface Project {
  /** Absolute path of the project. */
  readonly root: string
  /** The route directory, relative to the root. */
  readonly appDir: string
}

/** What a changed file affects. */
export type ChangeKind = "program" | "browser" | "stylesheet" | "asset" | "nothing"

const mainNames = ["main.ts", "main.mts", "main.js", "main.mjs"]
const envFiles = [".env.local", ".env"]

/** Returns the module that exports the App as its default; null if there is none. */
export function findMain({ root }: Project): string | null {
  return mainNames.find((name) => existsSync(join(root, name))) ?? null
}

/**
 * Checks that a directory contains a project.
 *
 * @throws FwError `no_project` if there is nothing to run.
 */
export function checkProject(project: Project): void {
  const { root, appDir } = project
  if (existsSync(resolve(root, appDir)) || findMain(project)) return
  throw projectFault("no_project", [root, appDir])
}

/**
 * Returns the environment of the server process. Existing variables override `.env.local`, which overrides `.env`.
 * `FW_DEV` turns on the log for development, which does not list static files.
 *
 * @throws FwError `env_file` for a file that cannot be read.
 */
export function createServerEnv({ root }: Project, env: Io["env"]): NodeJS.ProcessEnv {
  const files = envFiles.filter((name) => existsSync(join(root, name))).map((name) => readEnv(root, name))
  const variables = Object.assign({ NODE_ENV: "development", FW_DEV: "true" }, ...files.reverse())
  for (const [name, value] of Object.entries(env)) if (value !== undefined) variables[name] = value
  return variables
}

function readEnv(root: string, name: string): Record<string, string> {
  try {
    // Reads the file even if it is a named pipe, through which some programs pass secrets.
    return parseEnv(readFileSync(join(root, name), "utf8")) as Record<string, string>
  } catch (cause) {
    throw projectFault("env_file", [name], { at: { file: name }, cause })
  }
}

/**
 * Returns true if a changed file makes the spare server process of `fw dev` out of date, because the file affects
 * packages, export conditions or variables.
 */
export function isProcessInput({ root }: Project, path: string): boolean {
  const name = relative(root, path)
  return (
    name === "package.json" ||
    /^(?:package-lock\.json|.*lock\.(?:yaml|json)|yarn\.lock|bun\.lockb?)$/.test(name) ||
    /^tsconfig.*\.json$/.test(name) ||
    envFiles.includes(name)
  )
}

/** Facts that are needed to decide what a changed file affects. */
export interface ChangeFacts {
  /** The files of the last successful bundle. */
  readonly inputs: ReadonlySet<string>
  /** True if the last build failed. Then a change of any code may fix it, even a new file. */
  readonly hasFailed: boolean
  /** Absolute path of the directory of static files. */
  readonly staticDir: string
}

const codePattern = /\.(?:[cm]?[jt]sx?|json|tpl)$/

/** Returns true for a file that may contain code or types. A renamed directory may contain such files. */
export function isCode(path: string): boolean {
  return codePattern.test(path) || extname(path) === ""
}

/** Returns what a changed file affects. */
export function classifyChange(
  project: Project,
  path: string,
  { inputs, hasFailed, staticDir }: ChangeFacts,
): ChangeKind {
  if (inputs.has(path) || isProcessInput(project, path)) return "program"
  if (path.endsWith(".css")) return "stylesheet"
  if (path.endsWith(".tpl")) return "program"
  if (path.startsWith(join(project.root, "db", "migrations", sep))) return "program"
  // The scan reads files of the route directory, and reports files with similar names. If the last build failed, any
  // change there may fix it. A new directory is ignored, because its files are reported separately.
  const isInApp = path.startsWith(join(project.root, project.appDir, sep)) && extname(path) !== ""
  if (isInApp && (hasFailed || findRole(basename(path)) !== null)) return "program"
  if (path.startsWith(staticDir + sep)) return "asset"
  if (relative(project.root, path) === basename(path) && mainNames.includes(basename(path))) return "program"
  if (hasFailed && codePattern.test(path)) return "program"
  // If a directory was renamed or deleted, the change includes its files.
  for (const input of inputs) if (input.startsWith(path + sep)) return "program"
  return "nothing"
}
