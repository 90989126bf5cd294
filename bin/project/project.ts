/** The project that a command works on: its entry, its environment, and the effect of changed files. */
import { existsSync, readFileSync } from "node:fs"
import { basename, extname, join, relative, resolve, sep } from "node:path"
import { parseEnv } from "node:util"
import { findRole } from "../../lib/scan/file-names.ts"
import type { Io } from "../cli/terminal.ts"
import { projectFault } from "../messages/project.ts"

/** The directories of a project. */
export interface Project {
  /** The project's directory, absolute. */
  readonly root: string
  /** The route directory, relative to the root. */
  readonly appDir: string
}

/** The effect of a changed file. */
export type ChangeKind = "program" | "browser" | "stylesheet" | "asset" | "nothing"

const mainNames = ["main.ts", "main.mts", "main.js", "main.mjs"]
const envFiles = [".env.local", ".env"]

/** Returns the module that exports the App by default, or null if there is none. */
export function findMain({ root }: Project): string | null {
  return mainNames.find((name) => existsSync(join(root, name))) ?? null
}

/** Checks the directory. @throws FwError `no_project` if there is nothing to run. */
export function checkProject(project: Project): void {
  const { root, appDir } = project
  if (existsSync(resolve(root, appDir)) || findMain(project)) return
  throw projectFault("no_project", [root, appDir])
}

/**
 * Returns the environment of the server process: existing variables override `.env.local`, which overrides
 * `.env`. `FW_DEV` turns on the log for development, which leaves out static files.
 *
 * @throws FwError `env_file` for one that cannot be read.
 */
export function createServerEnv({ root }: Project, env: Io["env"]): NodeJS.ProcessEnv {
  const files = envFiles.filter((name) => existsSync(join(root, name))).map((name) => readEnv(root, name))
  const variables = Object.assign({ NODE_ENV: "development", FW_DEV: "true" }, ...files.reverse())
  for (const [name, value] of Object.entries(env)) if (value !== undefined) variables[name] = value
  return variables
}

function readEnv(root: string, name: string): Record<string, string> {
  try {
    // The file may be a named pipe: programs that manage secrets pass on variables through one.
    return parseEnv(readFileSync(join(root, name), "utf8")) as Record<string, string>
  } catch (cause) {
    throw projectFault("env_file", [name], { at: { file: name }, cause })
  }
}

/**
 * Returns true if a change of this file makes the modules of a warm process out of date, because it affects packages,
 * conditions or variables.
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

/** Other facts for deciding about a changed file. */
export interface ChangeFacts {
  /** The files of the last good bundle. */
  readonly inputs: ReadonlySet<string>
  /** True if the last build failed. Then a change of any code may fix it, even a new file. */
  readonly failed: boolean
  /** The directory of static files, absolute. */
  readonly staticDir: string
}

const codePattern = /\.(?:[cm]?[jt]sx?|json|tpl)$/

/** Returns true for a file that may have code or types. A directory that was renamed may contain some. */
export function isCode(path: string): boolean {
  return codePattern.test(path) || extname(path) === ""
}

/** Returns the effect of a changed file. */
export function classifyChange(project: Project, path: string, { inputs, failed, staticDir }: ChangeFacts): ChangeKind {
  if (inputs.has(path) || isProcessInput(project, path)) return "program"
  if (path.endsWith(".css")) return "stylesheet"
  if (path.endsWith(".tpl")) return "program"
  // The scan reads these files, and files with similar names. If the scan has found a problem, any change may solve
  // it. A new directory reports its files itself.
  if (path.startsWith(join(project.root, "db", "migrations", sep))) return "program"
  const isInApp = path.startsWith(join(project.root, project.appDir, sep)) && extname(path) !== ""
  if (isInApp && (failed || findRole(basename(path)) !== null)) return "program"
  if (path.startsWith(staticDir + sep)) return "asset"
  if (relative(project.root, path) === basename(path) && mainNames.includes(basename(path))) return "program"
  if (failed && codePattern.test(path)) return "program"
  // A renamed or deleted directory includes its files.
  for (const input of inputs) if (input.startsWith(path + sep)) return "program"
  return "nothing"
}
