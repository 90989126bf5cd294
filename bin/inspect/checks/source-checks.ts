/** Runs a check on all sources of one type in a project. The results for unchanged sources are reused. */
import { join } from "node:path"
import { readLinkSources } from "../links/project-links.ts"
import type { Finding } from "./finding.ts"

interface CheckedSource {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** Returns the findings of one source. */
type FindInSource = (file: string, text: string) => readonly Finding[]

/** How many sources are read before other events of the process are handled. */
const maxSourcesPerTurn = 10

/** Returns a check of the sources whose names match. */
function createSourceCheck(
  matches: (file: string) => boolean,
  find: FindInSource,
): (root: string) => Promise<Finding[]> {
  const checkedSources = new Map<string, CheckedSource>()
  return async (root) => {
    const found: Finding[] = []
    let newCount = 0
    for (const { file, text } of readLinkSources(root).filter(({ file }) => matches(file))) {
      const path = join(root, file)
      let checkedSource = checkedSources.get(path)
      if (checkedSource?.text !== text) {
        if (++newCount % maxSourcesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
        checkedSource = { text, findings: find(file, text) }
        checkedSources.set(path, checkedSource)
      }
      found.push(...checkedSource.findings)
    }
    return found
  }
}

/**
 * Returns a check of a project's templates.
 *
 * @param find returns the findings in one template.
 */
export function createTemplateCheck(find: FindInSource): (root: string) => Promise<Finding[]> {
  return createSourceCheck((file) => file.endsWith(".tpl"), find)
}

/**
 * Returns a check of a project's modules, except browser code.
 *
 * @param find returns the findings in one module.
 */
export function createModuleCheck(find: FindInSource): (root: string) => Promise<Finding[]> {
  return createSourceCheck((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.startsWith("static/"), find)
}
