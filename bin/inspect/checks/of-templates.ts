/** Runs a check on all templates of a project, after a change only on those that are different. */
import { join } from "node:path"
import { linkSources } from "../links/project-links.ts"
import type { Finding } from "./finding.ts"

interface Read {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** So many templates are read before other events of the process have their turn. */
const atOnce = 10

/** Returns a check of a project's templates. @param find returns the findings of one. */
export function ofTemplates(
  find: (file: string, text: string) => readonly Finding[],
): (root: string) => Promise<Finding[]> {
  const known = new Map<string, Read>()
  return async (root) => {
    const found: Finding[] = []
    let fresh = 0
    for (const { file, text } of linkSources(root).filter(({ file }) => file.endsWith(".tpl"))) {
      const path = join(root, file)
      let read = known.get(path)
      if (read?.text !== text) {
        if (++fresh % atOnce === 0) await new Promise((resolve) => setImmediate(resolve))
        read = { text, findings: find(file, text) }
        known.set(path, read)
      }
      found.push(...read.findings)
    }
    return found
  }
}
