/** Checks that browsers keep each element where its template has it. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { findWarnings } from "../../../lib/template/compile.ts"
import { findTemplates } from "../../project/templates.ts"
import { type Finding, warning } from "./finding.ts"

/** Returns the warnings about the markup of a template. */
export function nestingFindings(source: string, file: string): Finding[] {
  return findWarnings(source, file).map((found) => warning("nesting", found, found.message, found.fix))
}

/** Returns the warnings about the markup of all templates of a project. @param signal ends the check. */
export async function checkNesting(root: string, signal?: AbortSignal): Promise<Finding[]> {
  const found: Finding[] = []
  for (const file of (await findTemplates(root)).sources) {
    const source = await readFile(join(root, file), "utf8").catch(() => "")
    if (signal?.aborted) return []
    found.push(...nestingFindings(source, file))
  }
  return found
}
