/** `fw generate templates`: writes what a project generates and does not keep in git, for its tests and type check. Loaded by the table. */
import { stat } from "node:fs/promises"
import { relative, resolve, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { problemText } from "../project/dev-problems.ts"
import { checkGenerated, writeGenerated } from "../project/generated.ts"
import { staysInside } from "../project/inside.ts"
import { TemplateError } from "../project/template-problems.ts"
import { compileTemplates } from "../project/templates.ts"
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
  /** Why the OpenAPI document that the app asks for has no types, and what to do. */
  readonly untyped?: { readonly message: string; readonly fix: string }
}

/**
 * Scans the project, compiles its templates and writes; or compiles the templates of one directory alone.
 *
 * @throws FwError as `fw routes` does, `directory` for one that is not in the project; a TemplateError with every error
 * of the templates, their types included.
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
  if (!isDirectory || !(await staysInside(dir, cwd))) {
    const what = `${dir} is not a directory of this project`
    throw new FwError("directory", what, "Name one relative to its package.json.")
  }
  const top = relative(cwd, resolve(cwd, dir)).split(sep).join("/")
  const { diagnostics, written, unchanged } = await compileTemplates(cwd, top)
  if (diagnostics.length > 0) throw new TemplateError(diagnostics)
  const templates = [...written, ...unchanged]
  return { written, unchanged, typesChecked: await checkGenerated(cwd, { templates }, signal) }
}

/** The result as a person reads it. */
export function print(
  { written, unchanged, untyped }: GeneratedData,
  { style }: Pick<View, "style">,
): string {
  const lines = written.map((file) => `  ${style.green("written")}    ${file}\n`)
  const count = unchanged.length
  if (count > 0) lines.push(style.dim(`  unchanged  ${count} ${count === 1 ? "file" : "files"}\n`))
  if (untyped) lines.push(problemText(untyped, style, "warning"))
  return lines.join("")
}
