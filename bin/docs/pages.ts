/** Reads the pages of the documentation. */
import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"

/** A page of the documentation. */
export interface DocsPage {
  /** Path below `docs/`, with forward slashes: `reference/routing.md`. */
  readonly path: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

/** A section of a page: a heading and the text up to the next heading. */
export interface DocsSection {
  /** The text of the heading, without Markdown. */
  readonly heading: string
  /** The id of the heading in URLs, as GitHub creates it. */
  readonly anchor: string
  /** Line number of the heading, from 1. */
  readonly line: number
  readonly lines: readonly string[]
}

/** Returns the directory of the documentation: that of the project's fw, otherwise that of this command. */
export function findDocsDirectory(root: string, own: string): string {
  try {
    return join(dirname(createRequire(join(root, "package.json")).resolve("fw/package.json")), "docs")
  } catch {
    return join(own, "docs")
  }
}

/** Pages for contributors. The published package does not contain them. */
const unpublishedFolder = "decisions/"

/** Reads every published page. Those directly in the directory come first. */
export async function readDocs(directory: string): Promise<DocsPage[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
  const paths = files.map(({ parentPath, path, name }) => {
    return join(parentPath ?? path, name)
      .slice(directory.length + 1)
      .replaceAll("\\", "/")
  })
  const published = paths.filter((path) => !path.startsWith(unpublishedFolder))
  const sorted = published.sort((a, b) => countDepth(a) - countDepth(b) || compareByCodeUnit(a, b))
  return Promise.all(
    sorted.map(async (path) => {
      const text = await readFile(join(directory, path), "utf8")
      return { path, title: toPlainText(/^# (.+)$/m.exec(text)?.[1] ?? path), text }
    }),
  )
}

function countDepth(path: string): number {
  return path.split("/").length
}

/** Splits a page into sections. Lines in code blocks are not headings. */
export function splitSections(text: string): DocsSection[] {
  const sections: { heading: string; anchor: string; line: number; lines: string[] }[] = []
  const usedAnchors = new Map<string, number>()
  let fence: string | null = null
  for (const [i, line] of text.split("\n").entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1]
    if (mark && fence === null) fence = mark
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null
    const title = fence === null ? /^#{1,6} +(.+?)(?: +#+)?$/.exec(line)?.[1] : undefined
    if (title !== undefined || sections.length === 0) {
      const heading = toPlainText(title ?? "")
      sections.push({ heading, anchor: createAnchor(heading, usedAnchors), line: i + 1, lines: [] })
    }
    if (title === undefined) sections.at(-1)?.lines.push(line)
  }
  return sections
}

/**
 * Returns the id of a heading, as GitHub creates it: `fw-test` for `## fw test`, and `fw-test-1` for a second one.
 */
export function createAnchor(heading: string, used: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-")
  const count = used.get(base) ?? 0
  used.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}

/** Removes Markdown markup from a line. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`+([^`]+)`+/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?!\w)/g, "$1")
    .trim()
}
