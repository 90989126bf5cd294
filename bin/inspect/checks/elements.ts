/** Finds custom elements in templates that no file defines, and files that should define an element but do not. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { toPosition } from "../../../lib/scan/tokens.ts"
import { findBrowserEntries } from "../../assets/entries.ts"
import { findNearest } from "../../cli/find-nearest.ts"
import type { Project } from "../../project/project.ts"
import type { LinkSource } from "../links/project-links.ts"
import { createWarning, type Finding, toFinding } from "./finding.ts"

/** Matches the start tag of an element whose name ends with `-element`, as fw's own elements do. */
const elementTag = /<([a-z][a-z\d]*(?:-[a-z\d]+)*-element)(?=[\s>/])/g

/**
 * Checks the custom elements of a project. Elements that a script of the project defines itself are not reported.
 */
export async function checkElements({ root, appDir }: Project, sources: readonly LinkSource[]): Promise<Finding[]> {
  const { entries, faults } = await findBrowserEntries({ root, appDir })
  const tags = entries.flatMap(({ kind, name }) => (kind === "element" ? [name] : []))
  const found = faults.map((fault) => toFinding(fault, appDir))
  // Without a file for an element, all elements come from packages or static scripts.
  if (tags.length === 0) return found
  const scripts = entries.filter(({ kind }) => kind === "script")
  const texts = await Promise.all(scripts.map(({ file }) => readFile(join(root, file), "utf8")))
  const unknown = findTags(sources).filter(({ tag }) => {
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

function findTags(sources: readonly LinkSource[]) {
  return sources
    .filter(({ file }) => file.endsWith(".tpl"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(elementTag)].map(({ 1: tag = "", index }) => ({ file, tag, ...toPosition(text, index) })),
    )
}
