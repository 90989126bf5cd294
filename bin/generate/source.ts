/** Writes source files from `scaffold/generate/` into a project, with their imports. */
import { readFile } from "node:fs/promises"
import { packageDirectory } from "../system/package.ts"
import { addDependencies } from "./dependency.ts"
import { type NewFile, type NewFilesResult, writeNewFiles } from "./files.ts"
import { checkFits, type RouteProject } from "./places.ts"

/** An environment variable that a generated file reads. */
export interface Variable {
  readonly name: string
  /** Description of its value. */
  readonly about: string
}

/** Requirements of a template. */
export interface Needs {
  /** Packages to install, with version ranges. */
  readonly packages?: Readonly<Record<string, string>>
  readonly variables?: readonly Variable[]
}

/** Files that were written, and the remaining steps. */
export interface NewSource extends NewFilesResult {
  /** Packages that were added to package.json and must be installed. */
  readonly dependencies: readonly string[]
  readonly environment: readonly Variable[]
}

/** Options of writing. */
export interface Where extends RouteProject {
  /** Directory for all files. Default: that of the routes. */
  readonly within?: string
  readonly force: boolean
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal
}

const scaffold = `${packageDirectory}scaffold/`

/** The version of jose for which generated files are written and tested. */
const jose = "^6.2.17"
const secret = { name: "AUTH_JWT_SECRET", about: "32 bytes or more, such as of openssl rand -base64 48" }

/** Requirements of each template of `fw generate middleware`. */
export const middlewareNeeds: Readonly<Record<string, Needs>> = {
  auth: { packages: { jose }, variables: [secret] },
  cors: { variables: [{ name: "CORS_ORIGINS", about: "origins with commas between them; none without it" }] },
}

/** Requirements of each template of `fw generate proxy`. */
export const proxyNeeds: Readonly<Record<string, Needs>> = {
  "auth-check": { packages: { jose }, variables: [secret] },
  maintenance: {
    variables: [
      { name: "MAINTENANCE", about: '"true" answers 503; anything else lets all pass' },
      { name: "MAINTENANCE_ALLOW", about: "addresses and ranges that pass: 203.0.113.7,10.0.0.0/8" },
    ],
  },
  "redirect-www": {
    variables: [{ name: "SITE_URL", about: "where all come to, such as https://shop.example" }],
  },
}

/** Returns the text of a file below `scaffold/generate/`. */
export function readSource(file: string): Promise<string> {
  return readScaffold(`generate/${file}`)
}

/** Returns the text of a file below `scaffold/`. */
export function readScaffold(file: string): Promise<string> {
  return readFile(scaffold + file, "utf8")
}

/**
 * Writes the files and adds their packages: all of it or nothing.
 *
 * @throws FwError as {@link checkFits}, {@link writeNewFiles} and {@link addDependencies} do.
 */
export async function writeSource(
  files: readonly NewFile[],
  { packages = {}, variables = [] }: Needs,
  { cwd, appDir, within = appDir, force, signal }: Where,
): Promise<NewSource> {
  await checkFits({ cwd, appDir }, files)
  const { added, undo } = await addDependencies(cwd, packages)
  try {
    const result = await writeNewFiles(files, { root: cwd, within, force, signal })
    return { ...result, dependencies: Object.keys(added), environment: variables }
  } catch (error) {
    await undo()
    throw error
  }
}
