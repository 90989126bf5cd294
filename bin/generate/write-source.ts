/** Writes source files from `scaffold/generate/` into a project, and adds the packages that they need. */
import { readFile } from "node:fs/promises"
import { packageDirectory } from "../system/package.ts"
import { addDependencies } from "./dependency.ts"
import { type NewFile, type NewFilesResult, writeNewFiles } from "./files.ts"
import { checkNoConflicts, type RouteProject } from "./route-paths.ts"

/** An environment variable that a generated file reads. */
export interface Variable {
  readonly name: string
  /** A description of its value. */
  readonly about: string
}

/** What the files of a template of `fw generate` need. */
export interface TemplateNeeds {
  /** Packages to install, with version ranges. */
  readonly packages?: Readonly<Record<string, string>>
  readonly variables?: readonly Variable[]
}

/** The written files, and the steps that remain. */
export interface NewSource extends NewFilesResult {
  /** Packages that were added to package.json and must be installed. */
  readonly dependencies: readonly string[]
  readonly environment: readonly Variable[]
}

/** Options of {@link writeSource}. */
export interface WriteOptions extends RouteProject {
  /** The directory for all files. Default: the route directory. */
  readonly within?: string
  readonly force: boolean
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal
}

const scaffoldDirectory = `${packageDirectory}scaffold/`

/** The version of jose for which the files are written and tested. */
const joseVersion = "^6.2.17"
const secretVariable = {
  name: "AUTH_JWT_SECRET",
  about: "32 bytes or more, such as of openssl rand -base64 48",
}

/** What each template of `fw generate middleware` needs. */
export const middlewareNeeds: Readonly<Record<string, TemplateNeeds>> = {
  auth: { packages: { jose: joseVersion }, variables: [secretVariable] },
  cors: { variables: [{ name: "CORS_ORIGINS", about: "origins with commas between them; none without it" }] },
}

/** What each template of `fw generate proxy` needs. */
export const proxyNeeds: Readonly<Record<string, TemplateNeeds>> = {
  "auth-check": { packages: { jose: joseVersion }, variables: [secretVariable] },
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

/** Reads a file below `scaffold/generate/`. */
export function readSourceTemplate(file: string): Promise<string> {
  return readScaffold(`generate/${file}`)
}

/** Reads a file below `scaffold/`. */
export function readScaffold(file: string): Promise<string> {
  return readFile(scaffoldDirectory + file, "utf8")
}

/**
 * Writes the files and adds their packages. If one of these fails, all changes are undone.
 *
 * @throws FwError as {@link checkNoConflicts}, {@link writeNewFiles} and {@link addDependencies} do.
 */
export async function writeSource(
  files: readonly NewFile[],
  { packages = {}, variables = [] }: TemplateNeeds,
  { cwd, appDir, within = appDir, force, signal }: WriteOptions,
): Promise<NewSource> {
  await checkNoConflicts({ cwd, appDir }, files)
  const { added, undo } = await addDependencies(cwd, packages)
  try {
    const result = await writeNewFiles(files, { root: cwd, within, force, signal })
    return { ...result, dependencies: Object.keys(added), environment: variables }
  } catch (error) {
    await undo()
    throw error
  }
}
