/** Decides which files `fw generate auth` writes into a project, and which existing files it keeps. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readDatabase } from "../project/database-files.ts"
import { findMain } from "../project/project.ts"
import { readStaticDir } from "../project/static-dir.ts"
import { readRegularFile } from "../system/whole-file.ts"
import { createDatabaseIndex, createTestDatabaseFile, isSQLite } from "./auth-database.ts"
import { readEdits } from "./auth-edits.ts"
import { listEntries, mailerFile, type PatternName, patternNames, patterns } from "./auth-patterns.ts"
import { type ProjectDirectories, readReferenceSources, relocate, toProjectPath } from "./auth-sources.ts"
import type { NewFile } from "./files.ts"
import { createTestSupport } from "./form-test.ts"
import { createLayoutFile, hasLayout } from "./layout-file.ts"
import { readSourceTemplate, type Variable } from "./write-source.ts"

/** Options of {@link readAuthFiles}. */
export interface AuthFilesOptions {
  readonly cwd: string
  /** Path relative to the project. */
  readonly appDir: string
  /** The requested patterns. */
  readonly requestedNames: readonly PatternName[]
  /** The requested patterns, and those that they need. */
  readonly names: readonly PatternName[]
  readonly force: boolean
}

/** The files, by state. */
export interface AuthFiles {
  /** Files to write. If some of them exist, that is reported later. */
  readonly files: readonly NewFile[]
  /** Files that exist with the same content. */
  readonly unchanged: readonly string[]
  /**
   * Files that exist with other content. They are kept, because several patterns share them and the user has
   * changed them.
   */
  readonly kept: readonly string[]
  /** The packages that the files import. */
  readonly packages: readonly string[]
  /** Type packages, and their versions. */
  readonly types: Readonly<Record<string, string>>
  readonly variables: readonly Variable[]
}

const databaseIndex = "db/index.ts"
const databaseVariable = { name: "DATABASE_URL", about: "the database, as db/index.ts reads it" }
/** Keeps the database out of git. */
const gitignoreFile: NewFile = { file: "data/.gitignore", text: "*\n!.gitignore\n" }

/** Reads the sources of the patterns, and compares them with the project's files. */
export async function readAuthFiles({
  cwd,
  appDir,
  requestedNames,
  names,
  force,
}: AuthFilesOptions): Promise<AuthFiles> {
  const database = await readDatabase(cwd)
  const staticDir = readStaticDir(cwd)
  const places = { root: cwd, appDir, staticDir, databaseIndex: database?.index ?? databaseIndex }
  const existingNames = patternNames.filter((name) =>
    existsSync(join(cwd, toProjectPath(patterns[name].files[0] as string, places))),
  )
  const entries = listEntries(names, existingNames)
  const referenceSources = await readReferenceSources(entries)
  const hasDatabase = referenceSources.some(({ file }) => file === databaseIndex)
  const sources = [
    ...referenceSources.filter(({ file }) => file !== databaseIndex),
    ...(hasDatabase ? await readReferenceSources(["db/migrations"]) : []),
  ]
  const isOwnFile = createOwnFileTest(
    listEntries(requestedNames, existingNames).filter((entry) => entry !== mailerFile),
    places,
  )
  const newFiles: NewFile[] = sources.map((source) => relocate(source, places))
  const packages = new Set(sources.flatMap((source) => source.packages))
  const index = hasDatabase && !database ? await createDatabaseIndex(cwd) : undefined
  if (hasDatabase) {
    newFiles.push(gitignoreFile)
    if (index) {
      newFiles.push({ file: databaseIndex, text: index.text })
      packages.add(index.client)
    }
    newFiles.push(await createTestDatabaseFile(cwd, index?.text, places.databaseIndex))
    newFiles.push(...(await createTestSupport(cwd, findMain({ root: cwd, appDir }) !== null)))
  }
  if (names.includes("session"))
    newFiles.push({ file: "tests/auth.test.ts", text: await readSourceTemplate("auth/auth.test.ts") })
  if (sources.some(({ file }) => file.endsWith(".tpl")) && !(await hasLayout(join(cwd, appDir))))
    newFiles.push(await createLayoutFile(cwd, appDir))
  const files: NewFile[] = []
  const unchanged: string[] = []
  const kept: string[] = []
  for (const { file, text } of newFiles) {
    const currentText = await readRegularFile(join(cwd, file))
    if (currentText === text) unchanged.push(file)
    else if (currentText === null || force || isOwnFile(file)) files.push({ file, text })
    else kept.push(file)
  }
  const variables = [...new Set(names.flatMap((name) => patterns[name].environment))]
  if (hasDatabase) variables.unshift(databaseVariable)
  const indexText = index?.text ?? (database && (await readRegularFile(join(cwd, database.index))))
  const jobsIndex = indexText && isSQLite(indexText) ? places.databaseIndex : undefined
  const edits = await readEdits({ cwd, appDir, names, variables, files, hasDatabase, jobsIndex })
  const editedFiles = new Set(edits.map(({ file }) => file))
  return {
    files: [...files.filter(({ file }) => !editedFiles.has(file)), ...edits],
    unchanged,
    kept: kept.filter((file) => !editedFiles.has(file)),
    packages: [...packages].sort(),
    types: index?.types ?? {},
    variables,
  }
}

/**
 * Returns a function that tells whether a file is listed in the entries or below one of them. Other files are only
 * imported.
 */
function createOwnFileTest(entries: readonly string[], places: ProjectDirectories): (file: string) => boolean {
  const paths = entries.map((entry) => toProjectPath(entry, places))
  return (file) => paths.some((entry) => file === entry || file.startsWith(`${entry}/`))
}
