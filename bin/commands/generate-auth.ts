/** `fw generate auth`: copies ways to sign in from the reference application. */

import { type OptionsOf, toOptionName } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { readAuthFiles } from "../generate/auth-files.ts"
import { addNeeds, type PatternName, patternNames } from "../generate/auth-patterns.ts"
import { readReferenceVersions } from "../generate/auth-sources.ts"
import { formatFiles, formatNeeds } from "../generate/result-text.ts"
import { findAppDir } from "../generate/route-paths.ts"
import { type NewSource, writeSource } from "../generate/write-source.ts"
import { newFault } from "../messages/new.ts"
import type * as specs from "../specs/generate.ts"

/** The files that were written, and the steps that remain. */
export interface GenerateAuthData extends NewSource {
  /** The requested patterns, and those that they need. */
  readonly patterns: readonly PatternName[]
  /** Files of the project to which a few lines were added. */
  readonly changed: readonly string[]
  /** Files that existed with the same content. */
  readonly unchanged: readonly string[]
  /** Files that existed with other content. They were kept, because several patterns share them. */
  readonly kept: readonly string[]
}

type Options = OptionsOf<typeof specs.auth>

/**
 * Writes the files of the patterns.
 *
 * @throws FwError outside a project, without a pattern, and if a file exists that is not shared.
 */
export async function run(options: Options, { cwd, signal }: Pick<Io, "cwd" | "signal">): Promise<GenerateAuthData> {
  const requestedNames = patternNames.filter((name) => options[toOptionName(name) as keyof Options])
  if (requestedNames.length === 0) throw newFault("patterns", [patternNames.map((name) => `--${name}`)])
  const names = addNeeds(requestedNames)
  const { force } = options
  const appDir = await findAppDir({ cwd, appDir: options.appDir })
  const { files, unchanged, kept, packages, types, variables } = await readAuthFiles({
    cwd,
    appDir,
    requestedNames,
    names,
    force,
  })
  const versions = await readReferenceVersions()
  const written = await writeSource(
    files,
    {
      packages: { ...Object.fromEntries(packages.map((name) => [name, versions[name] as string])), ...types },
      variables,
    },
    { cwd, appDir, within: ".", force, signal },
  )
  const changed = files.flatMap(({ file, isEdit }) => (isEdit ? [file] : []))
  return { ...written, changed, patterns: names, unchanged, kept }
}

/** Returns the files and the steps that remain. */
export function print(data: GenerateAuthData, view: View): string {
  const { changed, unchanged, kept } = data
  const { style } = view
  const changedLines = changed.map((file) => `  ${style.yellow("changed    ")}  ${file}\n`)
  const unchangedLine = unchanged.length > 0 ? `  ${style.dim("unchanged  ")}  ${unchanged.length} files\n` : ""
  const keptLines = kept.map(
    (file) => `  ${style.yellow("kept       ")}  ${file}, which differs from the reference application\n`,
  )
  const migrationNote = data.environment.some(({ name }) => name === "DATABASE_URL")
    ? `\nThe tables are in db/migrations/: npx fw db migrate\n`
    : ""
  return (
    formatFiles(data, view) +
    changedLines.join("") +
    unchangedLine +
    keptLines.join("") +
    formatNeeds(data, view) +
    migrationNote
  )
}
