/** The project that `fw dev` runs: its entry, its environment, and which of its files matter. Made once by the session. */
import { existsSync, readFileSync } from "node:fs"
import { basename, extname, join, relative, resolve, sep } from "node:path"
import { parseEnv } from "node:util"
import type { Io } from "../cli/terminal.ts"
import { projectFault } from "../messages/project.ts"

/** Where things are. */
export interface Project {
  /** The project's directory, absolute. */
  readonly root: string
  /** The route directory, relative to the root. */
  readonly appDir: string
}

/** What a changed file calls for. */
export type Kind = "program" | "stylesheet" | "asset" | "nothing"

const entries = ["main.ts", "main.mts", "main.js", "main.mjs"]
const envFiles = [".env.local", ".env"]

/** The module that exports the App by default, or null where there is none. */
export function mainOf({ root }: Project): string | null {
  return entries.find((name) => existsSync(join(root, name))) ?? null
}

/** @throws FwError `no_project` where there is nothing to run. */
export function checkProject(project: Project): void {
  const { root, appDir } = project
  if (existsSync(resolve(root, appDir)) || mainOf(project)) return
  throw projectFault("no_project", [root, appDir])
}

/**
 * The environment of the server process: what is set already wins over `.env.local`, and that over `.env`.
 *
 * @throws FwError `env_file` for one that cannot be read.
 */
export function serverEnv({ root }: Project, env: Io["env"]): NodeJS.ProcessEnv {
  const files = envFiles.filter((name) => existsSync(join(root, name))).map((name) => readEnv(root, name))
  const merged = Object.assign({ NODE_ENV: "development" }, ...files.reverse())
  for (const [name, value] of Object.entries(env)) if (value !== undefined) merged[name] = value
  return merged
}

function readEnv(root: string, name: string): Record<string, string> {
  try {
    return parseEnv(readFileSync(join(root, name), "utf8")) as Record<string, string>
  } catch (cause) {
    throw projectFault("env_file", [name], { at: { file: name }, cause })
  }
}

/** Whether a change of this file makes what a warm process has loaded stale: packages, conditions, variables. */
export function isGround({ root }: Project, path: string): boolean {
  const name = relative(root, path)
  return (
    name === "package.json" ||
    /^(?:package-lock\.json|.*lock\.(?:yaml|json)|yarn\.lock|bun\.lockb?)$/.test(name) ||
    /^tsconfig.*\.json$/.test(name) ||
    envFiles.includes(name)
  )
}

/** What else decides about a changed file. */
export interface Known {
  /** The files of the last good bundle. */
  readonly inputs: ReadonlySet<string>
  /** Whether the last build failed: then any code may mend it, also a file that was not there. */
  readonly failed: boolean
  /** The directory of static files, absolute. */
  readonly staticDir: string
}

const code = /\.(?:[cm]?[jt]sx?|json|tpl)$/

/** What a changed file calls for. */
export function kindOf(project: Project, path: string, { inputs, failed, staticDir }: Known): Kind {
  if (inputs.has(path) || isGround(project, path)) return "program"
  if (path.endsWith(".css")) return "stylesheet"
  if (path.endsWith(".tpl")) return "program"
  // Any file there may be one that the scan has a word on. New directories tell of their files one by one.
  if (path.startsWith(join(project.root, project.appDir, sep)) && extname(path)) return "program"
  if (path.startsWith(staticDir + sep)) return "asset"
  if (relative(project.root, path) === basename(path) && entries.includes(basename(path))) return "program"
  if (failed && code.test(path)) return "program"
  // A directory that was renamed or deleted takes its files along.
  for (const input of inputs) if (input.startsWith(path + sep)) return "program"
  return "nothing"
}
