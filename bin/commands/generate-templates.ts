/** `fw generate templates`: writes what a project generates and does not keep in git, for its tests and type check. Loaded by the table. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { emptyTree } from "../../lib/tree.ts"
import { generate, writeIfChanged } from "../project/codegen.ts"
import { mainOf } from "../project/dev-project.ts"
import { asksForDocument, documentOf } from "../project/openapi-embed.ts"
import { scanProject } from "../project/scan-project.ts"
import { TemplateError } from "../project/template-problems.ts"
import { checkTemplateTypes } from "../project/template-types.ts"
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
}

/**
 * Scans the project, compiles its templates and writes.
 *
 * @throws FwError as `fw routes` does; {@link TemplateError} with every error of the templates, their types included.
 */
export async function run(
  { appDir }: OptionsOf<typeof specs.templates>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<GeneratedData> {
  const main = mainOf({ root: cwd, appDir })
  // A project may register everything by hand in its main.ts.
  const byHand = main !== null && !existsSync(join(cwd, appDir))
  const tree = byHand ? emptyTree(appDir) : await scanProject(cwd, appDir)
  const templates = await compileTemplates(cwd)
  if (templates.diagnostics.length > 0) throw new TemplateError(templates.diagnostics)
  const written = [...templates.written]
  const unchanged = [...templates.unchanged]
  const openapi = await asksForDocument(cwd)
  const files = [...generate(tree, { main, openapi }), ...(openapi ? await documentOf(cwd, appDir) : [])]
  for (const { file, text } of files) {
    const list = (await writeIfChanged(join(cwd, file), text)) ? written : unchanged
    list.push(file)
  }
  const outputs = [...templates.written, ...templates.unchanged]
  const { checked, diagnostics } = await checkTemplateTypes(cwd, outputs, signal)
  if (diagnostics.length > 0) throw new TemplateError(diagnostics)
  return { written, unchanged, typesChecked: checked }
}

/** The result as a person reads it. */
export function print({ written, unchanged }: GeneratedData, { style }: Pick<View, "style">): string {
  const lines = written.map((file) => `  ${style.green("written")}    ${file}\n`)
  const count = unchanged.length
  if (count > 0) lines.push(style.dim(`  unchanged  ${count} ${count === 1 ? "file" : "files"}\n`))
  return lines.join("")
}
