/**
 * The files that `fw generate auth` would write into a project: new ones, existing ones, and changed ones
 * that are kept.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { staticDirOf } from "../project/static-dir.ts"
import { readOrdinary } from "../system/whole-file.ts"
import { entriesOf, type PatternName, patternNames, patterns } from "./auth-patterns.ts"
import { moved, type Places, readSources, relocate } from "./auth-sources.ts"
import type { NewFile } from "./files.ts"
import { hasLayout, layoutFile } from "./layout-file.ts"

/** Options of the command. */
export interface AuthFilesOptions {
  readonly cwd: string
  /** Relative to the project. */
  readonly appDir: string
  /** The patterns that were asked for. */
  readonly asked: readonly PatternName[]
  /** These and those that they need. */
  readonly names: readonly PatternName[]
  readonly force: boolean
}

/** The files, by state. */
export interface AuthFiles {
  /** To be written. If some are in the way, that is an error later. */
  readonly files: readonly NewFile[]
  /** Exist with the same content. */
  readonly unchanged: readonly string[]
  /** Exist with other content: shared by patterns, and changed by the user. */
  readonly kept: readonly string[]
  /** Packages that they import. */
  readonly packages: readonly string[]
}

/** The database must not be committed. */
const ignored: NewFile = { file: "data/.gitignore", text: "*\n!.gitignore\n" }

/** Reads the sources and compares them with the files of the project. */
export async function authFiles({ cwd, appDir, asked, names, force }: AuthFilesOptions): Promise<AuthFiles> {
  const places = { appDir, staticDir: staticDirOf(cwd) }
  const there = patternNames.filter((name) =>
    existsSync(join(cwd, moved(patterns[name].files[0] as string, places))),
  )
  const sources = await readSources(entriesOf(names, there))
  const own = ownFiles(entriesOf(asked, there), places)
  const wanted: NewFile[] = sources.map((source) => relocate(source, places))
  if (sources.some(({ file }) => file === "lib/auth/database.ts")) wanted.push(ignored)
  if (sources.some(({ file }) => file.endsWith(".tpl")) && !(await hasLayout(join(cwd, appDir))))
    wanted.push(await layoutFile(cwd, appDir))
  const files: NewFile[] = []
  const unchanged: string[] = []
  const kept: string[] = []
  for (const { file, text } of wanted) {
    const there = await readOrdinary(join(cwd, file))
    if (there === text) unchanged.push(file)
    else if (there === null || force || own(file)) files.push({ file, text })
    else kept.push(file)
  }
  return {
    files,
    unchanged,
    kept,
    packages: [...new Set(sources.flatMap((source) => source.packages))].sort(),
  }
}

/** Returns a test for files that are one of the entries or below it, and not only imported by one. */
function ownFiles(entries: readonly string[], places: Places): (file: string) => boolean {
  const own = entries.map((entry) => moved(entry, places))
  return (file) => own.some((entry) => file === entry || file.startsWith(`${entry}/`))
}
