/** Provides the documentation as MCP resources: a list of the pages, and the text of a page or section. */
import { findDocsDirectory, readDocs, splitSections } from "../docs/pages.ts"
import { packageDirectory } from "../system/package.ts"

/** A page in the list. */
export interface DocsResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: "text/markdown"
}

/** The number of pages in a part of the list. */
const pageSize = 50
/** The longest text of a resource, in characters. */
const maxTextLength = 60_000
const uriPrefix = "fw://docs/"

/**
 * Lists the pages in parts.
 *
 * @param cursor the cursor of the previous part; undefined for the first part.
 * @returns null for an invalid cursor.
 */
export async function listDocs(
  root: string,
  cursor: string | undefined,
): Promise<{ resources: DocsResource[]; nextCursor?: string } | null> {
  const first = cursor === undefined ? 0 : Number(/^\d{1,6}$/.exec(cursor)?.[0] ?? Number.NaN)
  if (Number.isNaN(first)) return null
  const pages = await readDocs(findDocsDirectory(root, packageDirectory))
  const resources = pages.slice(first, first + pageSize).map(({ path, title }) => {
    return { uri: uriPrefix + path, name: path, title, mimeType: "text/markdown" as const }
  })
  const next = first + pageSize
  return { resources, ...(next < pages.length && { nextCursor: String(next) }) }
}

/** Returns the text of a page, or with `#anchor` that of a section; null if it does not exist. */
export async function readDocsResource(root: string, uri: string): Promise<string | null> {
  const [path = "", anchor] = uri.slice(uriPrefix.length).split("#")
  if (!uri.startsWith(uriPrefix)) return null
  // Only listed pages are read, so no URI can lead to another file.
  const pages = await readDocs(findDocsDirectory(root, packageDirectory))
  const text = pages.find((page) => page.path === path)?.text
  if (text === undefined) return null
  if (anchor === undefined) return shorten(text, uri)
  const section = splitSections(text).find((one) => one.anchor === anchor)
  return section ? shorten(`## ${section.heading}\n${section.lines.join("\n")}`, uri) : null
}

function shorten(text: string, uri: string): string {
  if (text.length <= maxTextLength) return text
  return `${text.slice(0, maxTextLength)}\n\n(This page is longer. Read one section: ${uri}#<heading>.)\n`
}
