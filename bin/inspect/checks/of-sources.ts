/** Runs a check on all sources of one kind of a project, after a change only on those that are different. */
import { join } from "node:path"
import { linkSources } from "../links/project-links.ts"
import type { Finding } from "./finding.ts"

interface Read {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** Returns the findings of one source. */
type Find = (file: string, text: string) => readonly Finding[]

/** So many sources are read before other events of the process have their turn. */
const atOnce = 10

/** Returns a check of those of a project's sources whose names fit. */
function ofSources(fits: (file: string) => boolean, find: Find): (root: string) => Promise<Finding[]> {
  const known = new Map<string, Read>()
  return async (root) => {
    const found: Finding[] = []
    let fresh = 0
    for (const { file, text } of linkSources(root).filter(({ file }) => fits(file))) {
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

/** Returns a check of a project's templates. @param find returns the findings of one. */
export function ofTemplates(find: Find): (root: string) => Promise<Finding[]> {
  return ofSources((file) => file.endsWith(".tpl"), find)
}

/**
 * Returns a check of a project's modules, other than those for browsers.
 *
 * @param find returns the findings of one.
 */
export function ofModules(find: Find): (root: string) => Promise<Finding[]> {
  return ofSources((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.startsWith("static/"), find)
}
