/** Finds out whether the generated files of a project are up to date. Writes nothing. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { RouteTree } from "../../lib/tree.ts"
import { outputPath } from "../../template/index.ts"
import { readAssetsModule } from "../inspect/links/asset-paths.ts"
import { findServedParts } from "../openapi/embedded-api.ts"
import { generateFiles } from "../project/codegen.ts"
import { generateDatabaseFiles, readDatabase } from "../project/database-files.ts"
import { compileFile, findTemplates } from "../project/templates.ts"

/** The state of a project's generated files. */
export interface GeneratedState {
  /**
   * `missing` if there are no generated files; `stale` if some are missing or out of date, or belong to a template
   * that is gone.
   */
  readonly state: "current" | "stale" | "missing"
  /** The files that are out of date, relative to the project. */
  readonly stale: readonly string[]
}

/** Compares the files of `.fw/` and the compiled templates with what fw would generate now. */
export async function readGeneratedState(root: string, tree: RouteTree, main: string | null): Promise<GeneratedState> {
  const assets = await readAssetsModule({ root, appDir: tree.appDir })
  const { sources, outputs } = await findTemplates(root)
  const { openapi } = await findServedParts(root)
  const database = await readDatabase(root)
  const files = generateFiles(tree, { main, openapi, assets, database: database !== undefined })
  if (database) files.push(...generateDatabaseFiles(database))
  const expectedTexts = new Map(files.map(({ file, text }) => [file, text]))
  for (const file of sources) {
    const { code, diagnostics } = await compileFile(root, file)
    // A template with errors is not compiled, so its old module stays.
    if (diagnostics.length === 0) expectedTexts.set(outputPath(file), code)
  }
  const currentOutputs = new Set(sources.map(outputPath))
  const stale = outputs.filter((file) => !currentOutputs.has(file))
  let missingCount = 0
  for (const [file, text] of expectedTexts) {
    const currentText = await readFile(join(root, file), "utf8").catch(() => null)
    if (currentText === text) continue
    stale.push(file)
    if (currentText === null) missingCount += 1
  }
  if (stale.length === 0) return { state: "current", stale }
  return { state: missingCount === expectedTexts.size ? "missing" : "stale", stale: stale.sort() }
}
