/** `fw generate auth`: copies ways to sign in from the reference application. */

import { type OptionsOf, optionName } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { authFiles } from "../generate/auth-files.ts"
import { type PatternName, patternNames, patterns, withNeeds } from "../generate/auth-patterns.ts"
import { referenceVersions } from "../generate/auth-sources.ts"
import { appDirOf } from "../generate/places.ts"
import { type NewSource, writeSource } from "../generate/source.ts"
import { filesText, needsText } from "../generate/source-text.ts"
import { newFault } from "../messages/new.ts"
import type * as specs from "../specs/generate.ts"

/** The files that were written, and the steps that are left to do. */
export interface GenerateAuthData extends NewSource {
  /** The patterns that were asked for, and those that they need. */
  readonly patterns: readonly PatternName[]
  /** Files that existed already with the same content. */
  readonly unchanged: readonly string[]
  /** Files that existed with other content and were kept, because several patterns share them. */
  readonly kept: readonly string[]
}

type Options = OptionsOf<typeof specs.auth>

/**
 * Writes the files of the patterns. @throws FwError if no pattern is named, if a file is in the way, and
 * outside a project.
 */
export async function run(
  options: Options,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GenerateAuthData> {
  const asked = patternNames.filter((name) => options[optionName(name) as keyof Options])
  if (asked.length === 0) throw newFault("patterns", [patternNames.map((name) => `--${name}`)])
  const names = withNeeds(asked)
  const { force } = options
  const appDir = await appDirOf({ cwd, appDir: options.appDir })
  const { files, unchanged, kept, packages } = await authFiles({ cwd, appDir, asked, names, force })
  const versions = await referenceVersions()
  const written = await writeSource(
    files,
    {
      packages: Object.fromEntries(packages.map((name) => [name, versions[name] as string])),
      variables: [...new Set(names.flatMap((name) => patterns[name].environment))],
    },
    { cwd, appDir, within: ".", force, signal },
  )
  return { ...written, patterns: names, unchanged, kept }
}

/** Returns a line per file, then the steps that are left. */
export function print(data: GenerateAuthData, view: View): string {
  const { unchanged, kept } = data
  const { style } = view
  const same = unchanged.length > 0 ? `  ${style.dim("unchanged  ")}  ${unchanged.length} files\n` : ""
  const own = kept.map(
    (file) => `  ${style.yellow("kept       ")}  ${file}, which differs from the reference application\n`,
  )
  return filesText(data, view) + same + own.join("") + needsText(data, view)
}
