/** Compares the generated files of a project with those that fw would generate now, without writing. */
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
  /** `missing` if none exists; `stale` if some are missing, differ, or have no template any more. */
  readonly state: "current" | "stale" | "missing"
  /** Files that differ, relative to the project. */
  readonly stale: readonly string[]
}

/** Compares the files of `.fw/` and the compiled templates with the expected ones. */
export async function readGeneratedState(root: string, tree: RouteTree, main: string | null): Promise<GeneratedState> {
  const assets = await readAssetsModule({ root, appDir: tree.appDir })
  const { sources, outputs } = await findTemplates(root)
  const { openapi } = await findServedParts(root)
  const database = await readDatabase(root)
  const files = generateFiles(tree, { main, openapi, assets, database: database !== undefined })
  if (database) files.push(...generateDatabaseFiles(database))
  const wanted = new Map(files.map(({ file, text }) => [file, text]))
  for (const file of sources) {
    const { code, diagnostics } = await compileFile(root, file)
    // A template with errors generates nothing, so its module stays.
    if (diagnostics.length === 0) wanted.set(outputPath(file), code)
  }
  const known = new Set(sources.map(outputPath))
  const stale = outputs.filter((file) => !known.has(file))
  let missing = 0
  for (const [file, text] of wanted) {
    const found = await readFile(join(root, file), "utf8").catch(() => null)
    if (found === text) continue
    stale.push(file)
    if (found === null) missing += 1
  }
  if (stale.length === 0) return { state: "current", stale }
  return { state: missing === wanted.size ? "missing" : "stale", stale: stale.sort() }
}
