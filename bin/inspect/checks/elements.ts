/** Finds custom elements in templates that no file defines, and files that should define an element but do not. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { findBrowserEntries } from "../../assets/entries.ts"
import { findNearest } from "../../cli/find-nearest.ts"
import type { Project } from "../../project/project.ts"
import { findTemplates } from "../../project/templates.ts"
import { createWarning, type Finding, toFinding } from "./finding.ts"

/** Matches the start tag of an element whose name ends with `-element`, as fw's own elements do. */
const elementTag = /<([a-z][a-z\d]*(?:-[a-z\d]+)*-element)(?=[\s>/])/g

/**
 * Checks the custom elements of a project. Elements that a script of the project defines itself are not reported.
 */
export async function checkElements({ root, appDir }: Project): Promise<Finding[]> {
  const { entries, faults } = await findBrowserEntries({ root, appDir })
  const tags = entries.flatMap(({ kind, name }) => (kind === "element" ? [name] : []))
  const found = faults.map((fault) => toFinding(fault, appDir))
  // Without a file for an element, all elements come from packages or static scripts.
  if (tags.length === 0) return found
  const scripts = entries.filter(({ kind }) => kind === "script")
  const texts = await Promise.all(scripts.map(({ file }) => readFile(join(root, file), "utf8")))
  const unknown = (await findTags(root)).filter(({ tag }) => {
    return !tags.includes(tag) && !texts.some((text) => text.includes(tag))
  })
  const warnings = unknown.map(({ tag, ...at }) => {
    const near = findNearest(tag, tags)
    const file = `${appDir}/${tag.replace(/-element$/, "")}.element.ts`
    return createWarning(
      "unknown_element",
      at,
      `no file defines <${tag}>${near === undefined ? "" : `. Did you mean <${near}>?`}`,
      `${near === undefined ? "Correct the name" : `Write <${near}>`}, or define it in a file such as ${file}.`,
    )
  })
  return [...found, ...warnings]
}

async function findTags(root: string) {
  const { sources } = await findTemplates(root)
  const found = sources.map(async (file) => {
    const source = await readFile(join(root, file), "utf8").catch(() => "")
    return [...source.matchAll(elementTag)].map(({ 1: tag = "", index }) => {
      const before = source.slice(0, index).split("\n")
      return { file, tag, line: before.length, column: (before.at(-1) ?? "").length + 1 }
    })
  })
  return (await Promise.all(found)).flat()
}
