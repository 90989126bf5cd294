/** `fw generate templates`: writes what a project generates and does not keep in git, for its tests and type check. Loaded by the table. */
import { checkGenerated, writeGenerated } from "../project/generated.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/generate.ts"
import type { Io, View } from "../terminal.ts"

/** The generated files, relative to the project, in the order of generation. */
export interface GeneratedData {
  readonly written: readonly string[]
  /** They had the same bytes already, and were not touched. */
  readonly unchanged: readonly string[]
  /** Whether the templates' types were checked, which takes TypeScript in the project. */
  readonly typesChecked: boolean
}

/**
 * Scans the project, compiles its templates and writes.
 *
 * @throws FwError as `fw routes` does; a TemplateError with every error of the templates, their types included.
 */
export async function run(
  { appDir }: OptionsOf<typeof specs.templates>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GeneratedData> {
  const generated = await writeGenerated({ root: cwd, appDir })
  const { written, unchanged } = generated
  return { written, unchanged, typesChecked: await checkGenerated(cwd, generated, signal) }
}

/** The result as a person reads it. */
export function print({ written, unchanged }: GeneratedData, { style }: Pick<View, "style">): string {
  const lines = written.map((file) => `  ${style.green("written")}    ${file}\n`)
  const count = unchanged.length
  if (count > 0) lines.push(style.dim(`  unchanged  ${count} ${count === 1 ? "file" : "files"}\n`))
  return lines.join("")
}
