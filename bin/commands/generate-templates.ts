/**
 * `fw generate templates`: writes the generated files that tests and the type checker need. They are not kept in
 * git.
 */
import { stat } from "node:fs/promises"
import { relative, resolve, sep } from "node:path"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { checkGenerated, writeGenerated } from "../generate/generated.ts"
import { fileFault } from "../messages/files.ts"
import { formatProblem } from "../project/problems.ts"
import { templateError } from "../project/template-problems.ts"
import { compileTemplates } from "../project/templates.ts"
import type * as specs from "../specs/generate.ts"
import { staysInside } from "../system/path-containment.ts"

/** The generated files, relative to the project, in the order in which they were written. */
export interface GeneratedData {
  readonly written: readonly string[]
  /** Generated files that were already up to date. */
  readonly unchanged: readonly string[]
  /** True if the types of the templates were checked, for which the project needs TypeScript. */
  readonly typesChecked: boolean
  /** Why the OpenAPI document of the application has no types, and the fix. */
  readonly untyped?: { readonly message: string; readonly fix: string }
}

/**
 * Scans the project, compiles its templates and writes the generated files. With `dir`, it only compiles the
 * templates in that directory.
 *
 * @throws FwError as `fw routes` does; `directory` for a directory outside the project; `templates` with all errors
 * of the templates, including type errors.
 */
export async function run(
  { appDir, dir }: OptionsOf<typeof specs.templates>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GeneratedData> {
  if (dir !== undefined) return await compileDirectory(cwd, dir, signal)
  const generated = await writeGenerated({ root: cwd, appDir })
  const { written, unchanged } = generated
  const typesChecked = await checkGenerated(cwd, generated, signal)
  return { written, unchanged, typesChecked, ...(generated.untyped && { untyped: generated.untyped }) }
}

async function compileDirectory(cwd: string, dir: string, signal: AbortSignal): Promise<GeneratedData> {
  const isDirectory = (await stat(resolve(cwd, dir)).catch(() => null))?.isDirectory() === true
  if (!isDirectory || !(await staysInside(dir, cwd))) throw fileFault("directory", [dir])
  const top = relative(cwd, resolve(cwd, dir)).split(sep).join("/")
  const { diagnostics, written, unchanged } = await compileTemplates(cwd, top)
  if (diagnostics.length > 0) throw templateError(diagnostics)
  const templates = [...written, ...unchanged]
  return { written, unchanged, typesChecked: await checkGenerated(cwd, { templates }, signal) }
}

export function print({ written, unchanged, untyped }: GeneratedData, { style }: Pick<View, "style">): string {
  const lines = written.map((file) => `  ${style.green("written")}    ${file}\n`)
  const count = unchanged.length
  if (count > 0) lines.push(style.dim(`  unchanged  ${count} ${count === 1 ? "file" : "files"}\n`))
  if (untyped) lines.push(formatProblem(untyped, style, "warning"))
  return lines.join("")
}
