/** Writes the generated files of a project. They are not kept in git. */
import type { RouteTree } from "../../lib/tree.ts"
import { readAssetsModule } from "../inspect/links/asset-paths.ts"
import { createEmbeddedAPI, type EmbeddedAPI, findServedParts } from "../openapi/embedded-api.ts"
import { type EntryOptions, generateFiles, offersTools } from "../project/codegen.ts"
import { generateDatabaseFiles, readDatabase } from "../project/database-files.ts"
import { jobsFile } from "../project/jobs-module.ts"
import { findMain, type Project } from "../project/project.ts"
import { readProjectTree } from "../project/scan-project.ts"
import { templateError } from "../project/template-problems.ts"
import { checkTemplateTypes } from "../project/template-types.ts"
import { compileTemplates } from "../project/templates.ts"
import { removeFile, writeIfChanged } from "../system/whole-file.ts"
import { type PreparedProject, prepareValidators, validatorsFile } from "../validators/prepare-validators.ts"

/** The result of generating files. */
export interface Generated {
  readonly tree: RouteTree
  readonly entry: EntryOptions
  /** The files that were written, relative to the project, in order. */
  readonly written: readonly string[]
  /** Files that were already up to date. */
  readonly unchanged: readonly string[]
  /** Why the document of the app has no types; null if it has types or there is no document. */
  readonly untyped: EmbeddedAPI["untyped"]
  /** Routes that are offered to language models but cannot be tools. */
  readonly leftOut: EmbeddedAPI["leftOut"]
  /** The modules of templates, both written and unchanged ones. */
  readonly templates: readonly string[]
  /** The calls that are validated against a type. */
  readonly calls: PreparedProject
}

/** Options of {@link writeGenerated}. */
export interface GenerateOptions {
  /** True to make every type that cannot be checked an error. Default: false. */
  readonly isStrict?: boolean
}

/**
 * Scans the project, compiles its templates and writes the generated files.
 *
 * @throws FwError as `fw routes` does; `templates` with all errors of the templates except type errors;
 * `validators` if the types against which requests are checked cannot be read.
 */
export async function writeGenerated(project: Project, { isStrict = false }: GenerateOptions = {}): Promise<Generated> {
  const { root, appDir } = project
  const main = findMain(project)
  const tree = await readProjectTree(project)
  const templates = await compileTemplates(root)
  if (templates.diagnostics.length > 0) throw templateError(templates.diagnostics)
  const written = [...templates.written]
  const unchanged = [...templates.unchanged]
  const { openapi } = await findServedParts(root)
  const database = await readDatabase(root)
  const entry = { main, openapi, assets: await readAssetsModule(project), database: database !== undefined }
  const api = await createEmbeddedAPI(root, appDir, { openapi, mcp: offersTools(tree) })
  const files = [...generateFiles(tree, entry), ...api.files, ...(database ? generateDatabaseFiles(database) : [])]
  for (const { file, text } of files) {
    const list = (await writeIfChanged({ root, path: file }, text)) ? written : unchanged
    list.push(file)
  }
  // Without job files, an old `.fw/jobs.ts` would import files that do not exist.
  if (!tree.jobs) await removeFile({ root, path: jobsFile })
  const calls = await prepareValidators(root, isStrict)
  if (calls.wasWritten !== undefined) (calls.wasWritten ? written : unchanged).push(validatorsFile)
  return {
    tree,
    entry,
    written,
    unchanged,
    untyped: api.untyped,
    leftOut: api.leftOut,
    templates: [...templates.written, ...templates.unchanged],
    calls,
  }
}

/**
 * Checks the types of the templates.
 *
 * @returns false if the project has no TypeScript.
 * @throws FwError `templates` with all type errors, each at its position in the `.tpl`.
 */
export async function checkGenerated(
  root: string,
  { templates }: Pick<Generated, "templates">,
  signal: AbortSignal,
): Promise<boolean> {
  const { checked, diagnostics } = await checkTemplateTypes(root, templates, signal)
  if (diagnostics.length > 0) throw templateError(diagnostics)
  return checked
}
