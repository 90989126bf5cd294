/** `fw generate auth`: ways to sign in, copied from the reference application. Loaded by the table. */
import { FwError } from "../../lib/errors.ts"
import { addDependencies, missingFrom, readPackageFile } from "../project/add-dependencies.ts"
import { authFiles } from "../project/auth-files.ts"
import { type PatternName, patternNames, patterns, withNeeds } from "../project/auth-patterns.ts"
import { referenceVersions } from "../project/auth-sources.ts"
import { type NewFilesResult, writeNewFiles } from "../project/new-files.ts"
import { appDirOf, checkFits } from "../project/new-routes.ts"
import { type OptionsOf, optionName } from "../spec.ts"
import type * as specs from "../specs/generate.ts"
import type { Io, View } from "../terminal.ts"

/** What was written, and what is left to do. */
export interface GenerateAuthData extends NewFilesResult {
  /** Those that were asked for and those that they need. */
  readonly patterns: readonly PatternName[]
  /** Files that were there already, as they would have been written. */
  readonly unchanged: readonly string[]
  /** Files that were there and differ, and stayed: patterns share them. */
  readonly kept: readonly string[]
  /** Packages that package.json has now, with their versions. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Variables that the patterns read, and what they are. */
  readonly environment: Readonly<Record<string, string>>
}

type Options = OptionsOf<typeof specs.auth>

/** Writes the patterns. @throws FwError where none is named, for files in the way, and outside a project. */
export async function run(options: Options, { cwd }: Pick<Io, "cwd">): Promise<GenerateAuthData> {
  const asked = patternNames.filter((name) => options[optionName(name) as keyof Options])
  if (asked.length === 0) {
    const flags = patternNames.map((name) => `--${name}`).join(" ")
    throw new FwError("patterns", "no pattern is named", `Name one or several: fw generate auth ${flags}`)
  }
  const names = withNeeds(asked)
  const { force } = options
  const appDir = await appDirOf({ cwd, appDir: options.appDir })
  const manifest = await readPackageFile(cwd)
  const { files, unchanged, kept, packages } = await authFiles({ cwd, appDir, asked, names, force })
  await checkFits({ cwd, appDir }, files)
  const written = await writeNewFiles(files, { root: cwd, within: ".", force })
  const versions = await referenceVersions()
  const needed = Object.fromEntries(packages.map((name) => [name, versions[name] as string]))
  const dependencies = missingFrom(manifest, needed)
  await addDependencies(manifest, dependencies)
  const environment = Object.assign({}, ...names.map((name) => patterns[name].environment))
  return { ...written, patterns: names, unchanged, kept, dependencies, environment }
}

/** A line for each file, then what is left to do. */
export function print(data: GenerateAuthData, { style }: View): string {
  const { written, overwritten, unchanged, kept, dependencies, environment } = data
  const lines = [
    ...written.map((file) =>
      overwritten.includes(file) ? [style.yellow("overwritten"), file] : [style.green("written    "), file],
    ),
    ...(unchanged.length > 0 ? [[style.dim("unchanged  "), `${unchanged.length} files`]] : []),
    ...kept.map((file) => [style.yellow("kept       "), `${file}, which is not the reference's any more`]),
    ...Object.entries(dependencies).map(([name, version]) => [
      style.green("added      "),
      `${name} ${version} to package.json`,
    ]),
  ]
  const variables = Object.entries(environment).map(([name, meaning]) => `  ${name}: ${meaning}\n`)
  const next = Object.keys(dependencies).length > 0 ? "  Run npm install.\n" : ""
  const asks = variables.length > 0 ? `\n  Variables of the environment:\n${variables.join("")}` : ""
  return `${lines.map(([what, file]) => `  ${what}  ${file}\n`).join("")}${next}${asks}`
}
