/** The pages of the documentation, as Markdown. */
import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"

/** A page. */
export interface DocsPage {
  /** Its path below `docs/`, with forward slashes: `reference/routing.md`. */
  readonly path: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

/** A part of a page, from its heading to the next one. */
export interface DocsSection {
  /** The text of the heading, without Markdown. */
  readonly heading: string
  /** The heading's id in a URL, as GitHub makes it. */
  readonly anchor: string
  /** Line of the heading, counted from 1. */
  readonly line: number
  readonly lines: readonly string[]
}

/** Returns the directory of the documentation: of the project's fw, or else of this command's. */
export function findDocsDirectory(root: string, own: string): string {
  try {
    return join(dirname(createRequire(join(root, "package.json")).resolve("fw/package.json")), "docs")
  } catch {
    return join(own, "docs")
  }
}

/** Pages for contributors, which only a checkout has. */
const unpublishedFolder = "decisions/"

/** Reads every page of the package, those at the top first. */
export async function readDocs(directory: string): Promise<DocsPage[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
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

/** Splits a page at its headings. Lines in code blocks are not headings. */
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

/** Returns the id of a heading as GitHub makes it: `##  fw test` has `fw-test`, and a second one `fw-test-1`. */
export function createAnchor(heading: string, used: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-")
  const count = used.get(base) ?? 0
  used.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}

/** Removes the marks of inline Markdown. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`+([^`]+)`+/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?!\w)/g, "$1")
    .trim()
}
