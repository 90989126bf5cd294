/** Whether what fw generated in a project is what it would generate now. Nothing is written. Called by `fw info`. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { outputPath } from "../../lib/template/index.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { asksForDocument } from "../openapi/embed.ts"
import { generate } from "../project/codegen.ts"
import { compileFile, findTemplates } from "../project/templates.ts"

/** The state of a project's generated files. */
export interface GeneratedState {
  /** `missing` where none is there; `stale` where some are missing, differ, or outlived their template. */
  readonly state: "current" | "stale" | "missing"
  /** Those that are not as they would be generated, relative to the project. */
  readonly stale: readonly string[]
}

/** Compares the files of `.fw/` and the compiled templates with what a generation would give. */
export async function generatedState(
  root: string,
  tree: RouteTree,
  main: string | null,
): Promise<GeneratedState> {
  const { sources, outputs } = await findTemplates(root)
  const openapi = await asksForDocument(root)
  const wanted = new Map(generate(tree, { main, openapi }).map(({ file, text }) => [file, text]))
  for (const file of sources) {
    const { code, diagnostics } = await compileFile(root, file)
    // A template with errors generates nothing: its module stays as it was.
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
